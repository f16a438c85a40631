#if os(Linux)
  import Foundation
  import RuntimeTestSupport
  import LocalDataVocabulary
  import Testing

  @testable import LocalData
  @testable import LocalDataMaintenance

  /// A keystore whose files were lost, in part or as a whole. It never gets a second root key by itself.
  @Suite struct LostKeystoreTests {
    private let fixture: StoreFixture
    private static let attributes = StorageAttributes()
    private static let value = Data("value".utf8)
    private let address = StorageAddress.item("account")

    init() throws {
      fixture = try StoreFixture()
      try helper.write(Self.value, to: address, Self.attributes)
    }

    /// A helper that has no key in memory.
    private var helper: KeychainHelper { KeychainHelper(in: fixture.locations.appFolder) }

    private var router: StorageRouter {
      StorageRouter(
        configuration: StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: fixture.folder)))
    }

    /// Copies the files of an app to another app, except some.
    private func copy(of fixture: StoreFixture? = nil, without names: Set<String>) throws -> StoreFixture {
      let (fixture, other) = (fixture ?? self.fixture, try StoreFixture())
      try FileManager.default.createDirectory(
        atPath: other.path("data"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      for name in try FileManager.default.contentsOfDirectory(atPath: fixture.path("data")) where !names.contains(name)
      {
        try FileManager.default.copyItem(atPath: fixture.path("data/" + name), toPath: other.path("data/" + name))
      }
      return other
    }

    private func rootKey(_ fixture: StoreFixture) throws -> Data? {
      let connection = try SQLiteConnection(
        path: try fixture.locations.keystore().path, isDurable: true, until: ContinuousClock.now + .seconds(10))
      return try connection.first("SELECT wrapped FROM root") { $0.blob(0) }
    }

    private func expectMissing(_ helper: KeychainHelper) {
      let attributes = Self.attributes
      #expect(faultOf { try helper.read(address, attributes) } == .keyMaterialMissing)
      #expect(faultOf { try helper.exists(address, attributes) } == .keyMaterialMissing)
      #expect(faultOf { try helper.version(of: address, attributes) } == .keyMaterialMissing)
      #expect(faultOf { try helper.names(in: address.container) { _ in true } } == .keyMaterialMissing)
      #expect(faultOf { try helper.write(Data([1]), to: address, attributes) } == .keyMaterialMissing)
      #expect(faultOf { try helper.write(Data([1]), to: .item("new"), attributes) } == .keyMaterialMissing)
      #expect(faultOf { try helper.update(address, attributes) { _ in .write(Data()) } } == .keyMaterialMissing)
      #expect(faultOf { try helper.prepare() } == .keyMaterialMissing)
    }

    /// The write-ahead log of an app that runs contains the last commits, but never the root key alone.
    @Test func aLostLogDoesNotCostTheRootKey() throws {
      let app = try StoreFixture()
      // It stays open, so that the log is not emptied at the end.
      let running = KeychainHelper(in: app.locations.appFolder)
      try running.write(Self.value, to: address, Self.attributes)
      let other = try copy(of: app, without: ["keystore.db-wal", "keystore.db-shm"])
      #expect(try running.read(address, Self.attributes) == Self.value)
      let key = try rootKey(other)
      #expect(try key != nil && key == rootKey(app))
      let restored = KeychainHelper(in: other.locations.appFolder)
      try restored.write(Self.value, to: .item("new"), Self.attributes)
      #expect(try restored.read(.item("new"), Self.attributes) == Self.value)
    }

    @Test func aLostDatabaseIsNotANewOne() throws {
      let other = try copy(without: ["keystore.db", "keystore.db-wal", "keystore.db-shm"])
      expectMissing(KeychainHelper(in: other.locations.appFolder))
      #expect(!FileManager.default.fileExists(atPath: other.path("data/keystore.db")))
    }

    /// A database from before the root key was created, for example a copy of one that was just created.
    @Test func aDatabaseWithoutItsRootKeyIsNotANewOne() throws {
      let other = try copy(without: [])
      let connection = try SQLiteConnection(
        path: try other.locations.keystore().path, isDurable: true, until: ContinuousClock.now + .seconds(10))
      for table in ["item", "root"] { try connection.run("DELETE FROM \(table)") }
      let lost = KeychainHelper(in: other.locations.appFolder)
      expectMissing(lost)
      let damage = try LibraryFiles(locations: other.locations).setAsideDamaged(address.container) { _ in }
      #expect(damage.files.count == 1)
      let new = KeychainHelper(in: other.locations.appFolder)
      #expect(try new.read(address, Self.attributes) == nil)
      try new.write(Self.value, to: address, Self.attributes)
      #expect(try new.read(address, Self.attributes) == Self.value)
    }

    @Test func theAppCanGiveALostKeystoreUp() async throws {
      for name in ["keystore.db", "keystore.db-wal", "keystore.db-shm"] {
        try? FileManager.default.removeItem(atPath: fixture.path("data/" + name))
      }
      let router = router
      let key = StorageKey<String?>(
        name: "token", domain: .keychain(), security: .keychain(), owner: "Tests", description: "A token.")
      let error = await #expect(throws: StorageError.self) { try await router.set("new", for: key) }
      #expect(error == StorageError(.keyMaterialMissing, .init(key: "token", domain: .keychain)))
      await #expect(throws: StorageError.self) { try await router.maintenance.abandonEncryptedData() }
      #expect(try await router.maintenance.abandonKeystores().isEmpty)
      try await router.set("new", for: key)
      #expect(try await self.router.get(key) == "new")
      expectMissingAfterAnotherLoss()
    }

    private func expectMissingAfterAnotherLoss() {
      for name in ["keystore.db", "keystore.db-wal", "keystore.db-shm"] {
        try? FileManager.default.removeItem(atPath: fixture.path("data/" + name))
      }
      expectMissing(helper)
    }

    @Test func aProcessThatWasKilledBeforeTheMarkerCreatesItWithTheNextItem() throws {
      let marker = KeystoreRoot.marker(of: try fixture.locations.keystore())
      try marker.remove()
      #expect(try helper.read(address, Self.attributes) == Self.value)
      try helper.write(Data([1]), to: address, Self.attributes)
      #expect(try marker.exists())
    }
  }
#endif
