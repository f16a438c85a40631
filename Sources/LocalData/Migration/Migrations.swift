extension StorageRouter {
  /// What can be asked of migrations besides the everyday verbs.
  public nonisolated var migrations: Migrations { Migrations(router: self) }

  /// What can be asked of migrations besides the everyday verbs.
  ///
  ///     for move in try await router.migrations.plan().moves { print(move) }
  ///     try await router.migrations.sweep { print("\($0.completed) of \($0.total)") }
  ///     print(StorageAuditReport.renderText(for: AccountCatalog.self, history: try await router.migrations.history()))
  public struct Migrations: Sendable {
    fileprivate let router: StorageRouter

    /// What a sweep would move now, from where to where, and what would be weaker there. Changes nothing.
    ///
    /// Covers every registered key that has a migration; members of families are migrated by their first read. A key of
    /// which it cannot be told now has a move with its ``MigrationPlan/Move/problem``.
    ///
    /// - Throws: ``StorageError/invalidName(_:)`` and ``StorageError/invalidAppGroupIdentifier(_:)`` where a key has no
    ///   place on this device.
    public func plan() async throws(StorageError) -> MigrationPlan { try await router.migrationPlan() }

    /// Migrates every registered key that has something to migrate.
    ///
    /// - Parameter progress: Called after each batch of keys.
    /// - Returns: What was moved, and what failed and why; what failed is tried again with the next read.
    @discardableResult
    public func sweep(
      progress: @Sendable (MigrationProgress) -> Void = { _ in }
    ) async -> MigrationResult {
      await router.sweep(router.setup.withLock { $0.registry.migrating }, progress)
    }

    /// What was migrated, when and by which version of the app, in order: of the app, and of the groups of registered
    /// keys.
    ///
    /// - Throws: ``StorageError/corrupted(_:)``, ``StorageError/unknownFormatVersion(_:)`` and what else keeps a log from
    ///   being read; no key is named then.
    public func history() async throws(StorageError) -> [MigrationRecord] { try await router.migrationHistory() }
  }
}
