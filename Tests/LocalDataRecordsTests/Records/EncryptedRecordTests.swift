import Foundation
@_spi(Generated) import LocalData
@_spi(Generated) import LocalDataRecords
import RuntimeTestSupport
import LocalDataSQLite
import LocalDataStores
import LocalDataVocabulary
import Testing

/// A record with encrypted fields.
nonisolated struct Pass: StorageRecord {
  enum Database: RecordDatabase {
    static let declaration = RecordDatabaseDeclaration(
      "passes", .fileSystem(directory: .applicationSupport), records: { [Pass.declaration, Stamp.declaration] })
  }

  var id: String
  var issuer: String
  var secret: String

  struct Columns: Sendable {
    let id = RecordColumn<Pass, String>(0)
    let issuer = BlindColumn<Pass, String>(1, 2)
  }

  static var columns: Columns { Columns() }

  static let declaration = RecordDeclaration(
    "Pass", key: 1, [.init(1, "id", .text), .init(2, "issuer.blind", .blindIndex), .init(0, "sealed", .sealed)],
    sealed: [.init(2, "String"), .init(3, "String")], indexes: [[2]])
}

nonisolated extension Pass {
  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    let id = try row.text(0)
    var (issuer, secret) = ("", "")
    try row.sealed(2, Self.declaration, key: id) { (reader) throws(StorageProblem) in
      while let field = try reader.next() {
        switch field.tag {
        case 18: issuer = try reader.text()
        case 26: secret = try reader.text()
        default: try reader.skip(field)
        }
      }
    }
    self.init(id: id, issuer: issuer, secret: secret)
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.text(id)
    row.blind(issuer, 2, Self.declaration)
    try row.sealed(Self.declaration, key: id, RecordUnknownFields()) { writer in
      writer.text(issuer, 2)
      writer.text(secret, 3)
    }
  }
}

/// A record without encrypted fields in the same database.
nonisolated struct Stamp: StorageRecord {
  typealias Database = Pass.Database
  struct Columns: Sendable {}
  static let declaration = RecordDeclaration("Stamp", key: 1, [.init(1, "id", .text)])
  static var columns: Columns { Columns() }

  var id: String
}

nonisolated extension Stamp {
  init(_ row: borrowing RecordRow) throws(StorageProblem) { id = try row.text(0) }

  func write(to row: inout RecordWriter) throws(StorageProblem) { row.text(id) }
}

enum PassCatalog: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [] }
  static var parts: [StorageCatalogPart] { [.records(Pass.Database.self)] }
}

/// Records with encrypted fields on the runtime.
struct EncryptedRecordTests {
  private let app: RelaunchedApp
  private let pass = Pass(id: "a", issuer: "city library", secret: "open sesame")

  init() throws { app = try RelaunchedApp() }

  private func launch() throws -> StorageRouter {
    let router = app.launch()
    try router.registerCatalog(PassCatalog.self)
    return router
  }

  private var folder: String {
    get throws { try app.fixture.locations.folder(of: .directory(.applicationSupport)).path + "/.records" }
  }

  /// The bytes of the files of the database.
  private func bytes() throws -> Data {
    let folder = try folder
    return try FileManager.default.contentsOfDirectory(atPath: folder).reduce(into: Data()) { bytes, name in
      bytes += try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
    }
  }

  @Test func encryptedFieldsAreReadByTheNextLaunch() async throws {
    let passes = try launch().records(Pass.self)
    #expect(try await passes.fetch(id: "a") == nil)
    try await passes.save(pass)
    let later = try launch()
    #expect(try await later.records(Pass.self).fetch(id: "a") == pass)
    #expect(try await later.records(Pass.self).where { $0.issuer == "city library" }.fetchAll() == [pass])
    #expect(try await later.records(Pass.self).where { $0.issuer == "other" }.fetchAll() == [])
    #expect(try await later.records(Pass.self).where { $0.issuer != "city library" }.fetchAll() == [])
    #expect(try await later.records(Pass.self).where { $0.issuer != "other" }.fetchAll() == [pass])
    #expect(
      try await later.records(Pass.self).where { $0.issuer.isIn(["other", "city library"]) }.fetchAll() == [pass])
    await later.lock()
    #expect(try await later.records(Pass.self).fetchAll() == [pass])
    let bytes = try bytes()
    for text in [pass.issuer, pass.secret] { #expect(bytes.range(of: Data(text.utf8)) == nil) }
  }

