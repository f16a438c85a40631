#if os(Linux)
  import Foundation
  import LocalDataTesting
  import ProbeKeys
  import RuntimeTestSupport
  import LocalDataVocabulary
  import Testing

  @testable import LocalData
  @testable import LocalDataSync
  @testable import LocalDataMaintenance

  /// Tests that no file contains a removed secret, whatever has removed it. ``RemovedCopiesTests`` has the verbs of the app's
  /// own values.
  @Suite struct RemovedSecretsTests {
    /// The places whose values are encrypted.
    private static let secured: [ProbeAddress] = [
      .sealedPreferences, .groupPreferences, .keychain, .encryptedFiles, .groupFiles,
    ]

    private let app: RelaunchedApp

    init() throws { app = try RelaunchedApp() }

    private func files(holding bytes: Data) throws -> [String] {
      try app.fixture.permissions().keys.sorted().filter { name in
        FileManager.default.contents(atPath: app.fixture.path(name))?.range(of: bytes) != nil
      }
    }

    /// The encrypted items of a keystore.
    private func items(in keystore: FileLocation, where condition: String = "1") throws -> [Data] {
      // The connections of the app's own database: the log is emptied when the last one is closed.
      let database = SQLiteDatabase.shared(at: keystore, .powerLoss, schema: KeychainHelper.tables.schema)
      return try database.read { (connection) throws(StorageProblem) in
        var items: [Data] = []
        try connection.rows("SELECT sealed FROM item WHERE " + condition) { (row) throws(StorageProblem) in
          items.append(row.blob(0))
          return true
        }
        return items
      } ?? []
    }

    /// The stored bytes of a secret, by which its copies are found.
    private func sealed(_ key: StorageKey<String?>) throws -> Data {
      guard key.domain.kind == .keychain else { return try #require(try app.stored(key)) }
      let items = try items(in: app.fixture.locations.keystore(), where: "account = '\(key.name)'")
      return try #require(items.first)
    }

    @Test(arguments: [ProbeAddress.sealedPreferences, .groupPreferences, .keychain], [true, false])
    func aTransaction(_ address: ProbeAddress, _ isSetToNil: Bool) async throws {
      let (secret, other) = (RetainedKey.of(address, nil), RetainedKey.of(address, nil, name: "other"))
      let router = app.launch()
      for key in [secret, other] { try await router.set("abc", for: key) }
      let bytes = try sealed(secret)
      #expect(try files(holding: bytes) != [])
      try await router.transaction { transaction in
        try await transaction.set("def", for: other)
        if isSetToNil { try await transaction.set(nil, for: secret) } else { try await transaction.remove(secret) }
      }
      #expect(try files(holding: bytes) == [])
      #expect(try await router.get(other) == "def")
    }

    @Test(arguments: secured) func aSweep(_ address: ProbeAddress) async throws {
      let (secret, kept) = (RetainedKey.of(address, .maxAge(seconds: 60)), RetainedKey.of(address, nil, name: "kept"))
      let router = app.launch()
      try router.register([.key(secret), .key(kept)])
      for key in [secret, kept] { try await router.set("abc", for: key) }
      let bytes = try sealed(secret)
      #expect(try files(holding: bytes) != [])
      app.clock.advance(by: 60)
      #expect(await router.maintenance.sweep() == Maintenance.Sweep(ended: [AnyStorageKey(secret).subject]))
      #expect(try files(holding: bytes) == [])
      #expect(try await router.get(kept) == "abc")
    }

    @Test(arguments: secured) func aRemovalByThePairedDevice(_ address: ProbeAddress) async throws {
      let secret = StorageKey<String?>(
        name: "value", domain: address.domain, security: address.security, owner: "Tests", description: "A text.",
        syncPolicy: .manual, options: StorageKeyOptions(decryptedForSync: true))
      let router = app.launch()
      try router.register([.key(secret)])
      try await router.set("abc", for: secret)
      let bytes = try sealed(secret)
      #expect(try files(holding: bytes) != [])
      let device = UUID()
      // A counter of the year 2109.
      let entry = SyncPayload.Entry(
        key: AnyStorageKey(secret).syncKey, version: SyncVersion(counter: 1 << 42, device: device), schema: 1,
        isWatchRepresentation: false, bytes: nil)
      let payload = SyncPayload(header: SyncPayload.Header(sender: device, clock: 1 << 42), entries: [entry])
      #expect(await router.sync.receive(payload.bytes) == [.received(AnyStorageKey(secret).subject)])
      #expect(try await router.get(secret) == nil)
      #expect(try files(holding: bytes) == [])
    }

    private static let removals: [@Sendable (StorageRouter, StorageKey<String?>) async throws -> Void] = [
      { try await $0.remove($1) }, { try await $0.set(nil, for: $1) }, { try await $0.update($1) { $0 = nil } },
      { try await ProbeCatalog.removeAll([.key($1)], [], on: $0) },
    ]

    @Test(arguments: [ProbeAddress.groupPreferences, .groupFiles], removals.indices)
    func aVerbInAnAppGroup(_ address: ProbeAddress, _ removal: Int) async throws {
      let (secret, other) = (RetainedKey.of(address, nil), RetainedKey.of(address, nil, name: "other"))
      let router = app.launch()
      for key in [secret, other] { try await router.set("abc", for: key) }
      let bytes = try sealed(secret)
      #expect(try files(holding: bytes) != [])
      try await Self.removals[removal](router, secret)
      #expect(try files(holding: bytes) == [])
      #expect(try await router.get(other) == "abc")
    }

    /// The keystores of the app and of a group contain the master keys. Former records of a key are copies of it.
    @Test(arguments: [ProbeAddress.sealedPreferences, .groupPreferences])
    func theDestructionOfAMasterKey(_ address: ProbeAddress) async throws {
      let group = address == .groupPreferences ? "group.probe" : nil
      let keystore = try app.fixture.locations.keystore(group: group)
      let (router, key) = (app.launch(), RetainedKey.of(address, nil))
      try router.register([.key(key)])
      try await router.set("abc", for: key)
      var records = try items(in: keystore, where: "account = 'MasterKey'")
      // While it reads, no checkpoint overwrites the old bytes.
      var reader: SQLiteConnection? = try SQLiteConnection(path: keystore.path, isDurable: false, until: nil)
      try reader?.run("BEGIN")
      #expect(try reader?.first("SELECT count(*) FROM item") { $0.integer(0) } != nil)
      #expect(try await router.maintenance.rotateKeys().isComplete)
      records += try items(in: keystore, where: "account = 'MasterKey'")
      #expect(records.count == 2)
      for record in records { #expect(try files(holding: record) != []) }
      reader = nil
      #expect(try await router.maintenance.destroyRetiredKeys() == 1)
      for record in records { #expect(try files(holding: record) == []) }
      #expect(try await router.get(key) == "abc")
    }

    @Test func theCopiesOfADestroyedKeyAreRemovedByTheNextCall() async throws {
      let keystore = try app.fixture.locations.keystore(group: nil)
      let (router, key) = (app.launch(), RetainedKey.of(.sealedPreferences, nil))
      try router.register([.key(key)])
      try await router.set("abc", for: key)
      #expect(try await router.maintenance.rotateKeys().isComplete)
      let record = try #require(try items(in: keystore, where: "account = 'MasterKey'").first)
      var reader: SQLiteConnection? = try SQLiteConnection(path: keystore.path, isDurable: false, until: nil)
      try reader?.run("BEGIN")
      #expect(try reader?.first("SELECT count(*) FROM item") { $0.integer(0) } == 1)
      let hasty = StorageRouter(
        configuration: StorageConfiguration(
          applicationName: "Test", roots: StorageRoots(below: app.fixture.folder), timeout: .seconds(1)))
      await #expect(throws: StorageError(.busy, .init(key: nil, domain: nil))) {
        try await hasty.maintenance.destroyRetiredKeys()
      }
      #expect(try files(holding: record) != [])
      try reader?.run("ROLLBACK")
      reader = nil
      #expect(try await app.launch().maintenance.destroyRetiredKeys() == 0)
      #expect(try files(holding: record) == [])
      #expect(try await router.get(key) == "abc")
    }
  }
#endif
