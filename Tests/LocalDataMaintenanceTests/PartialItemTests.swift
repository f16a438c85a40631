import LocalDataTesting
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@_spi(Generated) @testable import LocalData
@testable import LocalDataMaintenance

/// Items of the keychain without a service or without an account, beside items that have them.
@Suite struct PartialItemTests {
  private static func key(
    _ name: String, _ service: String, isLegacy: Bool = false,
    migration: (@Sendable (StorageKey<String?>) -> AnyStorageMigration)? = nil
  ) -> StorageKey<String?> {
    StorageKey<String?>(
      name: name, domain: .keychain(service: service), security: .keychain(), owner: "Tests", description: "A text.",
      options: StorageKeyOptions(legacy: isLegacy), migration: migration)
  }

  private static let whole = key("secret", "app")
  private static let withoutService = key("secret", "")
  private static let withoutAccount = key("", "app")
  private static let family = StorageKeyFamily(
    name: "draft_{id}", domain: .keychain(service: ""), security: .keychain())
  private static let all = [whole, withoutService, withoutAccount]

  private enum Catalog: StorageKeyCatalog {
    static var allKeys: [AnyStorageKey] { [.key(withoutService), .key(withoutAccount)] }
    static var allFamilies: [StorageKeyFamily] { [family] }
  }

  #if os(Linux)
    /// The apps whose folders exist until the test ends.
    private final class Apps { var all: [RelaunchedApp] = [] }

    private let apps = Apps()
  #endif

  private enum Others: StorageKeyCatalog {
    static var allKeys: [AnyStorageKey] { [.key(whole)] }
  }

  private func fill(_ router: StorageRouter) async throws {
    for (index, key) in Self.all.enumerated() { try await router.set("value \(index)", for: key) }
  }

  private func values(_ router: StorageRouter) async throws -> [String?] {
    var values: [String?] = []
    for key in Self.all { values.append(try await router.get(key)) }
    return values
  }

  /// On Linux a keystore, and in memory.
  private func routers() throws -> [StorageRouter] {
    var routers = [StorageRouter.inMemory()]
    #if os(Linux)
      let app = try RelaunchedApp()
      apps.all.append(app)
      routers.append(app.launch())
    #endif
    return routers
  }

  @Test func anItemIsFoundByWhatItDoesNotHave() async throws {
    for router in try routers() {
      try await fill(router)
      #expect(try await values(router) == ["value 0", "value 1", "value 2"])
      #expect(try await router.update(Self.withoutAccount) { $0 = "changed" } == "changed")
      try await router.remove(Self.withoutService)
      #expect(try await values(router) == ["value 0", nil, "changed"])
    }
  }

  @Test func aLegacyItemIsMoved() async throws {
    for (name, service) in [("secret", ""), ("", "old")] {
      let old = Self.key(name, service, isLegacy: true)
      let new = Self.key("moved", "app") { key in
        AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(old)))
      }
      for router in try routers() {
        try await router.set("theirs", for: Self.key(name, service))
        try router.register([.key(new), .key(old)])
        #expect(try await router.get(new) == "theirs")
        #expect(await router.maintenance.inventory().map(\.isPresent) == [true, false])
      }
    }
  }

  @Test func aSignOutRemovesThemAndNoOthers() async throws {
    for router in try routers() {
      try router.registerCatalog(Catalog.self)
      try router.registerCatalog(Others.self)
      try await fill(router)
      let draft = StorageKey<String?>(Self.family, "draft_\("1")", .json)
      try await router.set("a draft", for: draft)
      try await router.removeAll(in: Catalog.self)
      #expect(try await values(router) == ["value 0", nil, nil])
      #expect(try await router.get(draft) == nil)
    }
  }

  @Test func theyAreInInventoriesAndOrphansAreFoundInTheirContainers() async throws {
    for router in try routers() {
      try await fill(router)
      try await router.set("forgotten", for: Self.key("forgotten", ""))
      try router.register([.key(Self.whole), .key(Self.withoutService)], [Self.family])
      let inventory = await router.maintenance.inventory()
      #expect(inventory.map(\.problem) == [nil, nil, nil])
      #expect(inventory.prefix(2).map(\.isPresent) == [true, true])
      let orphans = await router.maintenance.orphans()
      #expect(orphans.failures == [])
      #expect(
        Set(orphans.values) == [
          .init(name: "", domain: .keychain(service: "app")), .init(name: "forgotten", domain: .keychain(service: "")),
        ])
    }
  }

  @Test func errorsAndContainersNameWhatIsAbsent() async throws {
    let router = StorageRouter.inMemory(failing: [.keychain: .locked])
    let error = await #expect(throws: StorageError.self) { try await router.get(Self.withoutAccount) }
    #expect(error?.description.contains("the item without an account in keychain") == true)
    #expect(Self.withoutService.domain.auditText == "keychain, no service")
    await #expect(throws: StorageError.self) {
      try await StorageRouter.inMemory().get(
        StorageKey<String?>(name: "", domain: .userDefaults(), security: .none, owner: "Tests", description: "None."))
    }
  }
}
