import StorageVocabulary

/// The executor of migrations, and what it needs of the router.
extension StorageRouter {
  /// Returns the executor of migrations for a key.
  nonisolated func migrator(for plan: KeyPlan?) -> Migrator {
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

  /// Runs the app's code, whose calls wait for no turn.
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

  /// Works out the address of a source. Whether it is registered, legacy or available does not matter.
  func sourcePlan(of key: AnyStorageKey) async throws(StorageError) -> KeyPlan {
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
    let turn = MigrationTurn(of: plan.place, on: router, keepsValue: keepsValue)
    defer {
      turn.end()
      // The app's code took that time, and waited for nothing.
      CallDeadline.current?.renew()
    }
    do {
      return try await MigrationTurn.$current.withValue(turn) { try await body(router) }
    } catch let error as StorageError {
      throw error
    } catch {
      // The app's error may quote the value, so it goes no further.
      throw .migrationFailed(plan.subject)
    }
  }
}
