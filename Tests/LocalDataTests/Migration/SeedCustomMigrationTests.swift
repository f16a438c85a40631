import RuntimeTestSupport
import LocalDataFoundation
import Testing

@testable import LocalData

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
    await #expect(throws: StorageError(.notFound, .init(key: "modern_token", domain: .keychain))) {
      try await router.get(.modernToken)
    }
    #expect(try await !router.exists(.modernToken))
  }

  /// A value of the app is newer than anything that a migration would read.
  @Test func aStoredValueIsNeitherAskedForNorReplaced() async throws {
    let router = StorageRouter.inMemory()
    try await router.set("token123", for: .replacedToken)
    let result = try await router.forceMigration(for: .replacedToken)
    #expect(result.success)
    #expect(result.migrated.isEmpty)
    #expect(ReplacingMigration.asked.withLock(\.self) == 0)
    #expect(try await router.get(.replacedToken) == "token123")
    try await router.set("token456", for: .modernToken)
    #expect(try await router.forceMigration(for: .modernToken).success)
    #expect(try await router.get(.modernToken) == "token456")
    let empty = StorageRouter.inMemory()
    #expect(try await empty.forceMigration(for: .replacedToken).migrated.count == 1)
    #expect(try await empty.get(.replacedToken) == "replaced")
    #expect(ReplacingMigration.asked.withLock(\.self) == 1)
  }
}

/// A migration that would replace whatever is stored.
private struct ReplacingMigration: StorageMigration {
  /// How often it was asked whether it has something to migrate.
  static let asked = Lock(0)
  let destinationKey = StorageKey.replacedToken

  func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
    Self.asked.withLock { $0 += 1 }
    return true
  }

  func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
    try await router.set("replaced", for: destinationKey)
    return MigrationResult(success: true)
  }
}

extension StorageKey where Value == String {
  fileprivate static let replacedToken: Self = StorageKey(
    name: "replaced_token",
    domain: .keychain(service: "com.myapp"),
    owner: "MigrationDemo",
    description: "A token of a migration that changes it.",
    migration: { _ in AnyStorageMigration(ReplacingMigration()) }
  )
}
