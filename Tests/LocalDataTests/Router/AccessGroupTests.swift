import Foundation
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataVocabulary
import Testing

@testable import LocalData

/// The default keychain access group, by its name and without one, is one address.
@Suite struct AccessGroupTests {
  private static func key(_ group: String?, migratesFrom source: String?? = nil) -> StorageKey<String?> {
    let domain = StorageDomain.keychain(service: "s", accessGroup: group)
    guard let source else {
      return StorageKey<String?>(name: "token", domain: domain, security: .keychain(), owner: "o", description: "d")
    }
    return StorageKey<String?>(
      name: "token", domain: domain, security: .keychain(), owner: "o", description: "d",
      migration: { destination in
        AnyStorageMigration(
          SimpleLegacyMigration(destinationKey: destination, sourceKey: AnyStorageKey(key(source))))
      })
  }

  private enum Unnamed: StorageKeyCatalog {
    static var allKeys: [AnyStorageKey] { [AnyStorageKey(key(nil))] }
  }
  private enum Named: StorageKeyCatalog {
    static var allKeys: [AnyStorageKey] { [AnyStorageKey(key("TEAM.app"))] }
  }
  private enum Shared: StorageKeyCatalog {
    static var allKeys: [AnyStorageKey] { [AnyStorageKey(key("TEAM.shared"))] }
  }

  private func router(
    over store: MemoryStore = MemoryStore(), _ group: DefaultAccessGroup? = DefaultAccessGroup { "TEAM.app" }
  ) -> StorageRouter {
    StorageRouter(configuration: StorageConfiguration(), accessGroup: group) { setup in .init(over: store, setup) }
  }

  private func refusal(_ body: () async throws -> Void) async throws -> StorageError? {
    do {
      try await body()
      return nil
    } catch let error as StorageError { return error }
  }

  @Test func bothAreRefusedAsDuplicatesAndAnotherGroupIsNot() async throws {
    let router = router()
    try router.registerCatalog(Unnamed.self)
    try router.registerCatalog(Shared.self)
    let refusal = try await refusal { try router.registerCatalog(Named.self) }
    #expect(refusal == StorageError(.invalidCatalog(.duplicateKey), .init(key: "token", domain: .keychain)))
  }

  @Test func aKeychainThatCannotAnswerYetRefusesAtTheFirstUse() async throws {
    let isLocked = Lock(true)
    let router = router(
      DefaultAccessGroup { () throws(StorageProblem) in
        if isLocked.withLock({ $0 }) { throw .locked }
        return "TEAM.app"
      })
    try router.registerCatalog(Unnamed.self)
    try router.registerCatalog(Named.self)
    let locked = try await refusal { _ = try await router.get(Self.key(nil)) }
    #expect(locked == StorageError(.locked, .init(key: "token", domain: .keychain)))
    isLocked.withLock { $0 = false }
    let duplicate = try await refusal { _ = try await router.get(Self.key(nil)) }
    #expect(duplicate == StorageError(.invalidCatalog(.duplicateKey), .init(key: "token", domain: .keychain)))
  }

  @Test(arguments: [(nil, "TEAM.app"), ("TEAM.app", nil)] as [(String?, String?)])
  func aMigrationBetweenBothLeavesTheValueWhereItIs(_ from: String?, _ to: String?) async throws {
    let store = MemoryStore()
    try await router(over: store).set("precious", for: Self.key(from))
    let destination = Self.key(to, migratesFrom: from)
    for _ in 0..<2 { #expect(try await router(over: store).get(destination) == "precious") }
    #expect(store.entries.count == 1)
  }

  @Test func aSealedValueOpensByEitherName() async throws {
    let store = MemoryStore()
    func key(_ group: String?) -> StorageKey<String?> {
      StorageKey<String?>(
        name: "seed", domain: .keychain(service: "s", accessGroup: group), security: .recommended, owner: "o",
        description: "d")
    }
    let router = router(over: store)
    try await router.set("sealed", for: key("TEAM.app"))
    #expect(try await router.get(key(nil)) == "sealed")
    #expect(try await router.get(key("TEAM.shared")) == nil)
  }

  @Test func withoutAccessGroupsEachNameIsAnAddress() async throws {
    let router = router(nil)
    try router.registerCatalog(Unnamed.self)
    try router.registerCatalog(Named.self)
    try await router.set("1", for: Self.key(nil))
    #expect(try await router.get(Self.key("TEAM.app")) == nil)
  }
}
