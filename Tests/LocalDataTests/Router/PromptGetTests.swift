#if os(Linux)
  import Foundation
  import RuntimeTestSupport
  import LocalDataVocabulary
  import TestSupport
  import Testing

  @testable import LocalData

  /// Stored values are read without a turn.
  @Suite struct PromptGetTests {
    private let fixture: StoreFixture
    private let router: StorageRouter

    init() throws {
      // A file in memory cannot be read without waiting.
      fixture = try StoreFixture(isInMemory: false)
      router = Self.router(in: fixture)
    }

    private static func router(in fixture: StoreFixture) -> StorageRouter {
      let router = StorageRouter(
        configuration: StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: fixture.folder)))
      router.registerKeyMaterialProvider(
        ExternalKey.Provider(Data(repeating: 5, count: 32)), for: ExternalKey.source)
      return router
    }

    /// A router with a short timeout. Its reads must not wait.
    private func impatientRouter() -> StorageRouter {
      StorageRouter(
        configuration: StorageConfiguration(
          applicationName: "Test", roots: StorageRoots(below: fixture.folder), timeout: .seconds(20)))
    }

    /// Reads all files of the stores, so that the system has them in memory. It may have removed files that were not used for
    /// a while. A read from the disk takes a turn.
    ///
    /// Closing SQLite's files releases the locks of this process on them. No other process uses the files here.
    private func bringIntoMemory() throws {
      let files = try #require(FileManager.default.enumerator(at: fixture.folder, includingPropertiesForKeys: nil))
      for case let file as URL in files where !file.hasDirectoryPath { _ = try Data(contentsOf: file) }
    }

    private static let domains: [(StorageDomain, SecurityPolicy)] = [
      (.fileSystem(directory: .documents), .none), (.keychain(), .keychain()),
      (.fileSystem(directory: .documents), .recommended), (.keychain(), .recommended), (.userDefaults(), .recommended),
    ]

    private func key(_ domain: StorageDomain, _ security: SecurityPolicy) -> StorageKey<Int?> {
      StorageKey(name: "number", domain: domain, security: security, owner: "Tests", description: "A number.")
    }

    /// While a call on the key has its turn, `get` returns what was stored before that call.
    @Test(arguments: domains)
    func aStoredValueIsReadBesideAnotherCall(domain: StorageDomain, security: SecurityPolicy) async throws {
      let (router, key) = (impatientRouter(), key(domain, security))
      try await router.set(1, for: key)
      // The first read of a process looks at the record of the place, and at that of the encryption keys.
      #expect(try await router.get(key) == 1)
      let address = try await router.plan(for: AnyStorageKey(key)).address
      _ = await router.turns.take(address)
      defer { router.turns.end(address) }
      try bringIntoMemory()
      #expect(try await router.get(key) == 1)
    }

    private func file(_ security: SecurityPolicy) -> StorageKey<Data?> {
      StorageKey(
        name: "bytes", domain: .fileSystem(directory: .documents), security: security, serializer: .data,
        owner: "Tests", description: "Bytes.")
    }

    private func bytes(_ count: Int) -> Data { Data((0..<count).map { UInt8(truncatingIfNeeded: $0) }) }

    @Test(arguments: [SecurityPolicy.none, .recommended])
    func aFileOfAMebibyteIsReadBesideAnotherCall(security: SecurityPolicy) async throws {
      let (router, key, value) = (impatientRouter(), file(security), bytes(1 << 20))
      try await router.set(value, for: key)
      #expect(try await router.get(key) == value)
      let address = try await router.plan(for: AnyStorageKey(key)).address
      _ = await router.turns.take(address)
      defer { router.turns.end(address) }
      try bringIntoMemory()
      #expect(try await router.get(key) == value)
    }

    @Test(arguments: [0, 1, 100, 1 << 16, (1 << 20) + 2_000], [SecurityPolicy.none, .recommended])
    func aFileOfAnySizeIsReadWhole(count: Int, security: SecurityPolicy) async throws {
      let (key, value) = (file(security), bytes(count))
      try await router.set(value, for: key)
      for _ in 0..<2 { #expect(try await router.get(key) == value) }
    }

    /// Returns what a read finds while another call has the turn of its key, and another router stores 2 meanwhile.
    private func valueReadInTurn(_ key: StorageKey<Int?>) async throws -> Int? {
      let router = router
      let address = try await router.plan(for: AnyStorageKey(key)).address
      _ = await router.turns.take(address)
      let read = Task { try await router.get(key) }
      try await Self.router(in: fixture).set(2, for: key)
      router.turns.end(address)
      return try await read.value
    }

    /// The key of such a value may have to be waited for.
    @Test(arguments: [
      SecurityPolicy.encrypted(.external(source: ExternalKey.source)),
      .encrypted(.chaCha20Poly1305(keyDerivation: .pbkdf2(iterations: 600_000))),
    ])
    func aValueOfAnotherKeyIsReadInTurn(security: SecurityPolicy) async throws {
      let key = key(.fileSystem(directory: .documents), security)
      try await router.set(1, for: key)
      #expect(try await router.get(key) == 1)
      #expect(try await valueReadInTurn(key) == 2)
    }

    @Test(arguments: domains.filter { $0.1 != .none })
    func afterLockAValueIsReadInTurn(domain: StorageDomain, security: SecurityPolicy) async throws {
      let key = key(domain, security)
      try await router.set(1, for: key)
      #expect(try await router.get(key) == 1)
      await router.lock()
      #expect(try await valueReadInTurn(key) == 2)
    }

    /// A value that is not there may be on its way: a call that has the key's turn ends first.
    @Test(arguments: domains)
    func anAbsentValueIsLookedForInTurn(domain: StorageDomain, security: SecurityPolicy) async throws {
      let key = key(domain, security)
      // The place is known to the process, and has no value.
      try await router.set(1, for: key)
      #expect(try await router.get(key) == 1)
      try await router.set(nil, for: key)
      #expect(try await router.get(key) == nil)
      #expect(try await valueReadInTurn(key) == 2)
    }
  }
#endif
