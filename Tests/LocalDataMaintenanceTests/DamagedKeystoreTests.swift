#if os(Linux)
  import Foundation
  import LocalDataTesting
  import ProbeKeys
  import RuntimeTestSupport
  import LocalDataVocabulary
  import Testing

  @testable import LocalData
  @testable import LocalDataMaintenance

  /// A keystore in which one sealed row is damaged. SQLite cannot know that, and the errors name what mends it.
  @Suite struct DamagedKeystoreTests {
    let app: RelaunchedApp

    init() throws { app = try RelaunchedApp() }

    private static let sealed = [ProbeAddress.sealedPreferences, .encryptedFiles]

    private func launch() throws -> StorageRouter {
      let router = app.launch()
      try router.register(ProbeAddress.allCases.map { .key($0.retained) })
      return router
    }

    private func setAll(_ value: String, _ addresses: [ProbeAddress] = ProbeAddress.allCases) async throws {
      let router = try launch()
      for address in addresses { try await router.set(value, for: address.retained) }
    }

    private func expect(_ value: String?, _ addresses: [ProbeAddress]) async throws {
      let router = try launch()
      for address in addresses { #expect(try await router.get(address.retained) == value, "\(address)") }
    }

    private func keystore() throws -> SQLiteConnection {
      try SQLiteConnection(path: app.fixture.path("data/keystore.db"), isDurable: true, until: nil)
    }

    /// Flips a bit in the ciphertext of a row.
    private func damage(_ column: String, _ table: String, where condition: String = "1") throws {
      let connection = try keystore()
      var bytes = try #require(
        try connection.first("SELECT \(column) FROM \(table) WHERE \(condition)") { $0.blob(0) })
      bytes[bytes.count - 5] ^= 1
      let count = try connection.run("UPDATE \(table) SET \(column) = ? WHERE \(condition)", [.blob(bytes)])
      #expect(count == 1)
    }

    private func expectDamagedKey(_ addresses: [ProbeAddress]) async throws {
      let router = try launch()
      for address in addresses {
        let error = StorageError(.keyMaterialDamaged, AnyStorageKey(address.retained).subject)
        await #expect(throws: error, "\(address)") { try await router.get(address.retained) }
        await #expect(throws: error, "\(address)") { try await router.set("new", for: address.retained) }
      }
    }

    @Test func theRootKey() async throws {
      try await setAll("old")
      try damage("wrapped", "root")
      try await expectDamagedKey([.keychain] + Self.sealed)
      let maintenance = try launch().maintenance
      #expect(try await maintenance.setAsideDamaged(.keychain()).files == [])
      await #expect(throws: StorageError.self) { try await maintenance.abandonEncryptedData() }
      #expect(try await maintenance.abandonKeystores().count == 1)
      #expect(try await maintenance.abandonEncryptedData().keys.count == 2)
      try await expect(nil, [.keychain] + Self.sealed)
      try await setAll("new", [.keychain] + Self.sealed)
      try await expect("new", [.keychain] + Self.sealed)
      try await expect("old", [.preferences, .files, .groupPreferences, .groupFiles])
    }

    @Test func theRecordOfTheMasterKey() async throws {
      try await setAll("old")
      try damage("sealed", "item", where: "account = 'MasterKey'")
      try await expectDamagedKey(Self.sealed)
      try await expect("old", [.keychain])
      let maintenance = try launch().maintenance
      #expect(try await maintenance.abandonKeystores().isEmpty)
      #expect(try await maintenance.abandonEncryptedData().keys.count == 2)
      // The bytes are kept.
      let connection = try keystore()
      #expect(try connection.first("SELECT account FROM damaged_item") { $0.text(0) } == "MasterKey")
      try await expect(nil, Self.sealed)
      try await setAll("new", Self.sealed)
      try await expect("new", Self.sealed)
      try await expect("old", [.keychain, .preferences, .files, .groupPreferences, .groupFiles])
    }

    /// A damaged key file can be restored: the record that it decrypts stays where it is.
    @Test func theRecordStaysIfTheKeyFileIsDamaged() async throws {
      try await setAll("old")
      let file = URL(fileURLWithPath: app.fixture.path("data/keystore.key"))
      let key = try Data(contentsOf: file)
      try Data([1, 2]).write(to: file)
      await #expect(throws: StorageError.self) { try await launch().maintenance.abandonEncryptedData() }
      try key.write(to: file)
      try await expect("old", ProbeAddress.allCases)
    }

    @Test func theRecordOfAProvidersKey() async throws {
      struct Provider: KeyMaterialProviding {
        func keyMaterial(for keyName: String) async throws -> Data { Data(repeating: 7, count: 32) }
      }
      let source = KeyMaterialSource(id: "one")
      let key = StorageKey<String?>(
        name: "external", domain: .userDefaults(), security: .encrypted(.external(source: source)), owner: "Tests",
        description: "A text.")
      func launch() throws -> StorageRouter {
        let router = app.launch()
        router.registerKeyMaterialProvider(Provider(), for: source)
        try router.register([.key(key)])
        return router
      }
      try await launch().set("old", for: key)
      try damage("sealed", "item", where: "account LIKE '%.external.one'")
      await #expect(throws: StorageError(.keyMaterialDamaged, AnyStorageKey(key).subject)) {
        try await launch().set("new", for: key)
      }
      try await launch().maintenance.forgetKeyMaterial(of: source)
      #expect(try await launch().get(key) == "old")
      try await launch().set("new", for: key)
      #expect(try await launch().get(key) == "new")
    }

    /// A value that is damaged keeps no function from mending the others.
    @Test(arguments: [true, false]) func anItem(isKeyLost: Bool) async throws {
      try await setAll("old")
      try damage("sealed", "item", where: "account = 'retained_keychain'")
      if isKeyLost {
        let connection = try keystore()
        #expect(try connection.run("DELETE FROM item WHERE account = 'MasterKey'") == 1)
        #expect(try await launch().maintenance.abandonEncryptedData().keys.count == 2)
      } else {
        #expect(try await launch().maintenance.rotateKeys().isComplete)
        #expect(try await launch().maintenance.destroyRetiredKeys() == 2)
        try await expect("old", Self.sealed)
      }
      let router = try launch()
      await #expect(throws: StorageError(.authenticationFailed, AnyStorageKey(ProbeAddress.keychain.retained).subject))
      {
        try await router.get(ProbeAddress.keychain.retained)
      }
      try await setAll("new")
      try await expect("new", ProbeAddress.allCases)
    }

    @Test func aValueWithoutItsKeyIsNotResecured() async throws {
      try await setAll("old")
      let connection = try keystore()
      #expect(try connection.run("DELETE FROM item WHERE account = 'MasterKey'") == 1)
      let failures = await (try launch()).maintenance.resecure().failures
      // Preferences are left alone.
      #expect(
        failures == [StorageError(.keyMaterialMissing, AnyStorageKey(ProbeAddress.encryptedFiles.retained).subject)])
    }

    @Test func aFolderInThePlaceOfTheKeyFileIsMovedAside() async throws {
      try await setAll("old")
      try FileManager.default.removeItem(atPath: app.fixture.path("data/keystore.key"))
      try FileManager.default.createDirectory(
        atPath: app.fixture.path("data/keystore.key"), withIntermediateDirectories: false)
      let maintenance = try launch().maintenance
      #expect(try await maintenance.setAsideDamaged(.keychain()).files.count == 1)
      #expect(try await maintenance.abandonEncryptedData().keys.count == 2)
      try await setAll("new")
      try await expect("new", ProbeAddress.allCases)
    }

    /// A page that no value is in. The keystore is of use, and another domain is the one that is to be mended.
    @Test func aKeystoreWhoseItemsCanBeReadStays() async throws {
      try await setAll("old")
      let connection = try keystore()
      // A free page more than there is.
      try connection.execute("CREATE TABLE other (bytes BLOB)")
      try connection.execute("INSERT INTO other VALUES (zeroblob(20000))")
      try connection.execute("DROP TABLE other")
      try connection.checkpoint(truncating: true)
      let url = URL(fileURLWithPath: app.fixture.path("data/keystore.db"))
      var bytes = try Data(contentsOf: url)
      bytes[39] ^= 1
      try bytes.write(to: url)
      let maintenance = try launch().maintenance
      #expect(try await maintenance.setAsideDamaged(.userDefaults()).files == [])
      try await expect("old", ProbeAddress.allCases)
      #expect(try await maintenance.setAsideDamaged(.keychain()).files.count == 1)
    }

    /// SQLite reads such a database, and does not write to it.
    @Test func aHeaderThatForbidsWritesIsDamage() async throws {
      try await setAll("old")
      let path = app.fixture.path("data/preferences/standard.db")
      let connection = try SQLiteConnection(path: path, isDurable: false, until: nil)
      try connection.checkpoint(truncating: true)
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      bytes[18] = 3
      for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
      try FileManager.default.removeItem(atPath: path)
      try bytes.write(to: URL(fileURLWithPath: path))
      let key = ProbeAddress.preferences.retained
      await #expect(throws: StorageError(.databaseDamaged, AnyStorageKey(key).subject)) {
        try await launch().set("new", for: key)
      }
      #expect(try await launch().maintenance.setAsideDamaged(.userDefaults()).files.count == 1)
      try await launch().set("new", for: key)
      try await expect("new", [.preferences])
    }

    /// A bit of a record that leaves it a record does not stand for another configuration.
    @Test(arguments: ["data/.master-key.location", "data/.files.location"])
    func eachBitOfARecord(_ name: String) async throws {
      try await setAll("old")
      let url = URL(fileURLWithPath: app.fixture.path(name))
      let bytes = try Data(contentsOf: url)
      var refused = 0
      for offset in bytes.indices {
        var changed = bytes
        changed[offset] ^= 1
        try changed.write(to: url)
        for address in [ProbeAddress.encryptedFiles, .files] {
          do throws(StorageError) { _ = try await launchOrFail().get(address.retained) } catch {
            refused += 1
            // The number of another format is the exception: a newer release may have written it.
            let isNewer = error == StorageError(.unknownFormatVersion, AnyStorageKey(address.retained).subject)
            #expect(
              isNewer || error == StorageError(.locationsDamaged, AnyStorageKey(address.retained).subject),
              "\(offset): \(error)")
          }
        }
      }
      #expect(refused > bytes.count / 2)
      try bytes.write(to: url)
      try await expect("old", ProbeAddress.allCases)
    }

    /// Later releases read them.
    @Test func theBytesOfRecords() async throws {
      try await setAll("old")
      let records = [
        ".files.location": #"{"checksum":2938028857,"format":1}"#,
        ".master-key.location":
          #"{"checksum":2775990478,"format":1,"masterKeyAccessibility":"afterFirstUnlock","masterKeyAccount":"MasterKey","#
          + #""masterKeyService":"LocalData"}"#,
      ]
      for (name, text) in records {
        #expect(try String(contentsOfFile: app.fixture.path("data/" + name), encoding: .utf8) == text, "\(name)")
      }
    }

    @Test func anErrorSaysThatSomethingElseIsInThePlace() async throws {
      try await setAll("old")
      let path = app.fixture.path("data/preferences")
      try FileManager.default.removeItem(atPath: path)
      try Data("text".utf8).write(to: URL(fileURLWithPath: path))
      do throws(StorageError) {
        _ = try await launchOrFail().get(ProbeAddress.preferences.retained)
        Issue.record("it is read")
      } catch { #expect("\(error)".contains("Move it away"), "\(error)") }
    }

    private func launchOrFail() throws(StorageError) -> StorageRouter {
      let router = app.launch()
      try router.register(ProbeAddress.allCases.map { .key($0.retained) })
      return router
    }
  }
#endif
