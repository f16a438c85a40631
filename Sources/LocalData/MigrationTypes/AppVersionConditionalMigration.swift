/// A migration that runs only in certain versions of the app.
///
///     AppVersionConditionalMigration(destinationKey: key, condition: .below(2, 0), migration: migration)
///
/// If a source has a value and the version of the running app is not known, the read throws
/// ``StorageProblem/Code/migrationFailed``. Set `StorageConfiguration.applicationVersion` to prevent that.
public struct AppVersionConditionalMigration<Value: Sendable>: StorageMigration, DeclaredMigration {
  /// The key that the value is migrated to.
  public let destinationKey: StorageKey<Value>
  /// The condition on the running app's version.
  public let condition: AppVersionCondition
  private let migration: AnyStorageMigration

  /// Creates a migration with a condition.
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
  /// - Throws: A ``StorageError`` if a source cannot be read now.
  @concurrent public func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
    try await router.migrations.findsSource(of: AnyStorageKey(destinationKey), steps)
  }

  /// Runs the migration if the condition holds.
  ///
  /// - Throws: A ``StorageError`` if the migration cannot be carried out now. The sources stay.
  @concurrent public func migrate(using router: StorageRouter, context: MigrationContext) async throws
    -> MigrationResult
  {
    try await router.migrations.run(AnyStorageKey(destinationKey), steps)
  }
}
