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

  /// Prepares the log for a value that is about to be written.
  package func prepareWrite() async throws(StorageError) {
    // If an earlier release writes, the log may record that the form of its values is no longer accepted.
    let isDone = key.migration == nil || router.migrationCache.isSettled(plan.address)
    if isRunning { return }
    if isDone, await !isSpent { return }
    try await migrator.prepareWrite(await migrator.candidate(key, plan, steps))
  }

  /// Finishes the migration after a write. The new value takes precedence over the values of the sources.
  package func settleAfterWriting() async {
    // The value is stored even if the sources cannot be handled now. The next read tries again.
    do throws(StorageError) { try await settle() } catch {}
  }

  /// Removes the value with its sources, so that no source provides the value again.
  func remove() async throws(StorageError) {
    guard let noted = try await noteRemoval() else { return try await router.values(for: plan).removeStored(plan) }
    try await migrator.removeInTurn(plan)
    try await migrator.removeSources(noted)
  }

  /// Removes the value with its sources if it is still `seen`; returns true if it was.
  ///
  /// - Parameter isOfApp: False if the retention of the value has ended.
  func remove(
    ifStill seen: Data?, isOfApp: Bool = true
  ) async throws(StorageError) -> Bool {
    let noted = try await noteRemoval(isOfApp: isOfApp)
    guard try await router.values(for: plan).removeStored(seen, plan) else { return false }
    if let noted { try await migrator.removeSources(noted) }
    return true
  }

  /// Removes a value whose retention has ended, with its sources, if it is still `seen`; returns true if it was.
  ///
  /// If an earlier migration moved the key to another address and left the old value here, only this old value is removed. The
  /// key's current value may be at a source. The removal is not sent to the paired device.
  func removeEnded(_ seen: Data) async throws(StorageError) -> Bool {
    if key.migration != nil, !router.migrationCache.isSettled(plan.address), !isRunning,
      try await migrator.ledger(of: plan).isLeftover(AddressID(plan))
    {
      return try await router.values(for: plan).removeStored(seen, plan.unversioned)
    }
    return try await remove(ifStill: seen, isOfApp: false)
  }

  /// Notes that the caller is about to remove the value, so that its sources do not provide it again.
  func prepareRemoval() async throws(StorageError) {
    _ = try await noteRemoval()
  }

  /// Removes the sources of a value that the caller removes.
  package func removeSources() async throws(StorageError) {
    if let noted = try await noteRemoval() { try await migrator.removeSources(noted) }
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
      do throws(StorageError) {
        stored = try await AuthenticationSession.silently { () throws(StorageError) in
          try await values.stored(source.plan)
        }
      } catch { return false }
      guard let stored else { continue }
      // The moved value gets the latest time of its sources.
      let time = await values.writingTime(of: stored, source.plan)
      guard await values.hasEnded(time.known, plan) else { return false }
      hasEnded = true
    }
    return hasEnded
  }

  /// Notes that the value is about to be removed, if its sources would provide it again.
  private func noteRemoval(
    isOfApp: Bool = true
  ) async throws(StorageError) -> UnfinishedMigration? {
    guard !isRunning else { return nil }
    if key.migration == nil, await isUnnoted { return nil }
    return try await migrator.noteRemoval(await migrator.candidate(key, plan, steps), isOfApp: isOfApp)
  }

  /// Returns the candidate for a migration. `nil` if the sources need no further check, as in most calls.
  package func unsettled() async -> MigrationCandidate? {
    guard !router.migrationCache.isSettled(plan.address), !isRunning else { return nil }
    return await migrator.candidate(key, plan, steps)
  }

  private var steps: [MigrationStep] { key.migration?().steps ?? [] }

  /// A Boolean value that indicates whether the log must record that a value is stored at the key's address again.
  private var isSpent: Bool {
    get async {
      guard let ledger = await knownLedger, !ledger.isEmpty else { return false }
      return ledger.mustNoteWrite(to: AddressID(plan), StoredForm(key.security, in: key.domain.kind))
    }
  }

  /// A Boolean value that indicates whether the log has no entry about the key. It is also true if the log cannot be read now.
  var isUnnoted: Bool {
    get async {
      guard let ledger = await knownLedger, !ledger.isEmpty else { return true }
      return !ledger.isAbout(AddressID(plan))
    }
  }

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
