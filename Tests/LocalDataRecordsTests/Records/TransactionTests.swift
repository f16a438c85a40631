import Foundation
@_spi(Generated) import LocalData
@_spi(Generated) @testable import LocalDataRecords
import LocalDataSQLite
import RuntimeTestSupport
import Testing

struct TransactionTests {
  private let day = Date(timeIntervalSinceReferenceDate: 800_000_000)
  private let anna = Member(id: "a", email: "anna@example.com")

  @Test(arguments: RecordPlace.allCases) func allChangesAreMadeOrNone(place: RecordPlace) async throws {
    let (router, app) = try place.launch()
    try await router.transaction(in: ClubDatabase.self) { [anna, day] club in
      try club.members.insert(anna)
      try club.visits.insert(Visit(member: "a", at: day))
      #expect(try club.visits.count() == 1)
    }
    struct Refusal: Error {}
    await #expect(throws: Refusal.self) {
      try await router.transaction(in: ClubDatabase.self) { club in
        #expect(try club.members.delete(id: "a"))
        #expect(try club.visits.count() == 0)
        throw Refusal()
      }
    }
    #expect(try await router.members.count() == 1)
    #expect(try await router.visits.count() == 1)
    await #expect(throws: StorageError(.missingReference, .init(key: "Visit", domain: .fileSystem))) {
      try await router.transaction(in: ClubDatabase.self) { [day] club in
        try club.members.delete(id: "a")
        try club.visits.insert(Visit(member: "a", at: day))
      }
    }
    #expect(try await router.members.fetchAll() == [anna])
    _ = app
  }

  /// A call that failed leaves the others of the transaction as they are.
  @Test func aTransactionGoesOnAfterAnErrorThatItCatches() async throws {
    let router = try RecordPlace.memory.launch().0
    try await router.transaction(in: ClubDatabase.self) { [anna] club in
      try club.members.insert(anna)
      #expect(throws: StorageError.self) { try club.members.insert(anna) }
      try club.members.insert(Member(id: "b", email: "b"))
    }
    #expect(try await router.members.count() == 2)
  }

  @Test(arguments: RecordPlace.allCases) func aReadSeesOneState(place: RecordPlace) async throws {
    let (router, app) = try place.launch()
    try await router.members.save(anna)
    let rows = try await router.read(ClubDatabase.self) { club in
      #expect(try club.members.order { $0.id.ascending }.first()?.id == "a")
      return try club.rows("SELECT id, points, NULL, 1.5, x'00' FROM Member")
    }
    #expect(rows == [[.text("a"), .integer(0), .null, .real(1.5), .data(Data([0]))]])
    await #expect(throws: StorageError(.accessDenied, .init(key: "Member", domain: .fileSystem))) {
      try await router.read(ClubDatabase.self) { club in try club.members.delete(id: "a") }
    }
    _ = app
  }

  private static let noQuery = "it is no SELECT, VALUES or WITH"

  @Test(arguments: [
    ("DELETE FROM Member", noQuery), ("COMMIT", noQuery), ("PRAGMA foreign_keys = OFF", noQuery),
    ("ATTACH 'x' AS y", noQuery), ("", noQuery), ("SELECT * FROM nowhere", "no such table: nowhere"),
    ("WITH a AS (SELECT 1) DELETE FROM main.Member", "it changes the database"),
    (#"SELECT "no column" FROM Member"#, "no such column: no column"),
    ("SELECT * FRM Member", #"near "FRM": syntax error"#),
    ("SELECT ?", "it has 1 parameters, and 0 values"),
  ]) func theEscapeHatchOnlyReads(sql: String, message: String) async throws {
    let router = try RecordPlace.memory.launch().0
    try await router.members.save(anna)
    await #expect(throws: StorageError(.invalidQuery(message), .init(key: "club", domain: .fileSystem))) {
      try await router.transaction(in: ClubDatabase.self) { club in try club.rows(sql) }
    }
    #expect(try await router.members.count() == 1)
  }

  @Test(.timeLimit(.minutes(15))) func valuesReportEachChangeOnce() async throws {
    let router = try RecordPlace.memory.launch().0
    var values = router.visits.values().makeAsyncIterator()
    #expect(try await values.next() == [])
    try await router.members.save(anna)
    let visit = Visit(member: "a", at: day)
    try await router.visits.save(visit)
    #expect(try await values.next() == [visit])
    // The deletion of the member deletes the visit.
    try await router.members.delete(id: "a")
    #expect(try await values.next() == [])
  }

  /// Two launches in one process, as an app and its previews may have them.
  @Test(.timeLimit(.minutes(15))) func valuesReportChangesByOtherRouters() async throws {
    let (router, app) = try RecordPlace.file.launch()
    var values = router.members.values().makeAsyncIterator()
    #expect(try await values.next() == [])
    let other = try #require(app).launch()
    try other.registerCatalog(ClubCatalog.self)
    for points: Int32 in 1...3 {
      var member = anna
      member.points = points
      try await other.members.save(member)
      #expect(try await values.next() == [member])
    }
    try await other.members.delete(id: "a")
    #expect(try await values.next() == [])
  }

  @Test func concurrentUpdatesLoseNothing() async throws {
    let (router, app) = try RecordPlace.file.launch()
    try await router.members.save(anna)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<40 { group.addTask { try await router.members.update(id: "a") { $0.points += 1 } } }
      try await group.waitForAll()
    }
    #expect(try await router.members.fetch(id: "a")?.points == 40)
    _ = app
  }

  /// SQLite rolls a transaction back if the disk is full. A change that follows must not be stored alone.
  @Test(arguments: RecordPlace.allCases) func aFullDiskUndoesTheTransaction(place: RecordPlace) async throws {
    let (router, app) = try place.launch()
    try await router.members.save(Member(id: "x", email: "x"))
    await #expect(throws: StorageError.self) {
      try await router.transaction(in: ClubDatabase.self) { [anna] club in
        let connection = try club.session.use()
        let pages = try connection.first("PRAGMA page_count", [], { $0.integer(0) }) ?? 0
        try connection.execute("PRAGMA max_page_count = \(pages)")
        let large = Member(id: "large", email: String(repeating: "x", count: 500_000))
        #expect(throws: StorageError.self) { try club.members.insert(large) }
        try connection.execute("PRAGMA max_page_count = 1000000")
        #expect(throws: StorageError.self) { try club.members.insert(anna) }
      }
    }
    #expect(try await router.members.fetchAll().map(\.id) == ["x"])
    _ = app
  }

  @Test func aTransactionThatWasRolledBackIsNoDamage() async throws {
    let router = try RecordPlace.memory.launch().0
    try await router.members.save(anna)
    let error = await storageError {
      try await router.transaction(in: ClubDatabase.self) { club in
        try club.session.use().execute("ROLLBACK")
      }
    }
    #expect(error == StorageError(.busy, .init(key: "club", domain: .fileSystem)))
  }

  /// SQLite's text for the last one would quote the address.
  @Test(arguments: [
    ("SELECT abs(-9223372036854775807 - 1)", "integer overflow"),
    ("SELECT sum(x) FROM (SELECT 9223372036854775807 AS x UNION ALL SELECT 1)", "integer overflow"),
    ("SELECT json('{')", "malformed JSON"), ("SELECT id FROM Member LIMIT 'x'", "datatype mismatch"),
    ("SELECT json_extract('{}', email) FROM Member", "JSON path error near "),
  ]) func anErrorOfAQueryIsNoDamage(sql: String, message: String) async throws {
    let router = try RecordPlace.memory.launch().0
    try await router.members.save(anna)
    await #expect(throws: StorageError(.invalidQuery(message), .init(key: "club", domain: .fileSystem))) {
      try await router.read(ClubDatabase.self) { club in try club.rows(sql) }
    }
  }

  @Test func aQueryMayHaveMoreRowsThanTheDatabase() async throws {
    let router = try RecordPlace.memory.launch().0
    try await router.members.save(anna)
    let rows = try await router.read(ClubDatabase.self) {
      try $0.rows("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 100000) SELECT x FROM n").count
    }
    #expect(rows == 100_000)
  }
}
