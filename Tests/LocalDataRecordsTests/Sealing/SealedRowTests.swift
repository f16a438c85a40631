@_spi(Generated) @testable import LocalDataRecords
import LocalDataFoundation
import LocalDataSQLite
import LocalDataSystem
import LocalDataVocabulary
import Testing

@Suite("Rows with encrypted fields") struct SealedRowTests {
  private let records = [
    Secret(id: "a", token: "token-of-a", issuer: "me", kind: .letter), Secret(id: "b", token: "", issuer: nil),
    Secret(id: "c", token: "token-of-c\u{0}", issuer: "me"),
  ]

  @Test func recordsAreReadAsTheyWereWritten() throws {
    let table = try filledTable()
    #expect(try table.all() == records)
  }

  @Test func theDatabaseContainsNoPlaintext() throws {
    let table = try filledTable()
    try table.database.connection.rows("SELECT * FROM Secret") { row in
      #expect(!row.blob(2).contains("token".utf8) && !row.blob(2).contains("me".utf8))
      return true
    }
  }

  @Test func aPartOfAnotherRowIsRefused() throws {
    let table = try filledTable()
    try table.execute("UPDATE Secret SET sealed = (SELECT sealed FROM Secret WHERE id = 'a') WHERE id = 'c'")
    #expect(throws: StorageProblem.authenticationFailed) { try table.all() }
  }

  @Test func aRowWithAnotherKeyIsRefused() throws {
    let table = try filledTable()
    try table.execute("UPDATE Secret SET id = 'd' WHERE id = 'c'")
    #expect(throws: StorageProblem.authenticationFailed) { try table.all() }
  }

  @Test func aRowWithoutSealedPartLacksItsFields() throws {
    let table = try filledTable()
    try table.execute("UPDATE Secret SET sealed = NULL")
    // An index without its value.
    #expect(throws: StorageProblem.corrupted) { try table.all() }
    try table.execute("UPDATE Secret SET \"issuer.blind\" = NULL")
    #expect(throws: StorageProblem.corrupted) { try table.all() }
    try table.execute("UPDATE Secret SET sealed = x''")
    #expect(throws: StorageProblem.corrupted) { try table.all() }
  }

  @Test func withoutKeyNothingIsReadOrWritten() throws {
    var table = try filledTable()
    table.sealer = nil
    #expect(throws: StorageProblem.keyMaterialMissing) { try table.all() }
    #expect(throws: StorageProblem.keyMaterialMissing) { try table.insert(Secret(id: "d", token: "")) }
  }

  @Test func theBlindIndexFindsEqualValues() throws {
    let table = try filledTable()
    func ids(_ condition: RecordPredicate<Secret>) throws -> [String] {
      let (sql, values) = try condition.condition.sql({ Secret.declaration.columns[$0].name }) {
        (value, number) throws(StorageProblem) in
        try table.sealer?.blindIndexes(of: value, record: "Secret", field: number) ?? []
      }
      var ids: [String] = []
      try table.database.connection.rows("SELECT id FROM Secret WHERE \(sql) ORDER BY id", values) { row in
        ids.append(row.text(0) ?? "")
        return true
      }
      return ids
    }
    #expect(try ids(Secret.columns.issuer == "me") == ["a", "c"])
    #expect(try ids(Secret.columns.issuer == "Me") == [])
    #expect(try ids(Secret.columns.issuer == nil) == ["b"])
    #expect(try ids(!(Secret.columns.issuer == "me")) == ["b"])
  }

  @Test func fieldsOfANewerReleaseSurvive() throws {
    let table = try filledTable()
    let sealer = try #require(table.sealer)
    let message = written { writer in
      writer.text("later", 99)
      writer.textEnumeration(Note.Kind.draft, 2)
    }
    let sealed = try sealer.seal(Data(message), record: "Secret", key: Data("a".utf8))
    try table.execute("UPDATE Secret SET sealed = ?, \"issuer.blind\" = NULL WHERE id = 'a'", [.blob(sealed)])
    let record = try #require(try table.all().first)
    #expect(record != Secret(id: "a", token: ""))
    try table.execute("DELETE FROM Secret")
    try table.insert(record)
    let stored = try #require(try table.database.connection.first("SELECT sealed FROM Secret") { $0.blob(0) })
    let opened = try sealer.open(stored, record: "Secret", key: Data("a".utf8))
    #expect([UInt8](opened).hex == "120164" + "9a06056c61746572")
  }

  private func filledTable() throws -> RecordTable<Secret> {
    let table = try RecordTable<Secret>(
      sealer: RecordSealer(
        database: "notes", keys: [1: SecretBytes(Data(repeating: 7, count: 32))], algorithm: .chaCha20Poly1305))
    for record in records { try table.insert(record) }
    return table
  }
}
