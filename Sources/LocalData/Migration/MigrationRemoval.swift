import StorageVocabulary

/// Removing a key with its sources.
extension Migrator {
  /// Records that a value is about to be removed, if its sources would bring it back.
  ///
  /// If the process is killed after that, either nothing was removed, or nothing comes back and the sources are removed
  /// with the next use of the key.
  ///
  /// - Returns: What is to be removed after the value.
  func noteRemoval(
    _ candidate: MigrationCandidate, isolation: isolated (any Actor)? = #isolation
  ) async throws(StorageError) -> CommittedMove? {
    let plan = candidate.plan
    // That nothing was to be moved was true of the value that was there.
    cache.unsettle(plan.place)
    var (steps, sources): ([StepID], [KeyPlan]) = ([], [])
    for step in candidate.steps {
      if let problem = step.problem { throw problem }
      var isPresent = false
      for source in step.sources where !source.isInPlace {
        guard try await values.isStored(source.plan) else { continue }
        isPresent = true
        sources.append(source.plan)
      }
      if isPresent { steps.append(step.id) }
    }
    let isCustom = candidate.rules.contains(.custom)
    guard !steps.isEmpty || isCustom else { return nil }

    let ledger = try ledger(of: plan)
    // What Foundation keeps is only read: the entry is what counts.
    let ours = sources.filter { !$0.isFoundation }
    var move = CommittedMove(candidate: candidate, removals: ours.map { .init(plan: $0) }, entries: [])
    let custom = zip(candidate.records(in: ledger), candidate.steps).filter { $0.1.rule == .custom }
    steps += custom.filter { $0.0.phase == nil }.map(\.1.id)
    let removal = entry(
      candidate, steps, ours.isEmpty ? .completed : .removing, .removed, sources: sources, moved: ours)
    if !ours.isEmpty || !ledger.makesNoDifference(removal) { move.entries.append(removal) }
    // A migration that has started removes its sources when it runs again.
    let started = custom.filter { $0.0.phase == .started }.map(\.1.id)
    var entries = steps.isEmpty ? [] : move.entries
    if !started.isEmpty { entries.append(entry(candidate, started, .superseded, nil)) }
    guard !entries.isEmpty else { return nil }
    try await record(entries, of: plan)
    if steps.isEmpty { move.entries = [] }
    return move
  }

  /// Removes a value after every process that is storing it right now and has read the log before the removal was
  /// recorded.
  func removeInTurn(_ plan: KeyPlan, isolation: isolated (any Actor)? = #isolation) async throws(StorageError) {
    try await values.perform(plan) { (store) throws(StorageFault) in
      try store.update(plan.place, plan.attributes) { _ throws(StorageFault) in .remove }
    }
  }

  /// Removes the sources of a value that was removed.
  func removeSources(
    _ removal: CommittedMove, isolation: isolated (any Actor)? = #isolation
  ) async throws(StorageError) {
    guard !removal.removals.isEmpty else { return }
    for source in removal.removals { try await values.removeStored(source.plan) }
    for source in removal.removals { try await values.purge(source.plan) }
    try await record(removal.entries.map { $0.at(.completed) }, of: removal.candidate.plan)
  }
}
