#if os(Linux)
  import Foundation
  import LocalDataTesting
  import ProbeKeys
  import RuntimeTestSupport
  import LocalDataVocabulary
  import Testing

  @testable import LocalData
  @testable import LocalDataMaintenance

  /// Damaged files are moved aside, so that no state needs a file to be removed by hand.
  @Suite struct SetAsideTests {
    let app: RelaunchedApp

    init() throws { app = try RelaunchedApp() }

    /// A damage, and the keys whose values it costs.
    struct Damage: Sendable, CustomTestStringConvertible {
      var testDescription: String
      var domain: StorageDomain
      var file: String
      /// The new content; `nil` removes the file.
      var content: Data?
      var affected: Set<ProbeAddress>
    }

    private static let keychain: Set<ProbeAddress> = [.keychain, .sealedPreferences, .encryptedFiles]
    private static let noise = Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    static let damages = [
      Damage(
        testDescription: "preferences, another program's", domain: .userDefaults(),
        file: "data/preferences/standard.db",
        content: noise, affected: [.preferences, .sealedPreferences]),
      Damage(
        testDescription: "preferences, empty", domain: .userDefaults(), file: "data/preferences/standard.db",
        content: Data(), affected: [.preferences, .sealedPreferences]),
      Damage(
        testDescription: "preferences of a group", domain: .appGroupUserDefaults(identifier: "group.probe"),
        file: "groups/group.probe/preferences/standard.db", content: noise, affected: [.groupPreferences]),
      Damage(
        testDescription: "keystore", domain: .keychain(), file: "data/keystore.db", content: noise, affected: keychain),
      Damage(
        testDescription: "key file, short", domain: .keychain(), file: "data/keystore.key", content: Data([1, 2]),
        affected: keychain),
      Damage(
        testDescription: "key file, lost", domain: .keychain(), file: "data/keystore.key", content: nil,
        affected: keychain),
      Damage(
        testDescription: "record of the directory", domain: .fileSystem(directory: .documents),
        file: "data/.files.location", content: noise, affected: []),
      Damage(
        testDescription: "record of the master key", domain: .encryptedFileSystem(directory: .documents),
        file: "data/.master-key.location", content: noise, affected: []),
    ]

    private let keys = Dictionary(
      uniqueKeysWithValues: ProbeAddress.allCases.map { ($0, RetainedKey.of($0, nil, name: "\($0)")) })

    private func launch() throws -> StorageRouter {
      let router = app.launch()
      try router.register(ProbeAddress.allCases.compactMap { keys[$0].map { .key($0) } })
      return router
    }

    private func value(of address: ProbeAddress, _ router: StorageRouter) async throws -> String? {
      try await router.get(try #require(keys[address]))
    }

    private func setAll(_ value: String) async throws {
      let router = try launch()
      for key in keys.values { try await router.set(value, for: key) }
    }

    private func damage(_ damage: Damage) throws {
      let path = app.fixture.path(damage.file)
      for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
        try FileManager.default.removeItem(atPath: path + suffix)
      }
      if let content = damage.content { try content.write(to: URL(fileURLWithPath: path)) }
    }

    @Test(arguments: damages) func afterADamageEverythingCanBeStoredAgain(_ damage: Damage) async throws {
      try await setAll("old")
      try self.damage(damage)
      let router = try launch()
      let result = try await router.maintenance.setAsideDamaged(damage.domain)
      #expect(Set(result.affected.compactMap(\.key)) == Set(damage.affected.map(\.rawValue)))
      #expect(result.files.count == 1)
      let file = try #require(result.files.first)
      if damage.file.hasSuffix(".db"), let content = damage.content { #expect(try Data(contentsOf: file) == content) }
      for address in ProbeAddress.allCases where !damage.affected.contains(address) {
        #expect(try await value(of: address, router) == "old", "\(address)")
      }
      // Ciphertext without its key stays: another function abandons it.
      for address in damage.affected where damage.domain.kind != .keychain || address == .keychain {
        #expect(try await value(of: address, router) == nil, "\(address)")
        try await router.set("new", for: try #require(keys[address]))
        #expect(try await value(of: address, try launch()) == "new", "\(address)")
      }
      let again = try await router.maintenance.setAsideDamaged(damage.domain)
      #expect(again == Maintenance.SetAside())
    }

    @Test(arguments: ProbeAddress.allCases) func whatCanBeUsedStays(_ address: ProbeAddress) async throws {
      try await setAll("old")
      let (router, progress) = (try launch(), RecordedProgress())
      let result = try await router.maintenance.setAsideDamaged(address.domain, progress: progress.note)
      #expect(result == Maintenance.SetAside())
      // Three records, the keystore and, of preferences, their database.
      let hasDatabase = [.userDefaults, .appGroupUserDefaults].contains(address.domain.kind)
      #expect(progress.count == (hasDatabase ? 5 : 4))
      for address in ProbeAddress.allCases { #expect(try await value(of: address, router) == "old", "\(address)") }
    }

    /// The file may be on a volume that is not mounted now.
    @Test func aKeystoreWithoutItsKeyFileStaysUnlessItIsMeant() async throws {
      try await setAll("old")
      let (path, kept) = (app.fixture.path("data/keystore.key"), app.fixture.path("kept"))
      try FileManager.default.moveItem(atPath: path, toPath: kept)
      for domain in [StorageDomain.userDefaults(), .encryptedFileSystem(directory: .documents)] {
        #expect(try await launch().maintenance.setAsideDamaged(domain) == Maintenance.SetAside())
      }
      try FileManager.default.moveItem(atPath: kept, toPath: path)
      let router = try launch()
      for address in ProbeAddress.allCases { #expect(try await value(of: address, router) == "old", "\(address)") }
    }

    @Test(arguments: ProbeAddress.allCases) func nothingIsCreated(_ address: ProbeAddress) async throws {
      #expect(try await launch().maintenance.setAsideDamaged(address.domain) == Maintenance.SetAside())
      #expect(try app.fixture.permissions().isEmpty)
    }

    @Test func aDatabaseOfANewerVersionIsNotDamaged() async throws {
      try await setAll("old")
      let path = app.fixture.path("data/preferences/standard.db")
      let location = FileLocation(
        folder: FolderLocation(
          root: StorageRoot(app.fixture.folder), parts: ["data", "preferences"]), name: "standard.db")
      #expect(FileManager.default.fileExists(atPath: path))
      let database = SQLiteDatabase.shared(at: location, .killedProcess, schema: UserDefaultsHelper.tables.schema)
      try database.write { (connection) throws(StorageProblem) in try connection.execute("PRAGMA user_version = 9") }
      let router = try launch()
      await #expect(throws: StorageError(.unknownFormatVersion, .init(key: nil, domain: .userDefaults))) {
        try await router.maintenance.setAsideDamaged(.userDefaults())
      }
      #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test func anotherProcessBeginsANewDatabase() async throws {
      try await setAll("old")
      let other = try launch()
      #expect(try await value(of: .preferences, other) == "old")
      try damage(Self.damages[1])
      _ = try await launch().maintenance.setAsideDamaged(.userDefaults())
      #expect(try await value(of: .preferences, other) == nil)
      try await other.set("new", for: try #require(keys[.preferences]))
      #expect(try await value(of: .preferences, try launch()) == "new")
    }

    // MARK: Resecuring

    @Test func everyValueIsWrittenAgainWithTodaysPermissions() async throws {
      try await setAll("old")
      let path = app.fixture.path("data/documents/files")
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
      let before = try keys.values.map { try app.stored($0) }
      let written = Date(timeIntervalSince1970: 1_700_000_000)
      try FileManager.default.setAttributes([.modificationDate: written], ofItemAtPath: path)
      let result = try await launch().maintenance.resecure()
      #expect(result.failures == [])
      let addresses: [ProbeAddress] = [.keychain, .files, .encryptedFiles, .groupFiles]
      #expect(Set(result.rewritten.compactMap(\.key)) == Set(addresses.map(\.rawValue)))
      // A value is as old as before.
      #expect(try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date == written)
      #expect(try keys.values.map { try app.stored($0) } == before)
      #expect(try app.fixture.permissions()["data/documents/files"] == 0o600)
    }
  }
#endif
