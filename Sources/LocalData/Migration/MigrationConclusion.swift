/// The conclusion of a pass whose value is stored at its destination.
extension MigrationAttempt {
  /// Notes the ends of steps that need no more than an entry, and returns what remains to be done for the others.
  mutating func end(_ fates: [StepConclusion?]) async throws(StorageError) -> Outcome {
    let unseen = fates.indices.filter { fates[$0] == .unseen }
    await migrator.noteUnseen(unseen.map { candidate.steps[$0].id }, of: candidate)
    let others = fates.map { $0 == .unseen ? nil : $0 }
    if others.contains(where: { $0 != nil }) { return .committed(await committed(others)) }
    return .done(hasValue: true, isSettled: isWhole(fates))
  }

  /// Collects the entries to note and the sources to remove.
  private func committed(_ fates: [StepConclusion?]) async -> UnfinishedMigration {
    var move = UnfinishedMigration(candidate: candidate, removals: [], entries: [], isSecuredInPlace: isSecuredInPlace)
    var ended = EndedSteps()
    var seen = [SeenSource]()
    for (index, fate) in fates.enumerated() {
      guard let fate else { continue }
      let sources = (found[index] ?? []).compactMap(\.self)
      let isStoredLater = isStoredLater(index, sources)
      let isTaken = state.steps[index].source == .taken
      if fate == .resumed || (fate == .moved && state.steps[index].log == .committed && !isTaken) {
        resume(index, &move, sources)
        continue
      }
      let stays = candidate.steps[index].takesPart && !isStoredLater
      ended.add(candidate.steps[index].id, fate, sources.map(\.source.plan), isTaken: isTaken, stays: stays)
      let prints = migrator.fingerprints
      let known = isTaken && fate == .moved ? announcement?.entries.first?.seen : nil
      seen += known ?? []
      if known == nil { seen += await prints.seen(sources.map { ($0.source.plan, $0.bytes) }, candidate) }
      if fate == .moved || fate == .discarded {
        // After the next launch of the app, no step has to wait any more.
        move.mustWait = move.mustWait || isStoredLater
        move.removals += sources.map { .init(source: $0.source, seen: $0.bytes) }
      }
    }
    move.isWhole = isWhole(fates)
    if !ended.ids.isEmpty { move.entries = [entry(of: ended, seen, mustWait: move.mustWait)] }
    return move
  }

  /// Returns true if this run moves the value of a step, and its sources may be removed only at the next launch of the app.
  /// A preference that the system had not written when it stopped is moved again.
  private func isStoredLater(_ index: Int, _ sources: [FoundSource]) -> Bool {
    (state.steps[index].log == .none || state.steps[index].source == .taken)
      && sources.contains { migrator.waits(for: $0.source.plan, movedTo: plan) }
  }

  /// Returns true if no step remains to be looked at after these fates.
  private func isWhole(_ fates: [StepConclusion?]) -> Bool {
    zip(fates, state.steps).allSatisfy { fate, step in
      fate != nil || step.source == .absent || step.condition == .fails
        || (step.log == .completed && step.source != .unreadable)
    }
  }

  /// Returns the entry that notes the end of steps.
  private func entry(of ended: EndedSteps, _ seen: [SeenSource], mustWait: Bool) -> MigrationEntry {
    // A comparison of parts needs all of them. Once they are being removed, they are not compared any more.
    let phase: MigrationEntry.Phase =
      ended.gone.isEmpty ? .completed : mustWait || ended.gone.count == 1 ? .committed : .removing
    return migrator.entry(
      candidate, ended.ids, phase, isSecuredInPlace ? .securedInPlace : ended.outcome, sources: ended.noted,
      moved: ended.gone, seen: seen)
  }

  /// Completes an entry of an earlier call. If a source has another value now, it stays.
  private func resume(_ index: Int, _ move: inout UnfinishedMigration, _ sources: [FoundSource]) {
    guard let entry = stepEntries[index].entry else { return }
    for source in candidate.steps[index].sources where !source.isInPlace {
      if let restored = restored[index]?[source.id] {
        move.removals.append(.init(source: source, seen: restored))
      } else if let found = sources.first(where: { $0.source.id == source.id }), entry.moved.contains(source.id) {
        move.removals.append(.init(source: source, seen: found.bytes))
      } else if entry.moved.contains(source.id) {
        move.removals.append(.init(source: source, isDone: true))
      }
    }
    if !move.resumed.contains(entry) { move.resumed.append(entry) }
  }
}

/// The steps that a pass ends, with their fates and sources.
private struct EndedSteps {
  private(set) var ids: [StepID] = []
  private var ends: [(fate: StepConclusion, sources: [KeyPlan], stays: Bool)] = []
  /// A Boolean value that indicates whether the pass has stored the value of a step's sources.
  private var isCreated = false

  /// - Parameters:
  ///   - isTaken: True if this pass has stored the value of the sources at the destination.
  ///   - stays: True if other keys may need the sources.
  mutating func add(_ id: StepID, _ fate: StepConclusion, _ sources: [KeyPlan], isTaken: Bool, stays: Bool) {
    ids.append(id)
    ends.append((fate, sources, stays))
    isCreated = isCreated || (fate == .moved && isTaken)
  }

  private func sources(_ fates: StepConclusion...) -> [KeyPlan] {
    ends.filter { fates.contains($0.fate) }.flatMap(\.sources)
  }

  /// The sources that are removed.
  var gone: [KeyPlan] { ends.filter { [.moved, .discarded].contains($0.fate) && !$0.stays }.flatMap(\.sources) }

  /// The sources that the history names. If they provided the value, the others are left out.
  var noted: [KeyPlan] { isCreated ? sources(.moved) : sources(.moved, .discarded) + sources(.kept) }

  /// The outcome that the history shows for all steps together, if the value was not secured in place.
  var outcome: MigrationEvent.Outcome {
    if isCreated || ends.contains(where: { $0.fate == .finished }) { return .moved }
    if !sources(.kept).isEmpty { return .conflictKept }
    if !sources(.discarded).isEmpty { return .conflictRemoved }
    return sources(.moved).isEmpty ? .unneeded : .moved
  }
}
