import StorageVocabulary

/// Migrations that do their work themselves.
extension StorageRouter {
  /// Runs a migration that finds something to do; `nil` where it finds nothing, or has stored nothing.
  func run(
    _ migration: any StorageMigration, _ candidate: MigrationCandidate
  ) async throws(StorageError) -> CommittedMove? {
    let plan = candidate.plan
    let context = try migrationContext(plan)
    let result = try await joining(plan) { router in
      guard try await migration.shouldMigrate(using: router, context: context) else { return nil as MigrationResult? }
      return try await migration.migrate(using: router, context: context)
    }
    guard let result else { return nil }
    guard result.success else { throw result.failures.first ?? .migrationFailed(plan.subject) }
    guard try await isStored(plan) else { return nil }
    return CommittedMove(candidate: candidate, removals: [], entry: entry(candidate, sources: [], .moved, .committed))
  }

  /// Whether a migration finds something to do.
  func shouldRun(
    _ migration: any StorageMigration, _ candidate: MigrationCandidate
  ) async throws(StorageError) -> Bool {
    let context = try migrationContext(candidate.plan)
    return try await joining(candidate.plan) { router in
      try await migration.shouldMigrate(using: router, context: context)
    }
  }

  private func migrationContext(_ plan: KeyPlan) throws(StorageError) -> MigrationContext {
    let log = try log(of: plan)
    let configuration = setup.withLock(\.storage)
    do throws(StorageFault) {
      return MigrationContext(
        appVersion: configuration.resolvedApplicationVersion, platform: configuration.platform,
        previousMigrations: try log.records(), clock: clock)
    } catch {
      throw StorageError(error, plan.subject, limit: plan.maxSize)
    }
  }

  /// Runs the app's code, whose calls on the router join the turn of the key.
  private func joining<Result: Sendable>(
    _ plan: KeyPlan, _ body: @Sendable (StorageRouter) async throws -> Result
  ) async throws(StorageError) -> Result {
    let turn = MigrationTurn(of: plan.place, on: self)
    defer { turn.end() }
    do {
      return try await MigrationTurn.$current.withValue(turn) { try await body(self) }
    } catch let error as StorageError {
      throw error
    } catch {
      // The app's error may quote the value, so it goes no further.
      throw .migrationFailed(plan.subject)
    }
  }
}
