import Foundation
@_spi(Generated) import LocalData
import LocalDataMaintenance
@_spi(Generated) @testable import LocalDataRecords
import RuntimeTestSupport
import LocalDataSQLite
import LocalDataStores
import LocalDataVocabulary
import Testing

/// A catalog whose database this release does not declare any more, or not yet.
private enum OtherCatalog: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [] }
  static var parts: [StorageCatalogPart] { [.records(EveryCatalogDatabase.self)] }

  enum EveryCatalogDatabase: RecordDatabase {
    static let declaration = RecordDatabaseDeclaration(
      "others", .fileSystem(directory: .applicationSupport), records: { [] })
  }
}

/// A catalog of a release without records.
private enum KeyCatalog: StorageKeyCatalog {
  static let note = StorageKey<String?>(
    name: "note", domain: .userDefaults(), security: .encrypted(.init()), owner: "Tests", description: "A note.")
  static var allKeys: [AnyStorageKey] { [.key(note)] }
}

/// A record with an encrypted field, in a group of apps.
nonisolated private struct Ticket: StorageRecord {
  enum Database: RecordDatabase {
    static let declaration = RecordDatabaseDeclaration(
      "tickets", .appGroupFileSystem(identifier: "group.tests", directory: .custom("trips/rail")),
      records: { [Ticket.declaration] })
  }

  enum Catalog: StorageKeyCatalog {
    static var allKeys: [AnyStorageKey] { [] }
    static var parts: [StorageCatalogPart] { [.records(Database.self)] }
  }

  struct Columns: Sendable {}
  static let declaration = RecordDeclaration(
    "Ticket", key: 1, [.init(1, "id", .text), .init(0, "sealed", .sealed)], sealed: [.init(2, "String")])
  static var columns: Columns { Columns() }

  var id: String
  var seat: String
}

nonisolated extension Ticket {
  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    let id = try row.text(0)
    var seat = ""
    try row.sealed(1, Self.declaration, key: id) { (reader) throws(StorageProblem) in
      while let field = try reader.next() {
        if field.tag == 18 { seat = try reader.text() } else { try reader.skip(field) }
      }
    }
    self.init(id: id, seat: seat)
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.text(id)
    try row.sealed(Self.declaration, key: id, RecordUnknownFields()) { $0.text(seat, 2) }
  }
}

/// Record keys after changes of the master key that seals them.
struct RecordKeyRotationTests {
  private let app: RelaunchedApp
  private let pass = Pass(id: "a", issuer: "city library", secret: "open sesame")

  init() throws { app = try RelaunchedApp() }

  private func launch(_ catalogs: any StorageKeyCatalog.Type...) throws -> StorageRouter {
    let router = app.launch()
    for catalog in catalogs { try router.registerCatalog(catalog) }
    return router
  }

  private func path(_ name: String = "passes.db") throws -> String {
    try app.fixture.locations.folder(of: .directory(.applicationSupport)).path + "/.records/" + name
  }

  /// Stores an earlier record key again.
  private func restore(_ sealed: Data) throws {
    let connection = try SQLiteConnection(path: try path(), isDurable: true, until: .now + .seconds(60), kind: .draft)
    try connection.run("INSERT INTO local_data_keys VALUES (1, ?, 0)", [.blob(sealed)])
  }

  private func sealedKey() throws -> Data {
    let connection = try SQLiteConnection(path: try path(), isDurable: true, until: .now + .seconds(60), kind: .draft)
    return try #require(try connection.first("SELECT sealed FROM local_data_keys") { $0.blob(0) })
  }

  @Test func recordsAreReadAfterTheOldKeysAreDestroyed() async throws {
    let router = try launch(PassCatalog.self)
    try await router.records(Pass.self).save(pass)
    for _ in 0..<2 {
      #expect(try await router.maintenance.rotateKeys().reencrypted == 1)
      #expect(try await router.maintenance.destroyRetiredKeys() == 1)
      let later = try launch(PassCatalog.self)
      #expect(try await later.records(Pass.self).fetchAll() == [pass])
      #expect(try await later.records(Pass.self).where { $0.issuer == "city library" }.fetchAll() == [pass])
    }
    try await router.records(Pass.self).save(Pass(id: "b", issuer: "i", secret: "s"))
    #expect(try await launch(PassCatalog.self).records(Pass.self).fetchAll().count == 2)
  }

  /// The catalogs of this process declare another database, so that LocalDataRecords is there.
  @Test func aDatabaseThatNoCatalogDeclaresIsRotatedToo() async throws {
    try await launch(PassCatalog.self).records(Pass.self).save(pass)
    let router = try launch(OtherCatalog.self)
    #expect(try await router.maintenance.rotateKeys().reencrypted == 1)
    #expect(try await router.maintenance.destroyRetiredKeys() == 1)
    #expect(try await launch(PassCatalog.self).records(Pass.self).fetchAll() == [pass])
  }

  /// No key of the group is registered.
  @Test func theKeysOfAGroupAreRotatedToo() async throws {
    let ticket = Ticket(id: "t", seat: "12 A")
    let router = try launch(Ticket.Catalog.self)
    try await router.records(Ticket.self).save(ticket)
    #expect(try await router.maintenance.rotateKeys().reencrypted == 1)
    #expect(try await router.maintenance.destroyRetiredKeys() == 1)
    #expect(try await launch(Ticket.Catalog.self).records(Ticket.self).fetchAll() == [ticket])
  }

