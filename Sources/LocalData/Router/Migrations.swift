import LocalDataFoundation
import LocalDataStores

/// The progress of a run over all keys.
public struct MigrationProgress: Sendable, Hashable {
  /// The number of keys that are done, including those for which nothing was moved.
  public var completed: Int
  /// The number of keys that have a migration and exist on this platform, including the members of families.
  public var total: Int
}

extension StorageRouter {
  /// Functions for migrations besides the everyday verbs.
  public nonisolated var migrations: Migrations { Migrations(router: self) }

  /// Functions for migrations besides the everyday verbs.
  ///
  /// ```swift
  /// await router.migrations.migrateAll { print("\($0.completed) of \($0.total)") }
  /// ```
  ///
  /// LocalDataMaintenance has two more: `plan()` returns what a run would do, and `history()` what runs have done.
  public struct Migrations: Sendable {
    package let router: StorageRouter

    /// Migrates every registered key that has something to migrate, and every member of a registered family.
    ///
    /// The members of a family are found by the names that are stored in the containers of its sources. A container that
    /// cannot be listed now is a failure.
    ///
    /// The whole run has no time limit, but each wait ends after the configured timeout. If a wait for a container times out,
    /// the other keys of the container fail with ``StorageProblem/Code/busy`` without a wait, until one of them can be used
    /// again.
    ///
    /// - Parameter progress: Called for each key, in the order in which they are migrated. In the last call `completed` is
    ///   `total`, and all sources of moved values are removed.
    /// - Returns: The events of the moved values, and the errors of the keys that failed. The next read of such a key tries
    ///   again.
    @discardableResult
    @concurrent public func migrateAll(
      progress: @Sendable (MigrationProgress) -> Void = { _ in }
    ) async -> MigrationResult {
      let registry = router.setup.withLock(\.registry)
      return await run(registry.migrating, registry.migratingFamilies, progress)
    }
  }
}
