#if os(Linux)
  import LocalDataFoundation
  import Foundation
  import LocalDataMaintenance
  import RuntimeTestSupport
  import LocalDataVocabulary
  import TestSupport
  import Testing

  @testable import LocalData
  @testable import LocalDataStores

  /// Sources of root keys as an app uses them.
  @Suite struct RootKeyRouterTests {
    private static let source = KeyMaterialSource(id: "passphrase")
    private static let passphrase = RootKeySource.passphrase(source)
    private let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    /// A provider that answers when a test lets it.
    private final class SlowProvider: KeyMaterialProviding {
      struct WaitsForever: Error {}

      let asked = Lock<[String]>([])
      private let answers = Lock(0)

      func answer() { answers.withLock { $0 += 1 } }

      func keyMaterial(for keyName: String) async throws -> Data {
        let number = asked.withLock { asked in
          asked.append(keyName)
          return asked.count
        }
        try await Self.wait { [answers] in answers.withLock { $0 } >= number }
        return Data("swordfish".utf8)
      }

      func isAsked(times count: Int) async throws {
        try await Self.wait { [asked] in asked.withLock { $0.count } >= count }
      }

      /// Waits for a condition, and fails a test that would not end.
      private static func wait(until condition: @Sendable () -> Bool) async throws {
        for _ in 0..<6_000 {
          if condition() { return }
          try await Task.sleep(for: .milliseconds(10))
        }
        throw WaitsForever()
      }
    }

    private func router(
      _ source: RootKeySource, _ provider: any KeyMaterialProviding = ExternalKey.Provider(Data("swordfish".utf8)),
      timeout: Duration = .seconds(600), stretching: KeyStretching = CountedStretching().value
    ) throws -> StorageRouter {
      let configuration = StorageConfiguration(
        applicationName: "Test", roots: StorageRoots(below: fixture.folder), timeout: timeout, rootKeySource: source)
      let router = StorageRouter(configuration: configuration) { setup in
        var setup = setup
        setup.stretching = stretching
        return StorageServices.live(setup)
      }
      router.registerKeyMaterialProvider(provider, for: Self.source)
      return router
    }

    private static func key(
      _ domain: StorageDomain, _ security: SecurityPolicy, name: String = "n"
    ) -> StorageKey<String?> {
      StorageKey<String?>(name: name, domain: domain, security: security, owner: "Tests", description: "A test's.")
    }

    private static let token = key(.keychain(), .keychain())
    private static let note = key(.userDefaults(), .recommended)
    private static let shared = key(.appGroupUserDefaults(identifier: "group.t"), .recommended)
    private static let plain = key(.userDefaults(), .none, name: "plain")
    private static let keys = [token, note, shared]

    private enum Catalog: StorageKeyCatalog {
      static var allKeys: [AnyStorageKey] { keys.map { .key($0) } }
    }

    private func subject(_ key: StorageKey<String?>) -> StorageError.Subject {
      StorageError.Subject(key: "n", domain: key.domain.kind)
    }

    private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: fixture.path(name)) }

    @Test func theSourceIsChangedOnPurposeOnly() async throws {
      for key in Self.keys { try await router(.keyFile).set("a", for: key) }
      for key in Self.keys {
        await #expect(throws: StorageError(.rootKeySourceConflict(recorded: "keyFile"), subject(key))) {
          try await router(Self.passphrase).get(key)
        }
        await #expect(throws: StorageError(.rootKeySourceConflict(recorded: "keyFile"), subject(key))) {
          try await router(Self.passphrase).set("b", for: key)
        }
      }
      let changing = try router(Self.passphrase)
      try changing.registerCatalog(Catalog.self)
      #expect(try await changing.maintenance.changeRootKeySource(from: .keyFile) == 2)
      for key in Self.keys { #expect(try await changing.get(key) == "a") }
      for folder in ["data", "groups/group.t"] {
        #expect(exists(folder + "/keystore.db"))
        #expect(!exists(folder + "/keystore.key"))
      }
      for key in Self.keys { #expect(try await router(Self.passphrase).get(key) == "a") }
      #expect(try await changing.maintenance.changeRootKeySource(from: .keyFile) == 0)
      let wrong = ExternalKey.Provider(Data("sword".utf8))
      for key in Self.keys {
        await #expect(throws: StorageError(.rootKeySourceConflict(recorded: "passphrase"), subject(key))) {
          try await router(.keyFile).get(key)
        }
        await #expect(throws: StorageError(.wrongRootKey, subject(key))) {
          try await router(Self.passphrase, wrong).get(key)
        }
      }
    }

    @Test func aProviderIsAskedOnceForEachKeystoreUntilLocked() async throws {
      let provider = ExternalKey.Provider(Data("swordfish".utf8))
      let router = try router(Self.passphrase, provider, stretching: .pbkdf2)
      for _ in 0..<3 {
        for key in Self.keys {
          try await router.set("a", for: key)
          #expect(try await router.get(key) == "a")
        }
      }
      #expect(provider.asked.withLock { $0 } == ["keystore", "keystore.group.t"])
      await router.lock()
      for _ in 0..<2 { for key in Self.keys { #expect(try await router.get(key) == "a") } }
      #expect(provider.asked.withLock { $0 } == ["keystore", "keystore.group.t", "keystore", "keystore.group.t"])
    }

    @Test func aProviderIsNeededOnlyForTheKeystore() async throws {
      let provider = ExternalKey.Provider(nil)
      let failing = try router(Self.passphrase, provider)
      try await failing.set("a", for: Self.plain)
      #expect(try await failing.get(Self.plain) == "a")
      #expect(try await failing.get(Self.token) == nil)
      #expect(provider.asked.withLock { $0 }.isEmpty)
      for key in Self.keys {
        await #expect(throws: StorageError(.keyMaterialProviderFailed(Self.source), subject(key))) {
          try await failing.set("a", for: key)
        }
      }
      let none = StorageRouter(
        configuration: StorageConfiguration(
          applicationName: "Test", roots: StorageRoots(below: fixture.folder), rootKeySource: Self.passphrase))
      await #expect(throws: StorageError(.noKeyMaterialProvider(Self.source), subject(Self.token))) {
        try await none.set("a", for: Self.token)
      }
      // Nothing was made up meanwhile.
      for key in Self.keys {
        try await router(Self.passphrase).set("b", for: key)
        #expect(try await failing.exists(key))
      }
      #expect(try await router(Self.passphrase).get(Self.token) == "b")
    }

    /// While the user is asked for the passphrase, other processes read and write, and other keys of this one work.
    @Test(arguments: [token, note, shared]) func nothingWaitsForAProvider(_ key: StorageKey<String?>) async throws {
      for key in Self.keys { try await router(Self.passphrase).set("a", for: key) }
      let provider = SlowProvider()
      let asking = try router(Self.passphrase, provider)
      // It must not wait for the provider, which gives up after a minute.
      let other = try router(Self.passphrase, timeout: .seconds(30))
      for isWriting in [false, true] {
        await asking.lock()
        async let answered: String? = {
          if isWriting { try await asking.set("asking", for: key) }
          return try await asking.get(key)
        }()
        try await provider.isAsked(times: isWriting ? 2 : 1)
        try await other.set("other", for: key)
        #expect(try await other.get(key) == "other")
        // The keys of a keyset can be changed, which needs its lock alone.
        try other.registerCatalogOnce(Catalog.self)
        #expect(try await other.maintenance.rotateKeys().isComplete)
        try await asking.set("plain", for: Self.plain)
        #expect(try await asking.get(Self.plain) == "plain")
        provider.answer()
        // An encrypted value was read before its key was needed.
        let found = key.domain.kind == .keychain ? "other" : "a"
        #expect(try await answered == (isWriting ? "asking" : found))
        #expect(try await other.get(key) == (isWriting ? "asking" : "other"))
      }
      #expect(provider.asked.withLock { $0.count } == 2)
    }

    /// Calls that wait for another call's prompt end with their own deadline, and leave the prompt alone.
    @Test func othersThatNeedTheKeystoreWaitUntilTheirDeadline() async throws {
      for name in ["a", "b"] {
        try await router(Self.passphrase).set(name, for: Self.key(.keychain(), .keychain(), name: name))
      }
      let provider = SlowProvider()
      let asking = try router(Self.passphrase, provider, timeout: .milliseconds(300))
      async let first = asking.get(Self.key(.keychain(), .keychain(), name: "a"))
      try await provider.isAsked(times: 1)
      await #expect(throws: StorageError(.busy, .init(key: "b", domain: .keychain))) {
        try await asking.get(Self.key(.keychain(), .keychain(), name: "b"))
      }
      // The call that asks has not waited for another one.
      provider.answer()
      #expect(try await first == "a")
      #expect(try await asking.get(Self.key(.keychain(), .keychain(), name: "b")) == "b")
      #expect(provider.asked.withLock { $0.count } == 1)
    }

    @Test func aKeystoreWhoseKeyIsLostIsGivenUpOnPurposeOnly() async throws {
      for key in Self.keys { try await router(Self.passphrase).set("a", for: key) }
      let right = try router(Self.passphrase)
      try right.registerCatalog(Catalog.self)
      #expect(try await right.maintenance.abandonKeystores() == [])
      for key in Self.keys { #expect(try await right.get(key) == "a") }
      let failing = try router(Self.passphrase, ExternalKey.Provider(nil))
      await #expect(throws: StorageError(.keyMaterialProviderFailed(Self.source), .init(key: nil, domain: .keychain))) {
        try await failing.maintenance.abandonKeystores()
      }
      let conflicting = try router(.keyFile)
      await #expect(
        throws: StorageError(.rootKeySourceConflict(recorded: "passphrase"), .init(key: nil, domain: .keychain))
      ) { try await conflicting.maintenance.abandonKeystores() }

      let lost = try router(Self.passphrase, ExternalKey.Provider(Data("forgotten".utf8)))
      try lost.registerCatalog(Catalog.self)
      let files = try await lost.maintenance.abandonKeystores()
      #expect(files.count == 2)
      #expect(files.allSatisfy { FileManager.default.fileExists(atPath: $0.path) })
      #expect(try await lost.get(Self.token) == nil)
      await #expect(throws: StorageError(.keyMaterialMissing, subject(Self.note))) { try await lost.get(Self.note) }
      #expect(try await lost.maintenance.abandonEncryptedData().keys.count == 2)
      for key in Self.keys {
        #expect(try await lost.get(key) == nil)
        try await lost.set("b", for: key)
        #expect(try await lost.get(key) == "b")
      }
    }
  }

  extension StorageRouter {
    /// Registers a catalog unless it is registered already.
    fileprivate nonisolated func registerCatalogOnce(_ catalog: (some StorageKeyCatalog).Type) throws {
      do { try registerCatalog(catalog) } catch  where error.problem == .invalidCatalog(.alreadyRegistered) {}
    }
  }
#endif
