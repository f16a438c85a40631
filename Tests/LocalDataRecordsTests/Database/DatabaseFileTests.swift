import Foundation
@_spi(Generated) import LocalData
@_spi(Generated) import LocalDataRecords
import RuntimeTestSupport
import LocalDataSQLite
import LocalDataStores
import LocalDataSystem
import Testing

struct DatabaseFileTests {
  private let app: RelaunchedApp
  private let subject = StorageError.Subject(key: "Member", domain: .fileSystem)
  private let anna = Member(id: "a", email: "anna@example.com")

  init() throws { app = try RelaunchedApp() }

  private func launch() throws -> StorageRouter {
    let router = app.launch()
    try router.registerCatalog(ClubCatalog.self)
    return router
  }

  private var location: FileLocation {
    get throws {
      var folder = try app.fixture.locations.folder(of: .directory(.applicationSupport))
      folder.parts.append(".records")
      return FileLocation(folder: folder, name: "club.db")
    }
  }

  private func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  /// Opens the file as another program does.
  private func connection(_ kind: SQLiteConnection.Kind = .draft) throws -> SQLiteConnection {
    try SQLiteConnection(path: location.path, isDurable: true, until: .now + .seconds(60), kind: kind)
  }

  @Test func nothingIsCreatedBeforeTheFirstWrite() async throws {
    let router = try launch()
    #expect(try await router.members.fetchAll() == [])
    #expect(try await router.members.order { $0.id.ascending }.first() == nil)
    #expect(try await !router.members.all.exists())
    #expect(try !FileManager.default.fileExists(atPath: location.folder.path))
    try await router.members.save(anna)
    #expect(try permissions(location.folder.path) == 0o700)
    #expect(try permissions(location.path) == 0o600)
    #expect(try await launch().members.fetchAll() == [anna])
  }

