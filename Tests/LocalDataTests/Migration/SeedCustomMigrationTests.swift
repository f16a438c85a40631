import LocalData
import Testing

private struct MyMigration: StorageMigration {
  typealias Value = String
  let destinationKey = StorageKey.modernToken

  func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
    try await router.exists(destinationKey)
  }

  func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
    // Custom migration logic
    MigrationResult(success: true)
  }
}

extension StorageKey where Value == String {
  fileprivate static let modernToken: Self = StorageKey(
    name: "modern_token",
    domain: .keychain(service: "com.myapp"),
    owner: "MigrationDemo",
    description: "Modern token stored in Keychain.",
    migration: { _ in AnyStorageMigration(MyMigration()) }
  )
}

/// The second example of the migration guide, word for word but for `: Self`: key and migration name each other, and
/// Swift infers the type of neither without it.
struct SeedCustomMigrationTests {
  @Test func aMigrationThatFindsNothingLeavesTheKeyAbsent() async throws {
    let router = StorageRouter.inMemory()
    await #expect(throws: StorageError.notFound(.init(key: "modern_token", domain: .keychain))) {
      try await router.get(.modernToken)
    }
    #expect(try await !router.exists(.modernToken))
  }

  @Test func itIsAskedWhereAValueIsStoredToo() async throws {
    let router = StorageRouter.inMemory()
    try await router.set("token123", for: .modernToken)
    let result = try await router.forceMigration(for: .modernToken)
    #expect(result.success)
    #expect(try await router.get(.modernToken) == "token123")
  }
}
