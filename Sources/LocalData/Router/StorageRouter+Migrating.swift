import SmallFoundation
import StorageStores

/// Creates the executor of migrations, with the functions of the router that it needs.
extension StorageRouter {
  /// Returns the executor of migrations for a key.
  package nonisolated func migrator(for plan: KeyPlan?) -> Migrator {
    let configuration = setup.withLock(\.storage)
    let values = values(for: plan)
    return Migrator(
      values: values, cache: migrationCache,
      setting: MigrationSetting(
        appVersion: configuration.resolvedApplicationVersion, platform: configuration.platform,
        launch: values.services.launch),
      app: appMigrations,
      sourcePlan: { key async throws(StorageError) in try await self.sourcePlan(of: key) })
  }

  // MARK: Custom migrations

  /// The functions that run custom migrations. Calls of the router from within a custom migration do not wait for a turn.
  private nonisolated var appMigrations: AppMigrations {
    AppMigrations(
      shouldMigrate: { migration, plan, context async throws(StorageError) in
        try await MigrationTurn.run(of: plan, on: self, keepsValue: false) { router in
          try await migration.shouldMigrate(router, context)
        }
      },
      migrate: { migration, plan, context, keepsValue async throws(StorageError) in
        try await MigrationTurn.run(of: plan, on: self, keepsValue: keepsValue) { router in
          try await migration.migrate(router, context)
        }
      })
  }

  /// Returns the plan of a migration source. The source need not be registered, legacy or available on this platform.
  package func sourcePlan(of key: AnyStorageKey) async throws(StorageError) -> KeyPlan {
    try await accessGroup?.learn(for: key.domain, key.subject, setup)
    return try setup.withLock { (setup) throws(StorageError) in try setup.sourcePlan(key) }
  }
}

extension MigrationTurn {
  /// Runs code of the app within the turn of a key.
  fileprivate static func run<Result: Sendable>(
    of plan: KeyPlan, on router: StorageRouter, keepsValue: Bool,
    _ body: @Sendable (StorageRouter) async throws -> Result
  ) async throws(StorageError) -> Result {
    let turn = MigrationTurn(of: plan.address, on: router, keepsValue: keepsValue)
    defer {
      turn.end()
      // The code of the app used this time. It does not count as waiting.
      CallDeadline.current?.renew()
    }
    do {
      return try await MigrationTurn.$current.withValue(turn) { try await body(router) }
    } catch let error as StorageError {
      throw error
    } catch {
      throw StorageError(.migrationFailed, plan.subject, underlyingError: error)
    }
  }
}