  @Test func encryptedRecordsAreStoredInMemory() async throws {
    let router = StorageRouter.inMemory()
    try router.registerCatalog(PassCatalog.self)
    try await router.transaction(in: Pass.Database.self) { [pass] in try $0.records(Pass.self).save(pass) }
    #expect(try await router.records(Pass.self).fetchAll() == [pass])
  }

  /// After a deletion, the files do not contain the sealed part either.
  @Test func aDeletedRecordLeavesNothing() async throws {
    let router = try launch()
    try await router.records(Pass.self).save(pass)
    let sealed = try await router.read(Pass.Database.self) { try $0.rows("SELECT sealed FROM main.Pass") }
    guard case .data(let part)? = sealed.first?.first else { throw StorageProblem.notFound }
    #expect(try bytes().range(of: part) != nil)
    try await router.records(Pass.self).delete(id: "a")
    #expect(try bytes().range(of: part) == nil)
  }

  @Test func aLostKeyIsReportedAndNotReplaced() async throws {
    try await launch().records(Pass.self).save(pass)
    let location = try folder + "/passes.db"
    let connection = try SQLiteConnection(path: location, isDurable: true, until: .now + .seconds(60), kind: .draft)
    try connection.execute("DELETE FROM local_data_keys")
    let router = try launch()
    let expected = StorageError(.keyMaterialMissing, .init(key: "Pass", domain: .fileSystem))
    #expect(await storageError { try await router.records(Pass.self).fetchAll() } == expected)
    #expect(await storageError { try await router.records(Pass.self).save(pass) } == expected)
    try await router.records(Stamp.self).save(Stamp(id: "s"))
    #expect(try await router.records(Stamp.self).count() == 1, "plain records need no key")
  }

  @Test func launchesThatStoreTheFirstKeyTogetherUseOne() async throws {
    let routers = try (0..<6).map { _ in try launch() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, router) in routers.enumerated() {
        group.addTask { try await router.records(Pass.self).save(Pass(id: "\(number)", issuer: "i", secret: "s")) }
      }
      try await group.waitForAll()
    }
    #expect(try await launch().records(Pass.self).fetchAll().count == 6)
  }

  /// A key that was in memory is not in a new file, so it must not seal rows of it.
  @Test func aFileThatIsCreatedAnewHasItsOwnKey() async throws {
    let router = try launch()
    try await router.records(Pass.self).save(pass)
    try FileManager.default.removeItem(atPath: folder)
    #expect(try await router.records(Pass.self).fetchAll() == [])
    try await router.records(Pass.self).save(pass)
    #expect(try await launch().records(Pass.self).fetchAll() == [pass])
  }

  @Test func aFileOfAnotherLaunchIsReadWithItsKey() async throws {
    let (router, other) = (try launch(), try launch())
    try await router.records(Pass.self).save(pass)
    try FileManager.default.removeItem(atPath: folder)
    try await other.records(Pass.self).save(pass)
    #expect(try await router.records(Pass.self).fetch(id: "a") == pass)
    #expect(try await router.records(Pass.self).where { $0.issuer == "city library" }.count() == 1)
  }

  /// Rows whose key was lost are not absent.
  @Test func aBlindQueryNeedsTheKey() async throws {
    try await launch().records(Pass.self).save(pass)
    let connection = try SQLiteConnection(
      path: folder + "/passes.db", isDurable: true, until: .now + .seconds(60), kind: .draft)
    try connection.execute("DELETE FROM local_data_keys")
    let router = try launch()
    let expected = StorageError(.keyMaterialMissing, .init(key: "Pass", domain: .fileSystem))
    let query = router.records(Pass.self).where { $0.issuer == "city library" }
    #expect(await storageError { try await query.fetchAll() } == expected)
    #expect(await storageError { try await query.exists() } == expected)
  }
}
