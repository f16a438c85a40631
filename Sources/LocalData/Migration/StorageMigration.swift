/// A migration that brings a key's value from the address where an earlier release stored it.
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
  /// The type that `get` returns for the destination.
  associatedtype Value: Sendable

  /// The key that is read.
  var destinationKey: StorageKey<Value> { get }

  /// Returns true if there is something to migrate. It is called if nothing is stored at the destination, and must change
  /// nothing.
  ///
  /// - Throws: Any error. A ``StorageError`` reaches the caller of the router as it is, every other error as
  ///   ``StorageError/migrationFailed(_:)``.
  func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool

  /// Stores the value at the destination, and removes what it came from afterwards.
  ///
  /// - Throws: Any error, as in ``shouldMigrate(using:context:)``. The migration is tried again with the next read.
  func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult
}
