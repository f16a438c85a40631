import StorageStores

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

  /// Returns the records of the steps in the ledger of the key's own log, without those that are void because a source has a live
  /// value again. If a step has no record, but its sources were removed with another key, for example with the key's earlier name,
  /// returns that record.
  ///
  /// A release that stores the value at the address of a source records that in the log of that address. The key's own log
  /// does not have it if that release did not know the key's address. The log of the source has both entries, in their order.
  func records(in ledger: MigrationLedger, _ others: [KeysetID: MigrationLedger] = [:]) -> [StepRecord] {
    zip(steps, notes(in: ledger, others)).map { step, notes in
      var record = ledger.record(of: step.id, at: id)
      // If the family was removed, a custom migration that has not begun does not run for its members.
      if let type = step.id.type, record.phase == nil || record.phase == .ended,
        let removed = plan.familyID(of: type), ledger.lastChange(of: [removed]) > 0
      {
        record.phase = .completed
        return record
      }
      if record.entry != nil, !step.rule.isMove || !notes.contains(where: { $0?.isLive == true }) { return record }
      guard step.rule.isMove, let note = notes.first, let entry = note?.entry,
        notes.allSatisfy({ $0?.isRemoval == true && $0?.isLive == false })
      else { return StepRecord() }
      return StepRecord(entry)
    }
  }
}

extension StepRecord {
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