  /// Without LocalDataRecords the databases cannot be read.
  @Test func noKeyIsDestroyedWithoutADeclaredDatabase() async throws {
    try await launch(PassCatalog.self).records(Pass.self).save(pass)
    try await launch(PassCatalog.self).maintenance.rotateKeys()
    let expected = StorageError(.unregistered, .init(key: "passes", domain: .fileSystem))
    let router = try launch(KeyCatalog.self)
    #expect(await storageError { try await router.maintenance.destroyRetiredKeys() } == expected)
    #expect(try await router.maintenance.rotateKeys().failures == [expected])
    #expect(try await launch(PassCatalog.self).records(Pass.self).fetchAll() == [pass])
  }

  @Test func aRetiredKeyOfARestoredRecordKeyIsKept() async throws {
    let router = try launch(PassCatalog.self)
    try await router.records(Pass.self).save(pass)
    let old = try sealedKey()
    try await router.maintenance.rotateKeys()
    try restore(old)
    let expected = StorageError(.retiredKeyInUse, .init(key: "passes", domain: .fileSystem))
    #expect(await storageError { try await router.maintenance.destroyRetiredKeys() } == expected)
    #expect(try await launch(PassCatalog.self).records(Pass.self).fetchAll() == [pass])
  }

  @Test func aDamagedDatabaseKeepsTheRetiredKeys() async throws {
    let router = try launch(PassCatalog.self)
    try await router.records(Pass.self).save(pass)
    try await router.maintenance.rotateKeys()
    try Data("no database".utf8).write(to: URL(fileURLWithPath: path("older.db")))
    let expected = StorageError(.databaseDamaged, .init(key: "older", domain: .fileSystem))
    #expect(await storageError { try await router.maintenance.destroyRetiredKeys() } == expected)
  }

  @Test func aLinkInThePlaceOfADatabaseKeepsTheRetiredKeys() async throws {
    let router = try launch(PassCatalog.self)
    try await router.records(Pass.self).save(pass)
    try await router.maintenance.rotateKeys()
    try FileManager.default.moveItem(atPath: path(), toPath: app.fixture.path("elsewhere.db"))
    try FileManager.default.createSymbolicLink(
      atPath: path(), withDestinationPath: app.fixture.path("elsewhere.db"))
    let error = await storageError { try await launch(PassCatalog.self).maintenance.destroyRetiredKeys() }
    #expect(error == StorageError(.io(errno: ELOOP), .init(key: "passes", domain: .fileSystem), .write))
  }

  /// The record key is created while the master keys change.
  @Test func recordsThatAreSavedDuringARotationAreKept() async throws {
    try await launch(KeyCatalog.self).set("b", for: KeyCatalog.note)
    let (rotating, saving) = (try launch(PassCatalog.self), try launch(PassCatalog.self))
    let rotations = Task { () async throws -> Void in
      for _ in 0..<8 { #expect(try await rotating.maintenance.rotateKeys().isComplete) }
    }
    for number in 0..<8 {
      try await saving.records(Pass.self).save(Pass(id: "\(number)", issuer: "i", secret: "s"))
      await saving.lock()
    }
    try await rotations.value
    #expect(try await rotating.maintenance.destroyRetiredKeys() == 8)
    #expect(try await launch(PassCatalog.self).records(Pass.self).fetchAll().count == 8)
  }

  // MARK: Lost keys

  private func loseKeyset() throws {
    for name in StoreFixture.keystoreFiles + [".master-key-created.location"] {
      let path = app.fixture.path("data/" + name)
      if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    }
  }

  @Test(arguments: [true, false]) func aLostKeysetIsNotReplaced(isRegistered: Bool) async throws {
    try await launch(PassCatalog.self).records(Pass.self).save(pass)
    try loseKeyset()
    let router = try isRegistered ? launch(PassCatalog.self, KeyCatalog.self) : launch(KeyCatalog.self)
    let expected = StorageError(.keyMaterialMissing, .init(key: "note", domain: .userDefaults))
    #expect(await storageError { try await router.set("b", for: KeyCatalog.note) } == expected)
    #expect(!FileManager.default.fileExists(atPath: app.fixture.path("data/.master-key-created.location")))
  }

  @Test func plainRecordsNeedNoKeyset() async throws {
    let records = try launch(PassCatalog.self).records(Stamp.self)
    try await records.save(Stamp(id: "s"))
    let router = try launch(KeyCatalog.self)
    try await router.set("b", for: KeyCatalog.note)
    #expect(try await router.get(KeyCatalog.note) == "b")
  }

  @Test func aLostRecordKeyIsMovedAside() async throws {
    try await launch(PassCatalog.self).records(Pass.self).save(pass)
    try loseKeyset()
    let router = try launch(PassCatalog.self, KeyCatalog.self)
    let lost = try await router.maintenance.abandonEncryptedData()
    #expect(lost.keys == [.init(key: "passes", domain: .fileSystem)])
    try await router.set("b", for: KeyCatalog.note)
    // None of the encrypted fields is one that a row needs.
    #expect(lost.records.map(\.lostFields) == [[2: 1, 3: 1], [:]])
    try await router.records(Pass.self).save(pass)
    #expect(try await launch(PassCatalog.self).records(Pass.self).fetchAll() == [pass])
  }
}
