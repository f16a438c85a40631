import Foundation
@_spi(Generated) import LocalData
@testable import LocalDataMaintenance
@_spi(Generated) @testable import LocalDataRecords
import RuntimeTestSupport
import LocalDataSQLite
import LocalDataStores
import LocalDataVocabulary
import Testing

/// The rows of a database while the record keys change, and after that.
struct RowRotationTests {
  private let app: RelaunchedApp
  private let passes = [
    Pass(id: "a", issuer: "city library", secret: "open sesame"), Pass(id: "b", issuer: "bank", secret: "1234"),
    Pass(id: "c", issuer: "city library", secret: "c"), Pass(id: "d", issuer: "", secret: "d"),
  ]

  init() throws { app = try RelaunchedApp() }

  /// The steps of a rotation after which a process may have ended.
  enum Step: CaseIterable {
    case masterKeyAdded, recordKeyAdded, someRowsSealed, allRowsSealed
  }

  private func launch(_ catalog: any StorageKeyCatalog.Type = PassCatalog.self) throws -> StorageRouter {
    let router = app.launch()
    try router.registerCatalog(catalog)
    return router
  }

  private func connection() throws -> SQLiteConnection {
    let folder = try app.fixture.locations.folder(of: .directory(.applicationSupport)).path
    return try SQLiteConnection(
      path: folder + "/.records/passes.db", isDurable: true, until: .now + .seconds(60), kind: .draft)
  }

  private func keys() throws -> [UInt32] { try RecordKeys.stored(on: connection()).map(\.number) }

  /// The numbers of the record keys that have sealed the rows.
  private func numbers() throws -> Set<String> {
    var numbers: Set<String> = []
    try connection().rows("SELECT hex(substr(sealed, 3, 4)) FROM Pass") { row in
      numbers.insert(row.text(0) ?? "")
      return true
    }
    return numbers
  }

  private func count(_ condition: String) throws -> Int64? {
    try connection().first("SELECT count(*) FROM Pass WHERE \(condition)") { $0.integer(0) }
  }

  private func fill() async throws {
    let records = try launch().records(Pass.self)
    for pass in passes { try await records.save(pass) }
  }

