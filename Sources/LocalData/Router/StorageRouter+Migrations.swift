import StorageVocabulary

/// Migrations that are requested.
extension StorageRouter {
  /// Migrates a key now, instead of with its next read, and removes what is left of its sources.
  ///
  /// - Parameter key: The key.
  /// - Returns: What was moved, or nothing if there was nothing to move.
  /// - Throws: ``StorageError/migrationFailed(_:)`` if a transform or a custom migration throws, or if a condition asks
  ///   for the version of the app and it is not known. ``StorageError/locked(_:)`` and other errors of a source, with the
  ///   name of the source. What ``set(_:for:)`` throws. The sources stay then.
  @discardableResult
  public func forceMigration<Value>(for key: StorageKey<Value>) async throws(StorageError) -> MigrationResult {
    let key = AnyStorageKey(key)
    guard let migration = key.migration?() else {
      _ = try await plan(for: key)
      return .nothing
    }
    // A migration that requests itself is running already.
    if MigrationTurn.isRunning(on: self, at: try await plan(for: key, .write).place) { return .nothing }
    return try await migrations.run(key, migration.steps)
  }

  /// Registers the keys of a catalog and migrates all of its keys that have something to migrate.
  ///
  /// - Parameters:
  ///   - catalog: The catalog.
  ///   - migrateImmediately: Whether its keys are migrated now.
  ///   - progress: Called after each batch of keys.
  /// - Returns: What was moved, and what failed and why. A key that cannot be migrated now does not keep the others from
  ///   being migrated, and is tried again with its next read.
  /// - Throws: What ``registerCatalog(_:)`` throws. Nothing was migrated then.
  @discardableResult
  public func registerCatalog(
    _ catalog: (some StorageKeyCatalog).Type, migrateImmediately: Bool,
    progress: @Sendable (MigrationProgress) -> Void = { _ in }
  ) async throws(StorageError) -> MigrationResult {
    try registerCatalog(catalog)
    guard migrateImmediately else { return .nothing }
    let keys = catalog.allKeys.filter { $0.migration != nil && !$0.options.isLegacy }
    return await migrations.run(keys, catalog.allFamilies.filter { $0.migration != nil }, progress)
  }
}
