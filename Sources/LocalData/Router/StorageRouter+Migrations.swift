import LocalDataVocabulary

/// Migrations that the app requests.
extension StorageRouter {
  /// Migrates a key now, instead of with its next read, and removes its sources.
  ///
  /// - Parameter key: The key.
  /// - Returns: The event of the migration. The result has no events if there was nothing to migrate.
  /// - Throws: ``StorageProblem/Code/migrationFailed`` if a transform or a custom migration throws an error, or if a condition
  ///   needs the version of the app and it is not known. ``StorageProblem/Code/locked`` and other errors of a source, with the
  ///   name of the source. Every error that ``set(_:for:)`` throws. After an error the sources stay at their addresses.
  @discardableResult
  public func forceMigration<Value>(for key: StorageKey<Value>) async throws(StorageError) -> MigrationResult {
    let key = AnyStorageKey(key)
    guard let migration = key.migration?() else {
      _ = try await plan(for: key)
      return .nothing
    }
    // The caller is a custom migration of this key.
    if MigrationTurn.isRunning(on: self, at: try await plan(for: key, .write).address) { return .nothing }
    return try await migrations.run(key, migration.steps)
  }

  /// Registers the keys of a catalog and migrates all of its keys that have something to migrate.
  ///
  /// - Parameters:
  ///   - catalog: The catalog.
  ///   - migrateImmediately: True if the keys of the catalog are migrated now.
  ///   - progress: Called for each key, in the order in which they are migrated.
  /// - Returns: The events of the moved values, and the errors of the keys that failed. If a key cannot be migrated now, the
  ///   others are migrated all the same. The next read of the key tries again.
  /// - Throws: Every error that ``registerCatalog(_:)`` throws. After an error nothing was migrated.
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
