import SmallFoundation
import StorageStores

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
  /// for move in try await router.migrations.plan().moves { print(move) }
  /// await router.migrations.migrateAll { print("\($0.completed) of \($0.total)") }
  /// print(StorageAuditReport.renderText(for: AccountCatalog.self, history: try await router.migrations.history()))
  /// ```
  public struct Migrations: Sendable {
    let router: StorageRouter

    /// Returns the steps that ``migrateAll(progress:)`` would carry out now. Changes nothing.
    ///
    /// The plan has a move for each step of a registered key that would move, remove or encrypt something, and for each source
    /// that would stay. A value that an earlier release has stored after the last move is moved again. Members of families that have a stored
    /// source are included. If a key cannot be examined now, or the members of a family cannot be listed, the move has a
    /// ``MigrationPlan/Move/problem``.
    ///
    /// - Returns: The plan.
    /// - Throws: ``StorageError/invalidName(_:)`` and ``StorageError/invalidAppGroupIdentifier(_:)`` if a key has no
    ///   address on this device.
    public func plan() async throws(StorageError) -> MigrationPlan { try await planned() }

    /// Migrates every registered key that has something to migrate, and every member of a registered family.
    ///
    /// The members of a family are found by the names that are stored in the containers of its sources. A container that
    /// cannot be listed now is a failure.
    ///
    /// The whole run has no time limit, but each wait ends after the configured timeout. If a wait for a container times out,
    /// the other keys of the container fail with ``StorageError/busy(_:)`` without a wait, until one of them can be used
    /// again.
    ///
    /// - Parameter progress: Called for each key, in the order in which they are migrated. In the last call `completed` is
    ///   `total`, and all sources of moved values are removed.
    /// - Returns: The records of the moved values, and the errors of the keys that failed. The next read of such a key tries
    ///   again.
    @discardableResult
    public func migrateAll(
      progress: @Sendable (MigrationProgress) -> Void = { _ in }
    ) async -> MigrationResult {
      let registry = router.setup.withLock(\.registry)
      return await run(registry.migrating, registry.migratingFamilies, progress)
    }

    /// Returns the history of migrations, sorted by date: of the app, and of the groups of registered keys. Each record
    /// contains the key, the date and the version of the app.
    ///
    /// - Returns: The records.
    /// - Throws: ``StorageError/unknownFormatVersion(_:)`` if a newer version of the library wrote the log. Every other
    ///   ``StorageError`` that prevents reading the log. The errors name no key.
    public func history() async throws(StorageError) -> [MigrationRecord] { try await recorded() }
  }
}
