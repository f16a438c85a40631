import LocalData
import Testing

extension StorageKey where Value == String {
  fileprivate static let legacyToken = StorageKey(
    name: "old_key_name",
    domain: .userDefaults(suite: nil),
    security: .none,
    serializer: .json,
    owner: "MigrationDemo",
    description: "Legacy token stored in UserDefaults."
  )

  fileprivate static let modernToken = StorageKey(
    name: "modern_token",
    domain: .keychain(service: "com.myapp"),
    owner: "MigrationDemo",
    description: "Modern token stored in Keychain.",
    migration: { key in
      AnyStorageMigration(
        SimpleLegacyMigration(
          destinationKey: key,
          sourceKey: .key(StorageKey.legacyToken)
        )
      )
    }
  )
}

private struct MyCatalog: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [.key(.legacyToken), .key(.modernToken)] }
}

/// The first example of the migration guide, word for word.
struct SeedSimpleMigrationTests {
  @Test func aReadMovesTheValue() async throws {
    let router = StorageRouter.inMemory()
    try await router.set("token123", for: .legacyToken)
    #expect(try await router.exists(.modernToken))
    #expect(try await router.exists(.legacyToken))
    #expect(try await router.get(.modernToken) == "token123")
    #expect(try await !router.exists(.legacyToken))
    #expect(try await router.get(.modernToken) == "token123")
  }

  @Test func aSweepMovesTheValueAtRegistration() async throws {
    let router = StorageRouter.inMemory()
    try await router.set("token123", for: .legacyToken)
    try await router.registerCatalog(MyCatalog.self, migrateImmediately: true)
    #expect(try await !router.exists(.legacyToken))
    #expect(try await router.get(.modernToken) == "token123")
  }
}
