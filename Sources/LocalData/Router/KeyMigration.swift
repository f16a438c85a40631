import LocalDataFoundation
import LocalDataStores

/// The migration of one key during a call of a verb. The caller holds the key's turn.
///
/// A key without a migration has an entry in the log if a later release has moved its value: then a write and a removal are
/// recorded, so that the later release finds the value that was written last.
///
/// Calls from within a custom migration of the same key belong to that migration, and migrate nothing.
package struct KeyMigration: Sendable {
  package let key: AnyStorageKey
  let plan: KeyPlan
  let router: StorageRouter

  /// Creates the migration of a key. It has no steps if the key has no migration.
  package init(_ key: AnyStorageKey, _ plan: KeyPlan, on router: StorageRouter) {
    self.key = key
    self.plan = plan
    self.router = router
  }

  /// Moves the value to its destination before it is read or changed.
  ///
  /// A source that cannot be removed yet stays, and the next call tries again.
  package func settle() async throws(StorageError) {
    guard key.migration != nil, let candidate = await unsettled() else { return }
    guard let move = try await migrator.commit(candidate, for: .access) else { return }
    _ = await migrator.finish([move])
  }

  /// Notes that the value is about to be changed, if a release has to know that: another release then finds the newest value, and no
  /// source provides a removed value again.
  ///
  /// - Returns: The sources to remove after the value; `nil` if there are none.
  func note(_ kind: KeyChange.Kind) async throws(StorageError) -> UnfinishedMigration? {
    if isRunning { return nil }
    if isDone(before: kind), await !mustNote(kind, knownLedger) { return nil }
    let candidate = await migrator.candidate(key, plan, steps)
    if kind != .write { return try await migrator.noteRemoval(candidate, isOfApp: kind == .removal) }
    try await migrator.prepareWrite(candidate)
    return nil
  }

  /// Returns true if only the log can require a note of a change. A removal concerns the sources of every migration.
  func isDone(before kind: KeyChange.Kind) -> Bool {
    key.migration == nil || kind == .write && router.migrationCache.isSettled(plan.address)
  }

  /// Returns true if a later release has moved the key's value, or if an earlier one has stored it in another form, so that the log
  /// must have a note of a change.
  ///
  /// - Parameter ledger: The state of the log; `nil` if it cannot be read now.
  func mustNote(_ kind: KeyChange.Kind, _ ledger: MigrationLedger?) -> Bool {
    guard let ledger, !ledger.isEmpty else { return false }
    guard kind == .write else { return ledger.isAbout(AddressID(plan)) }
    return ledger.mustNoteWrite(to: AddressID(plan), StoredForm(key.security, in: key.domain.kind))
  }

  /// Returns true if an earlier migration has moved the key's value to another address, and has left the old value here.
  func isLeftover() async throws(StorageError) -> Bool {
    guard key.migration != nil, !router.migrationCache.isSettled(plan.address), !isRunning else { return false }
    return try await migrator.ledger(of: plan).isLeftover(AddressID(plan))
  }

  /// Returns the sources at other addresses. An earlier release may have moved their values aside.
  package func sources() async -> [KeyPlan] {
    guard !isRunning else { return [] }
    let candidate = await migrator.candidate(key, plan, steps)
    return candidate.sources.filter { !$0.isShared }.map(\.plan)
  }

  /// Returns true if an earlier release has removed the value that a migration has moved to the key's address. The next call that
  /// uses the value removes it.
  func isSignedOut() async -> Bool {
    guard key.migration != nil, let candidate = await unsettled() else { return false }
    return await migrator.signedOut(candidate).contains { $0.id == candidate.id }
  }

  /// Returns true if the migration would find a value for the key.
  func findsSource() async throws(StorageError) -> Bool {
    guard key.migration != nil, let candidate = await unsettled() else { return false }
    return try await migrator.providingStep(candidate) != nil
  }

  /// Returns true if the migration would find a value for the key, and the key's retention would not remove it at once.
  func findsValue() async throws(StorageError) -> Bool {
    guard key.migration != nil, let candidate = await unsettled() else { return false }
    guard let step = try await migrator.providingStep(candidate) else { return false }
    return await !hasEnded(step)
  }

  /// Returns true if the value that a step would provide is older than the key's retention allows. Never asks the user: a
  /// value that cannot be read now has not ended.
  private func hasEnded(_ step: ResolvedStep) async -> Bool {
    guard plan.retention != nil else { return false }
    let values = router.values(for: plan)
    var hasEnded = false
    for source in step.sources where !source.isInPlace {
      if source.plan.mayPrompt { return false }
      let stored: Data?
      do throws(StorageError) { stored = try await values.stored(source.plan, mayPrompt: false) } catch { return false }
      guard let stored else { continue }
      // The moved value gets the latest time of its sources.
      let time = await values.writingTime(of: stored, source.plan)
      guard await values.hasEnded(time.known, plan) else { return false }
      hasEnded = true
    }
    return hasEnded
  }

  /// Returns the candidate for a migration. `nil` if the sources need no further check, as in most calls.
  package func unsettled() async -> MigrationCandidate? {
    guard !router.migrationCache.isSettled(plan.address), !isRunning else { return nil }
    return await migrator.candidate(key, plan, steps)
  }

  private var steps: [MigrationStep] { key.migration?().steps ?? [] }

  /// The state of the log, or nil if it cannot be read now.
  private var knownLedger: MigrationLedger? {
    get async {
      // A copy of the services would take longer than the look at the log.
      let values = router.values(for: plan)
      do throws(StorageError) { return try await values.services.ledger(of: plan) } catch { return nil }
    }
  }

  private var migrator: Migrator { Migrator(for: plan, on: router) }

  private var isRunning: Bool { MigrationTurn.isRunning(on: router, at: plan.address) }
}
