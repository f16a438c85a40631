#if os(Linux)
  import Foundation
  import LocalDataTesting
  import ProbeKeys
  import RuntimeTestSupport
  import LocalDataVocabulary
  import Testing

  @testable import LocalData
  @testable import LocalDataMaintenance

  /// A damaged database that no registered key names, and that a function for keys has to read. The error names the domain
  /// that is to be set aside.
  @Suite struct DamagedContainerTests {
    let app: RelaunchedApp

    init() throws { app = try RelaunchedApp() }

    private static let sealed = ProbeAddress.encryptedFiles.retained
    private static let sealedOfGroup = StorageKey<String?>(
      name: "sealed", domain: .appGroupFileSystem(identifier: "group.probe", directory: .documents), owner: "Tests",
      description: "A text.")
    private static let old = StorageDomain.userDefaults(suite: "an.old: suite")
    private static let group = StorageDomain.appGroupUserDefaults(identifier: "group.probe")

    private func launch() throws -> StorageRouter {
      let router = app.launch()
      try router.register(ProbeAddress.allCases.map { .key($0.retained) } + [.key(Self.sealedOfGroup)])
      return router
    }

    /// Damages the database of a suite that only an earlier release knew.
    private func damageSuite() async throws {
      let key = StorageKey<String?>(
        name: "earlier", domain: Self.old, security: .none, owner: "Tests", description: "A text.")
      try await app.launch().set("old", for: key)
      let folder = app.fixture.path("data/preferences")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      let name = try #require(names.first { $0.hasSuffix(".db") && !$0.hasPrefix(".") && $0 != "standard.db" })
      // A new file: a connection that is still open has pages of the old one in memory.
      for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: "\(folder)/\(name)\(suffix)") }
      try Data(repeating: 9, count: 9_000).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }

    private func loseKeystore() throws {
      for name in StoreFixture.keystoreFiles {
        try? FileManager.default.removeItem(atPath: app.fixture.path("data/" + name))
      }
    }

    /// Sets aside what the error of a call names, and calls it again.
    private func mended<Result: Sendable>(
      _ subject: StorageError.Subject, _ domain: StorageDomain, _ call: (StorageRouter) async throws -> Result
    ) async throws -> Result {
      do {
        _ = try await call(try launch())
        Issue.record("nothing is damaged")
      } catch let error as StorageError {
        #expect(error == StorageError(.containerDamaged(domain), subject))
        #expect(try await launch().maintenance.setAsideDamaged(domain).files.count == 1)
      }
      return try await call(try launch())
    }

    @Test func theFirstMasterKeyIsCreatedAfterTheSuiteIsSetAside() async throws {
      try await damageSuite()
      try await mended(AnyStorageKey(Self.sealed).subject, Self.old) { try await $0.set("new", for: Self.sealed) }
      #expect(try await launch().get(Self.sealed) == "new")
    }

    @Test func valuesAreAbandonedAfterTheSuiteIsSetAside() async throws {
      try await launch().set("lost", for: Self.sealed)
      try await damageSuite()
      try loseKeystore()
      let lost = try await mended(.none, Self.old) { try await $0.maintenance.abandonEncryptedData() }
      #expect(lost.keys == [AnyStorageKey(Self.sealed).subject])
      try await launch().set("new", for: Self.sealed)
      #expect(try await launch().get(Self.sealed) == "new")
    }

    /// Until the suite is set aside, no master key is created that would hide what the suite may contain.
    @Test func nothingIsAbandonedBefore() async throws {
      try await launch().set("lost", for: Self.sealed)
      try await damageSuite()
      try loseKeystore()
      await #expect(throws: StorageError(.containerDamaged(Self.old), .none)) {
        try await launch().maintenance.abandonEncryptedData()
      }
      let error = StorageError(.keyMaterialMissing, AnyStorageKey(Self.sealed).subject)
      await #expect(throws: error) { try await launch().set("new", for: Self.sealed) }
      await #expect(throws: error) { try await launch().get(Self.sealed) }
    }

    @Test func keysAreRotatedAndDestroyedAfterTheSuiteIsSetAside() async throws {
      try await launch().set("text", for: Self.sealed)
      try await damageSuite()
      #expect(try await mended(.none, Self.old) { try await $0.maintenance.rotateKeys() }.isComplete)
      try await damageSuite()
      #expect(try await mended(.none, Self.old) { try await $0.maintenance.destroyRetiredKeys() } == 1)
      #expect(try await launch().get(Self.sealed) == "text")
    }

    @Test func theKeystoreIsNamedToo() async throws {
      try await launch().set("lost", for: Self.sealed)
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: app.fixture.path("data/keystore.db" + suffix))
      }
      try Data(repeating: 9, count: 9_000).write(to: URL(fileURLWithPath: app.fixture.path("data/keystore.db")))
      let lost = try await mended(.none, .keychain()) { try await $0.maintenance.abandonEncryptedData() }
      #expect(lost.keys == [AnyStorageKey(Self.sealed).subject])
    }

    @Test func thePreferencesOfAGroupAreNamedToo() async throws {
      let key = Self.sealedOfGroup
      let plain = StorageKey<String?>(
        name: "plain", domain: Self.group, security: .none, owner: "Tests", description: "A text.")
      try await app.launch().set("text", for: plain)
      let path = app.fixture.path("groups/group.probe/preferences/standard.db")
      for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
      try Data(repeating: 9, count: 9_000).write(to: URL(fileURLWithPath: path))
      try await mended(AnyStorageKey(key).subject, Self.group) { try await $0.set("new", for: key) }
    }
  }
#endif