  @Test func theFileIsOrdinarySQLite() async throws {
    try await launch().members.save(anna)
    let connection = try connection()
    #expect(try connection.first("PRAGMA application_id", [], { $0.integer(0) }) == 0x4C44_7263)
    #expect(try connection.first("PRAGMA user_version", [], { $0.integer(0) }) == 1)
    #expect(try connection.first("SELECT email FROM Member WHERE id = 'a'", [], { $0.text(0) }) == anna.email)
    #expect(
      try connection.first(
        "SELECT count(*) FROM pragma_table_list WHERE strict AND name = 'Visit'", [], { $0.integer(0) }) == 1)
    #expect(try connection.first("SELECT count(*) FROM local_data_keys", [], { $0.integer(0) }) == 0)
    let shape = try connection.first("SELECT value FROM local_data WHERE name = 'shape'", [], { $0.text(0) })
    #expect(
      shape == """
        {"format":1,"records":{"Bill":{"columns":{"1":["id","INTEGER"],"2":["member","TEXT"]},"indexes":[],"key":1,\
        "references":{"2":["Member","restrict"]},"required":[1,2],"reserved":{},"retired":[],"sealed":{},"unique":[],\
        "wire":{}},"Member":{"columns":{"1":["id","TEXT"],"2":["email","TEXT"],"3":["points","INTEGER","0"]},\
        "indexes":[],"key":1,"references":{},"required":[1,2],"reserved":{},"retired":[],"sealed":{},"unique":[[2]],\
        "wire":{}},"Visit":{"columns":{"1":["member","TEXT"],"2":["at","REAL"],"3":["note","TEXT"],"9":["id","BLOB"]},\
        "indexes":[[1,2]],"key":9,"references":{"1":["Member","cascade"]},"required":[1,2,9],"reserved":{},"retired":[],\
        "sealed":{},"unique":[],"wire":{}}}}
        """)
  }

  @Test(arguments: [
    ("PRAGMA application_id = 1", StorageProblem.databaseDamaged), ("PRAGMA user_version = 2", .unknownFormatVersion),
    ("CREATE TRIGGER t AFTER INSERT ON Member BEGIN SELECT 1; END", .databaseDamaged),
    ("CREATE VIEW v AS SELECT 1", .databaseDamaged), ("DROP TABLE local_data_keys", .databaseDamaged),
    ("DELETE FROM local_data", .databaseDamaged), ("UPDATE local_data SET value = '{}'", .databaseDamaged),
    ("UPDATE local_data SET value = '{\"format\":2}'", .unknownFormatVersion),
  ]) func aForeignOrDamagedFileIsRefused(sql: String, fault: StorageProblem) async throws {
    try await launch().members.save(anna)
    let connection = try connection()
    try connection.execute(sql)
    try connection.checkpoint(truncating: true)
    // This process may still have connections to the file, so another app gets a copy.
    let other = try RelaunchedApp()
    let folder = try other.fixture.locations.folder(of: .directory(.applicationSupport)).path + "/.records"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: location.path, toPath: folder + "/club.db")
    let router = other.launch()
    try router.registerCatalog(ClubCatalog.self)
    let expected = StorageError(fault, subject)
    #expect(await storageError { try await router.members.fetchAll() } == expected)
    #expect(await storageError { try await router.members.save(anna) } == expected)
  }

  /// A release may have lowered `maxSize`, or somebody may have written the row.
  @Test func aHugeRowIsNotRead() async throws {
    let router = try launch()
    try await router.members.save(anna)
    let (small, large, huge) = (
      Visit(member: "a", at: .now), Visit(member: "a", at: .now), Visit(member: "a", at: .now)
    )
    for visit in [small, large, huge] { try await router.visits.save(visit) }
    for (visit, size) in [(large, 8_000_000), (huge, 9_000_000)] {
      try connection().run(
        "UPDATE Visit SET note = hex(zeroblob(?)) WHERE id = ?", [.integer(Int64(size)), .uuid(visit.id)])
    }
    #expect(try await router.visits.fetch(id: large.id)?.note?.utf8.count == 16_000_000)
    let expected = StorageError(.valueTooLarge(limit: nil), .init(key: "Visit", domain: .fileSystem))
    #expect(await storageError { try await router.visits.fetch(id: huge.id) } == expected)
    #expect(await storageError { try await router.visits.fetchAll() } == expected)
    #expect(try await router.visits.fetch(id: small.id)?.note == nil)
    #expect(try await router.visits.delete(id: huge.id))
    #expect(try await router.visits.count() == 2)
  }

  @Test func anEmptyFileIsDamaged() async throws {
    try FileManager.default.createDirectory(atPath: location.folder.path, withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: location.path))
    #expect(await storageError { try await launch().members.fetchAll() } == StorageError(.databaseDamaged, subject))
    #expect(await storageError { try await launch().members.save(anna) } == StorageError(.databaseDamaged, subject))
  }

  @Test(arguments: [true, false]) func linksAreNotFollowed(isFolder: Bool) async throws {
    try await launch().members.save(anna)
    let other = try RelaunchedApp()
    let folder = try other.fixture.locations.folder(of: .directory(.applicationSupport)).path
    let name = isFolder ? "/.records" : "/.records/club.db"
    try FileManager.default.createDirectory(
      atPath: folder + (isFolder ? "" : "/.records"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder + name, withDestinationPath: isFolder ? location.folder.path : location.path)
    let router = other.launch()
    try router.registerCatalog(ClubCatalog.self)
    let fetched = await storageError { try await router.members.fetchAll() }
    let saved = await storageError { try await router.members.save(anna) }
    for error in [fetched, saved] {
      guard error?.code == .io, error?.subject == subject else {
        Issue.record("\(error as Any)")
        continue
      }
    }
  }

  /// A file that was deleted is created anew, also by a router that had it open.
  @Test func aDeletedFileIsEmpty() async throws {
    let router = try launch()
    try await router.members.save(anna)
    try FileManager.default.removeItem(atPath: location.folder.path)
    #expect(try await router.members.fetchAll() == [])
    try await router.members.save(anna)
    #expect(try await launch().members.fetchAll() == [anna])
  }

  @Test func aRowThatIsNoRecordIsCorrupted() async throws {
    let router = try launch()
    try await router.members.save(anna)
    try connection().execute("UPDATE Member SET email = NULL")
    #expect(await storageError { try await router.members.fetchAll() } == StorageError(.corrupted, subject))
  }

  @Test func addressesAreUniqueAndGroupsConfigured() throws {
    enum Twin: RecordDatabase {
      static let declaration = RecordDatabaseDeclaration(
        "CLUB", .fileSystem(directory: .applicationSupport), records: { [] })
    }
    enum Shared: RecordDatabase {
      static let declaration = RecordDatabaseDeclaration(
        "club", .appGroupFileSystem(directory: .applicationSupport), records: { [] })
    }
    enum TwinCatalog: StorageKeyCatalog {
      static var allKeys: [AnyStorageKey] { [] }
      static var parts: [StorageCatalogPart] { [.records(Twin.self)] }
    }
    enum SharedCatalog: StorageKeyCatalog {
      static var allKeys: [AnyStorageKey] { [] }
      static var parts: [StorageCatalogPart] { [.records(Shared.self)] }
    }
    let router = try launch()
    #expect(throws: StorageError(.invalidCatalog(.duplicateKey), .init(key: "CLUB", domain: .fileSystem))) {
      try router.registerCatalog(TwinCatalog.self)
    }
    #expect(throws: StorageError(.appGroupNotConfigured, .init(key: "club", domain: .appGroupFileSystem))) {
      try router.registerCatalog(SharedCatalog.self)
    }
  }
}
