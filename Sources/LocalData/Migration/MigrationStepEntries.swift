import LocalDataStores

/// The entries of the logs about the steps of a key.
extension MigrationSource {
  /// Returns the ledger that shows the uses of the source: that of its own keyset, unless only the key's log knows the source,
  /// because the other log could not be written.
  func ledger(_ ledger: MigrationLedger, _ others: [KeysetID: MigrationLedger]) -> MigrationLedger {
    guard let own = others[plan.keyset], own.hasUsed(id) else { return ledger }
    return own
  }
}

extension MigrationCandidate {
  /// Returns the last entries about the sources of each step.
  func notes(in ledger: MigrationLedger, _ others: [KeysetID: MigrationLedger] = [:]) -> [[SourceNote?]] {
    let ids = plan.removalIDs
    let names = [id] + sources.map(\.id)
    return steps.map { step in
      step.sources.map {
        $0.isInPlace ? nil : $0.ledger(ledger, others).note(of: $0.id, for: ids, parts: $0.isShared ? names : nil)
      }
    }
  }

  /// Returns the entries of the steps in the ledger of the key's own log, without those that are void because a source has a live
  /// value again. If a step has no entry, but its sources were removed with another key, for example with the key's earlier name,
  /// returns that entry.
  ///
  /// A release that stores the value at the address of a source notes that in the log of that address. The key's own log
  /// does not have it if that release did not know the key's address. The log of the source has both entries, in their order.
  func stepEntries(in ledger: MigrationLedger, _ others: [KeysetID: MigrationLedger] = [:]) -> [StepEntry] {
    zip(steps, notes(in: ledger, others)).map { step, notes in
      var logged = ledger.stepEntry(of: step.id, at: id)
      // If the family was removed, a custom migration that has not begun does not run for its members.
      if let type = step.id.type, logged.phase == nil || logged.phase == .ended,
        let removed = plan.familyID(of: type), ledger.lastChange(of: [removed]) > 0
      {
        logged.phase = .completed
        return logged
      }
      if logged.entry != nil, !step.rule.isMove || !notes.contains(where: { $0?.isLive == true }) { return logged }
      guard step.rule.isMove, let note = notes.first, let entry = note?.entry,
        notes.allSatisfy({ $0?.isRemoval == true && $0?.isLive == false })
      else { return StepEntry() }
      return StepEntry(entry)
    }
  }
}

extension StepEntry {
  var logState: StepState.LogState {
    switch phase {
    case nil, .ended: .none
    case .started: .started
    case .superseded: .superseded
    case .committed: .committed
    case .removing: isRemoval ? .removed : .removing
    case .completed: .completed
    }
  }
}
