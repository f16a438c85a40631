#if os(Linux)
  import Foundation
  import StorageVocabulary
  import TestSupport
  import Testing

  @testable import LocalData

  /// Reads of values that are there, which need no turn.
  @Suite struct PromptGetTests {
    private let fixture: StoreFixture
    private let router: StorageRouter

    init() throws {
      fixture = try StoreFixture()
      router = StorageRouter(
        configuration: StorageConfiguration(
          applicationName: "Test", roots: StorageRoots(below: fixture.folder), timeout: .seconds(20)))
    }

    private static let domains: [(StorageDomain, SecurityPolicy)] = [
      (.fileSystem(directory: .documents), .none), (.keychain(), .keychain()),
    ]

    private func key(_ domain: StorageDomain, _ security: SecurityPolicy) -> StorageKey<Int?> {
      StorageKey(name: "number", domain: domain, security: security, owner: "Tests", description: "A number.")
    }

    /// While a call on the key has its turn, `get` returns what was stored before that call.
    @Test(arguments: domains)
    func aStoredValueIsReadBesideAnotherCall(domain: StorageDomain, security: SecurityPolicy) async throws {
      let key = key(domain, security)
      try await router.set(1, for: key)
      // The first read of a process looks at the record of the place.
      #expect(try await router.get(key) == 1)
      let place = try await router.plan(for: AnyStorageKey(key)).place
      await router.takeTurn(at: place)
      defer { router.endTurn(at: place) }
      #expect(try await router.get(key) == 1)
    }

    /// A value that is not there may be on its way: a call that has the key's turn ends first.
    @Test(arguments: domains)
    func anAbsentValueIsLookedForInTurn(domain: StorageDomain, security: SecurityPolicy) async throws {
      let (router, key) = (router, key(domain, security))
      // The place is known to the process, and has no value.
      try await router.set(1, for: key)
      #expect(try await router.get(key) == 1)
      try await router.set(nil, for: key)
      #expect(try await router.get(key) == nil)
      let place = try await router.plan(for: AnyStorageKey(key)).place
      await router.takeTurn(at: place)
      let read = Task { try await router.get(key) }
      // Another router of the process stores the value while the turn is taken.
      let other = StorageRouter(
        configuration: StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: fixture.folder)))
      try await other.set(2, for: key)
      router.endTurn(at: place)
      #expect(try await read.value == 2)
    }
  }
#endif
