import Foundation
import LocalDataMaintenance
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@_spi(Generated) @testable import LocalData

/// The domains of a configured name, each with the domain of the name that the app gives.
private let domains: [(configured: StorageDomain, given: StorageDomain, security: SecurityPolicy)] = [
  (.userDefaults(suite: counts), .userDefaults(suite: "beta.counts"), .none),
  (.userDefaults(suite: counts), .userDefaults(suite: "beta.counts"), .recommended),
  (.appGroupUserDefaults(identifier: counts), .appGroupUserDefaults(identifier: "beta.counts"), .none),
  (.keychain(service: counts), .keychain(service: "beta.counts"), .keychain()),
  (
    .keychain(service: "s", accessGroup: counts), .keychain(service: "s", accessGroup: "beta.counts"),
    .keychain()
  ),
  (
    .appGroupFileSystem(identifier: counts, directory: .documents),
    .appGroupFileSystem(identifier: "beta.counts", directory: .documents), .recommended
  ),
]

private let counts = StorageDomain.configured("counts", like: "*.counts")

private let suite = StorageDomain.userDefaults(suite: counts)

private enum Counts: StorageKeyCatalog {
  static let total = key("total", Int.self, suite)
  static let each = StorageKeyFamily(name: "each.{id}", domain: suite, security: .none)
  static var allKeys: [AnyStorageKey] { [.key(total)] }
  static var allFamilies: [StorageKeyFamily] { [each] }
}

/// Containers whose names the app gives when it runs.
@Suite struct ConfiguredNameTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  private func router(_ containers: [String: String] = ["counts": "beta.counts"]) -> StorageRouter {
    var configuration = StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: fixture.folder))
    configuration.containers = containers
    return StorageRouter(configuration: configuration)
  }

  /// Two releases and a rollback, each launched anew.
  @Test(arguments: domains.indices) func releasesFindWhatTheOtherStored(_ index: Int) async throws {
    let (configured, given, security) = domains[index]
    let key = key("value", String.self, configured, security)
    var first: StorageRouter { get throws { try registered([.key(key)]) } }
    var second: StorageRouter { get throws { try registered([.key(key), .key(new)]) } }
    let new = LocalDataTests.key("new", String.self, configured, security)

    try await first.set("1", for: key)
    #expect(try await second.get(key) == "1")
    try await second.set("2", for: key)
    try await second.set("3", for: new)
    #expect(try await first.get(key) == "2")
    try await first.set("4", for: key)
    #expect(try await second.get(key) == "4")
    #expect(try await second.get(new) == "3")
    // The place is that of the given name, and another build has another one.
    #expect(try await router().get(LocalDataTests.key("value", String.self, given, security)) == "4")
    #expect(try await router(["counts": "daily.counts"]).get(key) == nil)
  }

  private func registered(_ keys: [AnyStorageKey]) throws -> StorageRouter {
    let router = router()
    try router.register(keys)
    return router
  }

  @Test(arguments: [[:], ["counts": "beta.other"], ["counts": ""], ["Counts": "beta.counts"], ["counts": counts]])
  func anUnusableNameIsRefusedAtRegistration(_ containers: [String: String]) async throws {
    for (index, domain) in domains.enumerated() {
      let router = router(containers)
      let error = #expect(throws: StorageError.self) {
        try router.register([
          .key(key("free", Int.self)), .key(key("value", Int.self, domain.configured, domain.security)),
        ])
      }
      #expect(error?.code == .invalidName, "\(index)")
      let text = error.map { "\($0)" } ?? ""
      #expect(text.contains("'counts'") && text.contains("'*.counts'") && !text.contains("beta"))
      // Nothing of the catalog is registered.
      try router.register([.key(key("free", Int.self))])
    }
  }

  @Test func sourcesAndFamiliesAreCheckedToo() async throws {
    let member = StorageKey<Int?>(Counts.each, "each.\("a")", .json)
    #expect(throws: StorageError.self) { try router([:]).registerCatalog(Counts.self) }
    let moved = key("moved", Int.self) { key in
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(Counts.total)))
    }
    #expect(throws: StorageError.self) { try router([:]).register([.key(moved)]) }
    await #expect(throws: StorageError.self) { try await router([:]).get(member) }
  }

  @Test func familiesAreListedAndRemoved() async throws {
    let router = router()
    try router.registerCatalog(Counts.self)
    for id in ["a", "b"] { try await router.set(1, for: StorageKey<Int?>(Counts.each, "each.\(id)", .json)) }
    try await router.set(2, for: Counts.total)
    let plain = StorageKeyFamily(name: "each.{id}", domain: .userDefaults(suite: "beta.counts"), security: .none)
    #expect(try await self.router().members(of: plain).count == 2)
    #expect(try await router.members(of: Counts.each).map(\.parameters) == [["id": "a"], ["id": "b"]])
    try await router.removeAll(of: Counts.each)
    #expect(try await router.members(of: Counts.each).isEmpty)
    #expect(try await router.get(Counts.total) == 2)
    try await router.removeAll(in: Counts.self)
    #expect(try await self.router().get(key("total", Int.self, .userDefaults(suite: "beta.counts"))) == nil)
  }

  @Test func valuesAreMovedFromAndToConfiguredNames() async throws {
    let new = key("total", Int.self, .userDefaults(suite: "new")) { key in
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(Counts.total)))
    }
    try await router().set(5, for: Counts.total)
    #expect(try await registered([.key(new)]).get(new) == 5)
    #expect(try await router().get(Counts.total) == nil)
    // An earlier release named the container itself, and this build gives it the same name: the value stays in its place.
    let fixed = key("total", Int.self, .userDefaults(suite: "beta.counts"))
    let same = key("total", Int.self, suite) { key in
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(fixed)))
    }
    try await router().set(6, for: fixed)
    #expect(try await registered([.key(same)]).get(same) == 6)
    #expect(try await router().get(fixed) == 6)
    let daily = router(["counts": "daily.counts"])
    try daily.register([.key(same)])
    #expect(try await daily.get(same) == 6)
    #expect(try await router().get(fixed) == nil)
  }

  @Test func oneContainerWithTwoNamesHasEachKeyOnce() {
    let other = StorageDomain.userDefaults(suite: StorageDomain.configured("totals"))
    let names = ["counts": "beta.counts", "totals": "beta.counts"]
    let error = #expect(throws: StorageError.self) {
      try router(names).register([.key(Counts.total), .key(key("total", Int.self, other))])
    }
    #expect(error?.catalogProblem == .duplicateKey)
  }

  @Test func leftoversOfReservedNamesAreRemoved() async throws {
    let router = router()
    let old = key("old", Int.self, suite)
    try await router.set(1, for: old)
    try router.register(
      [.key(Counts.total)], reserved: [StorageReservedName(name: "old", domain: suite, deletesLeftovers: true)])
    #expect(await router.maintenance.sweep().failures.isEmpty)
    #expect(try await self.router().get(old) == nil)
  }

  @Test(arguments: [
    ("*", "a", true), ("*.a", "b.a", true), ("*.a", ".a", true), ("*.a", "b.ab", false), ("a*c", "abc", true),
    ("a*c", "ac", true), ("a*c", "ab", false), ("*a*b*", "xxaxbx", true), ("*a*b*", "ba", false), ("é*", "éa", true),
    ("*", "", false),
  ])
  func asteriskIsAnyText(_ pattern: String, _ name: String, _ isAccepted: Bool) {
    #expect(ConfiguredName("x", like: pattern).accepts(name) == isAccepted)
  }
}
