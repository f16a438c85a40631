import LocalDataFoundation
package import LocalDataStores

extension Migrator {
  /// Creates the executor of migrations for a key, with the functions of the router that it needs.
  package init(for plan: KeyPlan?, on router: StorageRouter) {
    let configuration = router.setup.withLock(\.storage)
    let values = router.values(for: plan)
    self.init(
      values: values, cache: router.migrationCache,
      setting: MigrationSetting(
        appVersion: configuration.resolvedApplicationVersion, platform: configuration.platform,
        launch: values.services.launch),
      app: AppMigrations(on: router),
      sourcePlan: { key async throws(StorageError) in try await KeyPlan(ofSource: key, on: router) })
  }
}

extension AppMigrations {
  /// Creates the functions that run custom migrations. Calls of the router from within a custom migration do not wait for a turn.
  fileprivate init(on router: StorageRouter) {
    self.init(
      shouldMigrate: { migration, plan, context async throws(StorageError) in
        try await MigrationTurn.run(of: plan.address, plan.subject, on: router) { router in
          try await migration.shouldMigrate(router, context)
        }
      },
      migrate: { migration, plan, context, keepsValue async throws(StorageError) in
        try await MigrationTurn.run(of: plan.address, plan.subject, on: router, keepsValue: keepsValue) { router in
          try await migration.migrate(router, context)
        }
      })
  }
}

extension MigrationTurn {
  /// Runs code of the app within the turn of a key, of a family as a whole, or of a database.
  package static func run<Result: Sendable>(
    of address: StorageAddress, _ subject: StorageError.Subject, on router: StorageRouter, keepsValue: Bool = false,
    _ body: @Sendable (StorageRouter) async throws -> Result
  ) async throws(StorageError) -> Result {
    let turn = MigrationTurn(of: address, on: router, keepsValue: keepsValue)
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
      throw StorageError(.migrationFailed, subject, underlyingError: error)
    }
  }
}
