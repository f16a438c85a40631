import LocalDataVocabulary

/// Runs the code of custom migrations. The router makes it, because they call the router.
struct AppMigrations: Sendable {
  /// Calls `shouldMigrate` of a custom migration.
  var shouldMigrate: @Sendable (CustomMigration, KeyPlan, MigrationContext) async throws(StorageError) -> Bool
  /// Runs a migration. If `keepsValue` is true, its changes of the destination are ignored.
  var migrate:
    @Sendable (CustomMigration, KeyPlan, MigrationContext, _ keepsValue: Bool) async throws(StorageError) ->
      MigrationResult
}

/// Custom migrations: code of the app.
extension Migrator {
  /// The end of a run of a custom migration.
  enum CustomEnd: Sendable {
    case withValue, withoutValue
    /// Another process has run it meanwhile, or has removed the key.
    case overtaken
  }

  /// Runs a custom migration. That it starts is noted before the app's code runs.
  func run(_ candidate: MigrationCandidate, _ index: Int, keepsValue: Bool) async throws(StorageError) -> CustomEnd {
    guard case .custom(let migration) = candidate.steps[index].step.action else { return .withoutValue }
    let plan = candidate.plan
    let step = candidate.steps[index].id
    let context = try await context(for: plan)
    if !keepsValue {
      try await note([entry(candidate, [step], .started, nil)], of: candidate)
      let phase = candidate.stepEntries(in: try await ledger(of: plan))[index].phase
      guard phase == .started || phase == .superseded else { return .overtaken }
    }
    let result = try await app.migrate(migration, plan, context, keepsValue)
    guard result.success else { throw result.failures.first ?? StorageError(.migrationFailed, plan.subject) }
    if try await values.isStored(plan) { return .withValue }
    if !keepsValue { try await note([entry(candidate, [step], .ended, nil)], of: candidate) }
    return .withoutValue
  }

  /// Prepares a write of the app to a key.
  ///
  /// A custom migration that has started and did not complete may no longer change the value. If the log notes that a value
  /// was moved away from the key's address, or that its form is no longer accepted there, this notes that a value is stored
  /// there again.
  func prepareWrite(_ candidate: MigrationCandidate) async throws(StorageError) {
    let ledger: MigrationLedger
    // A log that cannot be read now keeps no value from being stored.
    do throws(StorageError) { ledger = try await self.ledger(of: candidate.plan) } catch {
      return cache.overwrite(candidate.plan.address)
    }
    try await signOut(candidate)
    await takeNewerValue(candidate, ledger)
    var entries: [MigrationEntry] = []
    let started = zip(candidate.stepEntries(in: ledger), candidate.steps).filter { $0.0.phase == .started }.map(\.1.id)
    if !started.isEmpty { entries.append(entry(candidate, started, .superseded, nil)) }
    if ledger.mustNoteWrite(to: candidate.id, candidate.form), await retirement.accept(of: candidate, ledger) {
      entries.append(entry(candidate, [.write], .completed, nil))
    }
    try await note(entries, of: candidate)
  }

  /// Moves a value that an earlier release has written after the last move, or that is newer than a leftover at the key's
  /// address, before the app writes a newer one or removes the key. Without this, a later launch could not know which of the two
  /// is newer.
  func takeNewerValue(_ candidate: MigrationCandidate, _ ledger: MigrationLedger) async {
    let others = await ledgers(ofSourcesOf: candidate)
    guard ledger.isLeftover(candidate.id) || candidate.notes(in: ledger, others).joined().contains(where: { $0 != nil })
    else { return }
    do throws(StorageError) {
      guard try await hasNewerSource(candidate) else { return }
      if let move = try await commit(candidate, for: .access) { _ = await finish([move]) }
    } catch {
      // The source cannot be read now. The value that the app writes is newer.
      cache.overwrite(candidate.plan.address)
    }
  }

  private func hasNewerSource(_ candidate: MigrationCandidate) async throws(StorageError) -> Bool {
    var attempt = try await MigrationAttempt(self, candidate, .access)
    await attempt.inspectDestination()
    if attempt.state.destination == .leftover { return true }
    for step in attempt.state.steps.indices where attempt.state.steps[step].isNoted {
      await attempt.inspect(step)
      if [.newer, .present].contains(attempt.state.steps[step].source) { return true }
      if attempt.state.steps[step].source == .unreadable { throw attempt.error(of: .source(step: step)) }
    }
    return false
  }
}
