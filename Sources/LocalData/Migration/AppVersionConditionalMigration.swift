/// A migration that only some versions of the app carry out.
///
///     AppVersionConditionalMigration(destinationKey: key, condition: .below(2, 0), migration: migration)
///
/// If a source is found and the version of the running app is not known, the read throws
/// ``StorageError/migrationFailed(_:)``. Set `StorageConfiguration.applicationVersion` then.
public struct AppVersionConditionalMigration<Value: Sendable>: StorageMigration, DeclaredMigration {
  /// The key that is read.
  public let destinationKey: StorageKey<Value>
  /// The condition on the version of the running app.
  public let condition: AppVersionCondition
  private let migration: AnyStorageMigration

  /// A migration with its condition.
  public init(destinationKey: StorageKey<Value>, condition: AppVersionCondition, migration: AnyStorageMigration) {
    self.destinationKey = destinationKey
    self.condition = condition
    self.migration = migration
  }

  var steps: [MigrationStep] {
    migration.steps.map { step in
      var step = step
      step.conditions.append(condition)
      return step
    }
  }

  /// Returns true if the condition holds and there is something to migrate.
  ///
  /// - Throws: A ``StorageError`` if a source cannot be looked at now.
  public func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
    try await router.findsSource(of: AnyStorageKey(destinationKey), steps)
  }

  /// Carries out the migration if the condition holds.
  ///
  /// - Throws: A ``StorageError`` if the migration cannot be carried out now. The sources stay then.
  public func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
    try await router.runMigration(of: AnyStorageKey(destinationKey), steps)
  }
}