  /// Makes the steps of a rotation up to one.
  private func rotate(to step: Step) async throws {
    try await fill()
    let router = try launch()
    for values in router.maintenance.sealedValues() {
      _ = try await values.run { [keyset = values.keyset] (encryption) throws(StorageProblem) in
        try encryption.beginRotation(of: keyset)
      }
    }
    guard step != .masterKeyAdded else { return #expect(try keys() == [1]) }
    try await launch().transaction(in: Pass.Database.self) { _ in }
    let sealed = step == .allRowsSealed ? passes : step == .someRowsSealed ? [passes[0]] : []
    for pass in sealed { try await launch().records(Pass.self).save(pass) }
    #expect(try keys() == [1, 2])
  }

  private func expectPasses(_ expected: [Pass]? = nil, _ comment: Comment? = nil) async throws {
    let (expected, records) = (expected ?? passes, try launch().records(Pass.self))
    #expect(try await records.fetchAll().map(\.id).sorted() == expected.map(\.id), comment)
    for pass in expected { #expect(try await records.fetch(id: pass.id) == pass, comment) }
    for issuer in Set(expected.map(\.issuer)) {
      let count = expected.count { $0.issuer == issuer }
      #expect(try await records.where { $0.issuer == issuer }.fetchAll().count == count, comment)
      #expect(try await records.where { $0.issuer.isIn([issuer, "none", "other"]) }.count() == count, comment)
      #expect(try await records.where { $0.issuer != issuer }.count() == expected.count - count, comment)
      #expect(try await records.where { $0.issuer == issuer }.exists(), comment)
    }
  }

  private func expectEnd(_ catalog: any StorageKeyCatalog.Type = PassCatalog.self) async throws {
    let router = try launch(catalog)
    #expect(try await router.maintenance.rotateKeys().failures == [])
    #expect(try keys() == [2])
    #expect(try numbers() == ["00000002"])
    #expect(try await router.maintenance.destroyRetiredKeys() == 1)
  }

  /// The rotation does not know which sizes a release declares.
  @Test func largeRowIsSealedAgain() async throws {
    let scan = Scan(id: "a", text: String(repeating: "x", count: 17 << 20))
    try await launch(ScanCatalog.self).records(Scan.self).save(scan)
    #expect(try await launch(ScanCatalog.self).maintenance.rotateKeys().failures == [])
    #expect(try await launch(ScanCatalog.self).maintenance.destroyRetiredKeys() == 1)
    #expect(try await launch(ScanCatalog.self).records(Scan.self).fetch(id: "a") == scan)
  }

  // MARK: Steps

  @Test(arguments: Step.allCases) func everyRowIsFoundAtEachStep(_ step: Step) async throws {
    try await rotate(to: step)
    try await expectPasses()
    let new = Pass(id: "e", issuer: "bank", secret: "e")
    try await launch().records(Pass.self).insert(new)
    // A release that stores a row before the rotation continues does so with a new record key.
    #expect(try keys() == [1, 2])
    #expect(try count("substr(sealed, 3, 4) = x'00000002' AND id = 'e'") == 1)
    try await expectPasses(passes + [new])
    try await expectEnd()
    try await expectPasses(passes + [new])
  }

  /// The earlier release does not know the issuer.
  @Test(arguments: Step.allCases) func anEarlierReleaseKeepsIndexes(_ step: Step) async throws {
    try await rotate(to: step)
    let old = try launch(OldPassCatalog.self).records(OldPass.self)
    #expect(try await old.fetchAll().map(\.secret).sorted() == passes.map(\.secret).sorted())
    try await old.update(id: "b") { $0.secret = "changed" }
    var copy = try #require(try await old.fetch(id: "a"))
    copy.id = "e"
    try await old.insert(copy)
    var expected = passes + [Pass(id: "e", issuer: "city library", secret: "open sesame")]
    expected[1].secret = "changed"
    try await expectPasses(expected)
    try await expectEnd(OldPassCatalog.self)
    try await expectPasses(expected)
  }

  @Test func everyRotationReachesEveryRow() async throws {
    try await fill()
    let router = try launch()
    for number in 2...4 {
      #expect(try await router.maintenance.rotateKeys().reencrypted == 1)
      #expect(try keys() == [UInt32(number)])
      #expect(try numbers() == ["0000000\(number)"])
    }
    #expect(try await router.maintenance.destroyRetiredKeys() == 3)
    try await expectPasses()
  }

  @Test func aFinishedRotationChangesNothing() async throws {
    try await fill()
    let router = try launch()
    for values in router.maintenance.sealedValues() {
      _ = try await values.run { [keyset = values.keyset] (encryption) throws(StorageProblem) in
        try encryption.beginRotation(of: keyset)
      }
    }
    let addresses = try await router.maintenance.sealedValues()[0].addresses()
    let sealed = try #require(addresses.first { $0.recordKey != nil })
    #expect(try await router.maintenance.sealedValues()[0].reseal(sealed))
    #expect(try await router.maintenance.sealedValues()[0].reseal(sealed) == false)
    #expect(try keys() == [2])
  }

  /// More rows than one transaction seals.
  @Test func manyRowsAreSealedAgain() async throws {
    try await launch().transaction(in: Pass.Database.self) { database in
      for number in 0..<1_100 {
        try database.records(Pass.self).save(Pass(id: "\(number)", issuer: "i\(number % 3)", secret: "s"))
      }
    }
    try await launch().maintenance.rotateKeys()
    #expect(try numbers() == ["00000002"])
    #expect(try await launch().records(Pass.self).where { $0.issuer == "i0" }.count() == 367)
  }

  @Test func launchesThatSaveDuringRotationsLoseNothing() async throws {
    try await fill()
    let rotations = try (0..<2).map { _ in try launch() }
    let saving = try launch()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for router in rotations {
        group.addTask { for _ in 0..<3 { _ = try await router.maintenance.rotateKeys() } }
      }
      group.addTask {
        for number in 0..<30 {
          try await saving.records(Pass.self).save(Pass(id: "n\(number % 10)", issuer: "new", secret: "\(number)"))
          if number % 5 == 0 { await saving.lock() }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await launch().maintenance.rotateKeys().failures == [])
    #expect(try keys().count == 1 && numbers().count == 1)
    #expect(try await launch().maintenance.destroyRetiredKeys() > 0)
    let added = (0..<10).map { Pass(id: "n\($0)", issuer: "new", secret: "\($0 + 20)") }
    try await expectPasses(passes + added)
  }

  /// An earlier version of the library left such a row after a transform that returned an empty text.
  @Test func aRowWithAnIndexAndNoPartIsSealed() async throws {
    try await fill()
    let file = try connection()
    try file.execute("UPDATE Pass SET sealed = NULL WHERE id = 'd'")
    // Its tables did not require a sealed part, and the keystore had no list.
    try file.execute(#"UPDATE local_data SET value = replace(value, '"required":[0,', '"required":[')"#)
    let keystore = try SQLiteConnection(
      path: app.fixture.locations.keystore().path, isDurable: true, until: .now + .seconds(60), kind: .draft)
    try keystore.execute("DELETE FROM item WHERE account LIKE '%.records.%'")
    #expect(try await launch().records(Pass.self).where { $0.issuer == "" }.fetchAll().map(\.id) == ["d"])
    try await expectEnd()
    #expect(try await launch().records(Pass.self).where { $0.issuer == "" }.fetchAll().map(\.id) == ["d"])
  }

  // MARK: Faults

  @Test(arguments: [
    "sealed = NULL", "sealed = (SELECT sealed FROM Pass WHERE id = 'a')", "sealed = x'00'",
    "\"issuer.blind\" = (SELECT \"issuer.blind\" FROM Pass WHERE id = 'a')", "\"issuer.blind\" = NULL",
  ]) func aDamagedRowKeepsItsKey(_ damage: String) async throws {
    try await fill()
    try connection().execute("UPDATE Pass SET \(damage) WHERE id = 'b'")
    let router = try launch()
    for _ in 0..<2 {
      let rotation = try await router.maintenance.rotateKeys()
      #expect(rotation.failures.contains { $0.subject.key == "passes" })
      #expect(!rotation.isComplete)
      #expect(try keys() == [1, 2])
      #expect(try count("substr(sealed, 3, 4) = x'00000002'") == 3)
    }
    #expect(await storageError { try await router.maintenance.destroyRetiredKeys() }?.code == .retiredKeyInUse)
    try await router.records(Pass.self).delete(id: "b")
    try await expectEnd()
    try await expectPasses([passes[0], passes[2], passes[3]])
  }

  /// Rows that are not found would be lost with their key.
  @Test(arguments: [
    "CREATE TABLE Other (id INTEGER PRIMARY KEY, sealed BLOB) STRICT",
    "UPDATE local_data SET value = replace(value, '\"0\":[\"sealed\",\"BLOB\"],', '') WHERE name = 'shape'",
  ]) func anUnknownColumnKeepsTheKeys(_ change: String) async throws {
    try await fill()
    let shape = try #require(
      try connection().first("SELECT value FROM local_data WHERE name = 'shape'") { $0.text(0) } ?? nil)
    try connection().execute(change)
    let damaged = StorageError(.databaseDamaged, .init(key: "passes", domain: .fileSystem))
    #expect(try await launch().maintenance.rotateKeys().failures == [damaged])
    #expect(try keys() == [1])
    try connection().execute("DROP TABLE IF EXISTS Other")
    try connection().run("UPDATE local_data SET value = ? WHERE name = 'shape'", [.text(shape)])
    try await expectEnd()
  }

  /// An old copy of the key row and of the keystore does not open the rows that are stored from now on.
  @Test func aRestoredRecordKeyDoesNotSeal() async throws {
    try await fill()
    let old = try #require(try RecordKeys.stored(on: connection()).first)
    try await launch().maintenance.rotateKeys()
    let connection = try connection()
    try connection.execute("DELETE FROM local_data_keys; DELETE FROM Pass")
    try connection.run("INSERT INTO local_data_keys VALUES (1, ?, 0)", [.blob(old.envelope)])
    try await launch().records(Pass.self).save(passes[0])
    #expect(try keys() == [1, 3])
    #expect(try numbers() == ["00000003"])
    #expect(try await launch().records(Pass.self).fetchAll() == [passes[0]])
  }

  /// A key whose rows exist was lost, and may be restored.
  @Test func noNewKeyHidesALostOne() async throws {
    try await fill()
    let old = try #require(try RecordKeys.stored(on: connection()).first)
    try await launch().maintenance.rotateKeys()
    let connection = try connection()
    let new = try #require(try RecordKeys.stored(on: connection).first)
    try connection.execute("DELETE FROM local_data_keys")
    try connection.run("INSERT INTO local_data_keys VALUES (1, ?, 0)", [.blob(old.envelope)])
    let missing = StorageError(.keyMaterialMissing, .init(key: "Pass", domain: .fileSystem))
    try await launch().records(Pass.self).save(passes[0])
    #expect(try keys() == [1, 3])
    #expect(await storageError { try await launch().records(Pass.self).fetch(id: "b") } == missing)
    try connection.run("INSERT INTO local_data_keys VALUES (2, ?, 0)", [.blob(new.envelope)])
    try await expectPasses()
  }

  @Test func anOlderKeystoreLosesNothing() async throws {
    try await fill()
    func files() -> [String: Data] {
      StoreFixture.keystoreFiles.reduce(into: [:]) { files, name in
        files[name] = FileManager.default.contents(atPath: app.fixture.path("data/" + name))
      }
    }
    func replace(by files: [String: Data]) {
      for name in StoreFixture.keystoreFiles {
        try? FileManager.default.removeItem(atPath: app.fixture.path("data/" + name))
        guard let bytes = files[name] else { continue }
        #expect(
          FileManager.default.createFile(
            atPath: app.fixture.path("data/" + name), contents: bytes, attributes: [.posixPermissions: 0o600]))
      }
    }
    let before = files()
    try await launch().maintenance.rotateKeys()
    try await launch().maintenance.destroyRetiredKeys()
    let after = files()
    let stored = try RecordKeys.stored(on: connection())
    replace(by: before)
    #expect(await storageError { try await launch().records(Pass.self).fetchAll() }?.code == .authenticationFailed)
    #expect(await storageError { try await launch().records(Pass.self).save(passes[0]) }?.code == .authenticationFailed)
    #expect(try await launch().maintenance.rotateKeys().failures.map(\.code) == [.authenticationFailed])
    #expect(try RecordKeys.stored(on: connection()) == stored)
    replace(by: after)
    try await expectPasses()
  }
}

/// A record whose rows may be larger than those of most databases.
nonisolated private struct Scan: StorageRecord {
  enum Database: RecordDatabase {
    static let declaration = RecordDatabaseDeclaration(
      "scans", .fileSystem(directory: .applicationSupport), records: { [Scan.declaration] })
  }

  struct Columns: Sendable {}
  static let declaration = RecordDeclaration(
    "Scan", key: 1, [.init(1, "id", .text), .init(0, "sealed", .sealed)], sealed: [.init(2, "String")],
    maxSize: 20 << 20)
  static var columns: Columns { Columns() }

  var id: String
  var text: String
}

nonisolated extension Scan {
  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    let id = try row.text(0)
    var text = ""
    try row.sealed(1, Self.declaration, key: id) { (reader) throws(StorageProblem) in
      while let field = try reader.next() {
        if field.tag == 18 { text = try reader.text() } else { try reader.skip(field) }
      }
    }
    self.init(id: id, text: text)
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.text(id)
    try row.sealed(Self.declaration, key: id, RecordUnknownFields()) { writer in writer.text(text, 2) }
  }
}

private enum ScanCatalog: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [] }
  static var parts: [StorageCatalogPart] { [.records(Scan.Database.self)] }
}
