import StorageVocabulary

/// What the verbs ask of migrations. All of it runs in the turn of the key, and only for keys that have a migration.
extension StorageRouter {
  /// Returns the executor of migrations for a key.
  func migrator(for plan: KeyPlan?) -> Migrator {
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

  /// Brings a key's value to its destination before it is read or changed.
  ///
  /// What cannot be removed yet stays, and is tried again with the next call.
  func settle(_ key: AnyStorageKey, _ plan: KeyPlan) async throws(StorageError) {
    guard let candidate = await unsettled(key, plan) else { return }
    let migrator = migrator(for: plan)
    guard let move = try await migrator.commit(candidate, for: .access) else { return }
    _ = await migrator.finish([move])
  }

  /// Prepares the log for a value that is about to be written.
  func prepareWrite(_ key: AnyStorageKey, _ plan: KeyPlan) async throws(StorageError) {
    guard let candidate = await unsettled(key, plan) else { return }
    try await migrator(for: plan).prepareWrite(candidate)
  }

  /// Lets a value that was just stored win over what its sources hold.
  func settleAfterWriting(_ key: AnyStorageKey, _ plan: KeyPlan) async {
    // The value is stored, whatever becomes of the sources; the next read asks again.
    do throws(StorageError) { try await settle(key, plan) } catch {}
  }

  /// Removes a value with its sources, so that none of them brings it back.
  func removeForGood(_ key: AnyStorageKey, _ plan: KeyPlan) async throws(StorageError) {
    if MigrationTurn.keepsValue(on: self, at: plan.place) { return }
    let migrator = migrator(for: plan)
    if let noted = try await noteRemoval(key, plan) {
      try await migrator.removeInTurn(plan)
      try await migrator.removeSources(noted)
    } else {
      try await values(for: plan).removeStored(plan)
    }
    // What a migration removes leaves no copy either.
    if MigrationTurn.isRunning(on: self) { try await values(for: plan).purge(plan) }
  }

  /// Records that a value is about to be removed, if its sources would bring it back.
  ///
  /// - Returns: What is to be removed after the value.
  func noteRemoval(_ key: AnyStorageKey, _ plan: KeyPlan) async throws(StorageError) -> CommittedMove? {
    guard let migration = key.migration?(), !MigrationTurn.isRunning(on: self, at: plan.place) else { return nil }
    let migrator = migrator(for: plan)
    return try await migrator.noteRemoval(await migrator.candidate(key, plan, migration.steps))
  }

  /// Removes the sources of a value that was removed.
  func removeSources(_ removal: CommittedMove) async throws(StorageError) {
    try await migrator(for: removal.candidate.plan).removeSources(removal)
  }

  /// Returns true if a source would give the key its value.
  func isInSource(_ key: AnyStorageKey, _ plan: KeyPlan) async throws(StorageError) -> Bool {
    guard let candidate = await unsettled(key, plan) else { return false }
    return try await migrator(for: plan).findsSource(candidate)
  }

  /// A key whose sources may still matter, or nil for most calls.
  private func unsettled(_ key: AnyStorageKey, _ plan: KeyPlan) async -> MigrationCandidate? {
    guard let migration = key.migration, !migrationCache.isSettled(plan.place),
      !MigrationTurn.isRunning(on: self, at: plan.place)
    else { return nil }
    return await migrator(for: plan).candidate(key, plan, migration().steps)
  }

  // MARK: Custom migrations

  /// Runs the app's code, whose calls wait for no turn.
  private nonisolated var appMigrations: AppMigrations {
    AppMigrations(
      shouldMigrate: { migration, plan, context async throws(StorageError) in
        try await self.joining(plan, keepsValue: false) { router in
          try await migration.shouldMigrate(router, context)
        }
      },
      migrate: { migration, plan, context, keepsValue async throws(StorageError) in
        try await self.joining(plan, keepsValue: keepsValue) { router in
          try await migration.migrate(router, context)
        }
      })
  }

  private nonisolated func joining<Result: Sendable>(
    _ plan: KeyPlan, keepsValue: Bool, _ body: @Sendable (StorageRouter) async throws -> Result
  ) async throws(StorageError) -> Result {
    let turn = MigrationTurn(of: plan.place, on: self, keepsValue: keepsValue)
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

  /// Works out the address of a source. Whether it is registered, legacy or available does not matter.
  func sourcePlan(of key: AnyStorageKey) async throws(StorageError) -> KeyPlan {
    try await learnAccessGroup(for: key)
    return try setup.withLock { (setup) throws(StorageError) in
      let plan = try setup.plan(key)
      // The master key is nobody's source.
      if setup.encryption.reserves(plan.place) { throw .invalidName(plan.subject) }
      return plan.unversioned
    }
  }
}
