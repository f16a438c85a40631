import StorageVocabulary

/// What the verbs ask of migrations. All of it runs in the key's turn.
extension StorageRouter {
  /// Brings a key's value to where it belongs, before it is read.
  ///
  /// What cannot be removed yet stays, and is tried again with the next call.
  func settle(_ key: AnyStorageKey, _ plan: KeyPlan) async throws(StorageError) {
    guard let candidate = unsettled(key, plan), let move = try await commit(candidate) else { return }
    _ = await finish([move])
  }

  /// Lets a value that was just stored win over what its sources hold.
  func settleAfterWriting(_ key: AnyStorageKey, _ plan: KeyPlan) async {
    // The value is stored, whatever becomes of the sources; the next read asks again.
    do throws(StorageError) { try await settle(key, plan) } catch {}
  }

  /// Removes a value with its sources, so that none of them comes back.
  func removeForGood(_ key: AnyStorageKey, _ plan: KeyPlan) async throws(StorageError) {
    if let noted = try await noteRemoval(key, plan) {
      try await removeInTurn(plan)
      try await removeSources(noted)
    } else {
      try await removeStored(plan)
    }
    // What a migration removes leaves no copy either.
    if MigrationTurn.isRunning(on: self) { try await purge(plan) }
  }

  /// Notes that a value is about to be removed, where its sources would bring it back: a process that is killed after
  /// that has removed nothing, or nothing comes back, and the sources go with the next use of the key.
  ///
  /// - Returns: What is to be removed after the value.
  func noteRemoval(_ key: AnyStorageKey, _ plan: KeyPlan) async throws(StorageError) -> CommittedMove? {
    guard let migration = key.migration?(), !MigrationTurn.isRunning(on: self, at: plan.place) else { return nil }
    let candidate = MigrationCandidate(key, plan, migration.steps)
    let sources = try await presentSources(of: candidate)
    // What Foundation keeps is only read: the note is what counts.
    let ours = sources.filter { !$0.isFoundation }
    let removal = CommittedMove(
      candidate: candidate, removals: ours, entry: entry(candidate, sources: sources, .removed, .committed, moved: ours)
    )
    guard ours.isEmpty else {
      try await append([removal.entry], of: plan)
      settledPlaces.remove(plan.place)
      return removal
    }
    guard !sources.isEmpty || candidate.isCustom else {
      // That nothing was to be moved was true of the value that was there.
      settledPlaces.remove(plan.place)
      return nil
    }
    guard try logEntry(candidate)?.phase != .completed else { return nil }
    try await append([removal.entry.completed], of: plan)
    return removal
  }

  /// Removes the sources of a value that was removed.
  func removeSources(_ removal: CommittedMove) async throws(StorageError) {
    guard !removal.removals.isEmpty else { return }
    for source in removal.removals { try await removeStored(source) }
    for source in removal.removals { try await purge(source) }
    try await append([removal.entry.completed], of: removal.candidate.plan)
  }

  /// Removes a value after whoever is storing it right now: who has looked at the log before the tombstone was there.
  private func removeInTurn(_ plan: KeyPlan) async throws(StorageError) {
    try await perform(plan) { (store) throws(StorageFault) in
      try store.update(plan.place, plan.attributes) { _ throws(StorageFault) in .remove }
    }
  }

  /// Whether a source would give the key its value.
  func isInSource(_ key: AnyStorageKey, _ plan: KeyPlan) async throws(StorageError) -> Bool {
    guard let candidate = unsettled(key, plan), try logEntry(candidate) == nil else { return false }
    return try await findsSource(candidate)
  }

  /// A key whose sources may still matter; `nil` for most calls.
  private func unsettled(_ key: AnyStorageKey, _ plan: KeyPlan) -> MigrationCandidate? {
    guard let migration = key.migration, !settledPlaces.contains(plan.place),
      !MigrationTurn.isRunning(on: self, at: plan.place)
    else { return nil }
    return MigrationCandidate(key, plan, migration().steps)
  }

  /// The sources that hold something.
  private func presentSources(of candidate: MigrationCandidate) async throws(StorageError) -> [KeyPlan] {
    var present: [KeyPlan] = []
    for case .move(let move) in candidate.steps.map(\.action) {
      for key in move.sources {
        let source = try await sourcePlan(of: key)
        guard !source.isInPlace(of: candidate.plan) else { continue }
        if try await isStored(source) { present.append(source) }
      }
    }
    return present
  }
}
