import StorageVocabulary

/// Migrations that are asked for.
extension StorageRouter {
  /// Brings a key's value from its sources now, instead of with the next read, and removes what is left of them.
  ///
  /// - Returns: What was moved; nothing where nothing was to be.
  /// - Throws: ``StorageError/migrationFailed(_:)`` where a transform or a migration of the app's own throws, or a
  ///   condition asks for a version that is not known; what keeps a source from being read, such as
  ///   ``StorageError/locked(_:)``, with the source's name; and what ``set(_:for:)`` throws. The sources stay then.
  @discardableResult
  public func forceMigration<Value>(for key: StorageKey<Value>) async throws(StorageError) -> MigrationResult {
    let key = AnyStorageKey(key)
    guard let migration = key.migration?() else {
      _ = try await plan(for: key)
      return .nothing
    }
    // A migration that asks for itself is running already.
    if MigrationTurn.isRunning(on: self, at: try await plan(for: key, .write).place) { return .nothing }
    return try await runMigration(of: key, migration.steps)
  }

  /// Runs the steps of a key's migration in its turn.
  func runMigration(of key: AnyStorageKey, _ steps: [MigrationStep]) async throws(StorageError) -> MigrationResult {
    let plan = try await plan(for: key, .write)
    return try await inTurn(at: plan.place) { router throws(StorageError) in
      guard let move = try await router.migrateNow(MigrationCandidate(key, plan, steps)) else { return .nothing }
      let finished = await router.finish([move])
      if let failure = finished.failures.first { throw failure }
      return MigrationResult(success: true, migrated: [move.entry.record])
    }
  }

  /// Whether a source of these steps holds something.
  func findsSource(of key: AnyStorageKey, _ steps: [MigrationStep]) async throws(StorageError) -> Bool {
    let plan = try await plan(for: key)
    return try await inTurn(at: plan.place) { router throws(StorageError) in
      let candidate = MigrationCandidate(key, plan, steps)
      guard try router.logEntry(candidate) == nil else { return false }
      return try await router.findsSource(candidate)
    }
  }

  /// Whether a step would bring a value.
  func findsSource(_ candidate: MigrationCandidate) async throws(StorageError) -> Bool {
    for step in candidate.steps {
      switch step.action {
      case .custom(let migration):
        if try holds(step, candidate), try await shouldRun(migration, candidate) { return true }
      case .move(let move):
        for key in move.sources {
          let source = try await sourcePlan(of: key)
          guard !source.isInPlace(of: candidate.plan) else { continue }
          if try await isStored(source), try holds(step, candidate) { return true }
        }
      }
    }
    return false
  }

  /// Where nothing is left to move, a migration of the app's own is asked too: it may know of more.
  func migrateNow(_ candidate: MigrationCandidate) async throws(StorageError) -> CommittedMove? {
    if let move = try await commit(candidate, isPatient: false) { return move }
    guard try logEntry(candidate) == nil else { return nil }
    for step in candidate.steps {
      guard case .custom(let migration) = step.action, try holds(step, candidate) else { continue }
      if let move = try await run(migration, candidate) { return move }
    }
    return nil
  }
}
