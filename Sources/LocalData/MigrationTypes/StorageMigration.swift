/// How a key's value comes from where it lay before.
///
///     struct TokenMigration: StorageMigration {
///       let destinationKey = StorageKey.modernToken
///
///       func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
///         try await router.exists(.legacyToken)
///       }
///
///       func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
///         guard let token = try await router.get(.legacyToken) else { return MigrationResult(success: true) }
///         try await router.set("Bearer " + token, for: destinationKey)
///         try await router.remove(.legacyToken)
///         return MigrationResult(success: true)
///       }
///     }
///
/// Both methods run in the turn of the key that is read: calls on the router from there, and only from there, join that
/// turn instead of waiting for it, and may read and remove legacy keys. What they `set` is durable when the call returns.
/// A key that is removed before they ran is not migrated any more; what they would have read stays.
/// They may be run again after a process was killed, and must come to the same result then. What they throw reaches the
/// caller as ``StorageError/migrationFailed(_:)``, unless it is a ``StorageError``.
public protocol StorageMigration<Value>: Sendable {
  /// What the destination's `get` returns.
  associatedtype Value: Sendable

  /// The key that is read.
  var destinationKey: StorageKey<Value> { get }

  /// Whether there is something to migrate. Asked where nothing is stored at the destination; changes nothing.
  func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool

  /// Stores the value at the destination, and removes what it came from afterwards.
  func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult
}

/// A migration that declares what it does instead of doing it. The library moves its values itself, so that they stay
/// readable if the process is killed at any time.
protocol DeclaredMigration: Sendable {
  var steps: [MigrationStep] { get }
}

extension AnyStorageMigration {
  /// Erases the type of a migration.
  public init(_ migration: some StorageMigration) {
    let steps = (migration as? any DeclaredMigration)?.steps
    self.init(steps: steps ?? [MigrationStep(action: .custom(CustomMigration(migration)))])
  }

  /// Erases the type of a custom migration that a catalog names. It must be a migration of the type that its key reads.
  @_spi(Generated) public init<Value>(_ migration: some StorageMigration<Value>, for key: StorageKey<Value>) {
    self.init(migration)
  }
}

extension CustomMigration {
  init(_ migration: some StorageMigration) {
    self.init(
      typeName: "\(type(of: migration as Any))",
      shouldMigrate: { router, context in
        try await migration.shouldMigrate(using: try Self.router(router), context: context)
      },
      migrate: { router, context in
        try await migration.migrate(using: try Self.router(router), context: context)
      })
  }

  /// Returns the caller, which is the router. No other type runs migrations.
  private static func router(_ caller: any StorageProviding) throws -> StorageRouter {
    guard let router = caller as? StorageRouter else { throw SourceTypeMismatch() }
    return router
  }
}

/// A source whose value is not of the type that the migration was written for.
struct SourceTypeMismatch: Error {}
