/// The progress of a run over all keys.
public struct MigrationProgress: Sendable, Hashable {
  /// The number of keys that are done, whether anything was moved or not.
  public var completed: Int
  /// The number of keys that have a migration and exist on this platform, with the members of families that were found.
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

    /// Returns what ``migrateAll(progress:)`` would do now, step by step. Changes nothing.
    ///
    /// The plan has a move for each step of a registered key that would move, remove or encrypt something, and for each
    /// source that would stay behind, and the same for each member of a family that has a stored source. If a key cannot
    /// be examined now, or the members of a family cannot be listed, the move has a ``MigrationPlan/Move/problem``.
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
    /// The run takes as long as it needs, and each of its waits ends after the configured timeout. If a container keeps it
    /// waiting that long, the other keys of the container fail with ``StorageError/busy(_:)`` without a wait, until one
    /// of them can be used again.
    ///
    /// - Parameter progress: Called after each batch of keys.
    /// - Returns: What was moved, and what failed and why. What failed is tried again with the next read.
    @discardableResult
    public func migrateAll(
      progress: @Sendable (MigrationProgress) -> Void = { _ in }
    ) async -> MigrationResult {
      let registry = router.setup.withLock(\.registry)
      return await run(registry.migrating, registry.migratingFamilies, progress)
    }

    /// Returns what was migrated, when, and by which version of the app, in order: for the app, and for the groups of
    /// registered keys.
    ///
    /// - Returns: The records.
    /// - Throws: ``StorageError/unknownFormatVersion(_:)`` if a newer version of the library wrote the log, and what else
    ///   keeps it from being read. The error names no key.
    public func history() async throws(StorageError) -> [MigrationRecord] { try await recorded() }
  }
}
