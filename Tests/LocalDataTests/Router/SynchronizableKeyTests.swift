import Foundation
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@testable import LocalData
@testable import LocalDataMaintenance

/// A synchronizable item reaches devices that do not have this device's master key.
@Suite struct SynchronizableKeyTests {
  private func key(
    _ security: SecurityPolicy, synchronizable: Bool = true, legacy: Bool = false
  ) -> StorageKey<String?> {
    StorageKey<String?>(
      name: "token", domain: .keychain(synchronizable: synchronizable), security: security, owner: "Tests",
      description: "A token.", options: StorageKeyOptions(legacy: legacy))
  }

  private static let refused = StorageError(
    .invalidCatalog(.synchronizableMasterKey), .init(key: "token", domain: .keychain))

  @Test func isRefusedUnderTheMasterKey() async throws {
    let router = StorageRouter.inMemory()
    let key = key(.recommended)
    await #expect(throws: Self.refused) { try await router.set("a", for: key) }
    await #expect(throws: Self.refused) { try await router.get(key) }
    await #expect(throws: Self.refused) { try await router.exists(key) }
  }

  @Test func isRefusedAtRegistration() throws {
    enum Catalog: StorageKeyCatalog {
      static var allKeys: [AnyStorageKey] {
        [
          .key(
            StorageKey<String?>(
              name: "token", domain: .keychain(synchronizable: true), owner: "Tests", description: "A token."))
        ]
      }
    }
    #expect(throws: Self.refused) { try StorageRouter.inMemory().registerCatalog(Catalog.self) }
  }

  @Test func isStoredUnderAnyOtherSecurity() async throws {
    let router = StorageRouter.inMemory()
    let source = KeyMaterialSource(id: "remote.key")
    router.registerKeyMaterialProvider(ExternalKey.Provider(Data(repeating: 1, count: 32)), for: source)
    for security in [SecurityPolicy.keychain(), .encrypted(.external(source: source))] {
      try await router.set("a", for: key(security))
      #expect(try await router.get(key(security)) == "a")
    }
    try await router.set("b", for: key(.recommended, synchronizable: false))
  }

  /// The file of a value that was moved aside does not say whether the item was synchronizable.
  @Test func aMovedAsideMemberOfAFamilyHasItsKey() throws {
    let family = StorageKeyFamily(
      name: "token_{id}", domain: .keychain(service: "s", synchronizable: true), security: .keychain())
    let router = StorageRouter.inMemory()
    try router.register([], [family])
    let address = StorageAddress.item("token_a", service: "s")
    #expect(RegisteredKeyIndex(router).subject(of: address) == .init(key: "token_{id}", domain: .keychain))
    #expect(RegisteredKeyIndex(router).subject(of: .item("other", service: "s")) == nil)
  }

  /// Checks that a value that an earlier release stored in this way can still be moved.
  @Test func aMigrationStillReadsALegacyKeyOfThatKind() async throws {
    let store = MemoryStore()
    func router() -> StorageRouter {
      StorageRouter(configuration: .init()) { .init(over: store, $0) }
    }
    // An earlier release has sealed it: the address differs from that of the plain item in one flag alone.
    let old = key(.recommended, legacy: true)
    let sealer = try await router().values(for: nil).services.encryption.sealer(
      for: .init(), keyset: .app, keyName: "token")
    let plan = try KeyPlan(AnyStorageKey(old), StorageConfiguration())
    let secured = try plan.secured(JSONEncoder().encode("a"), sealer, at: Date())
    try store.write(secured, to: plan.address, plan.attributes)
    let new = StorageKey<String?>(
      name: "new_token", domain: .keychain(), security: .keychain(), owner: "Tests", description: "A token.",
      migration: { AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(old))) })
    #expect(try await router().get(new) == "a")
  }
}
