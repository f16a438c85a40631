import LocalDataFoundation
import LocalDataStores

/// Removals by an earlier release, for example when the user signed out there. The earlier release finds nothing at its address if
/// a later one has moved the value. So it notes the removal in the log, and the later release removes the moved value.
///
/// A release may have been skipped. Then the moved value is at a source of the key, and is removed there.
extension Migrator {
  /// Returns the addresses of a key and of its sources whose values an earlier release has removed after they were stored. It may
  /// have stored other values where it reads them. Returns none if the log cannot be read now.
  func signedOut(_ candidate: MigrationCandidate) async -> [MigrationCandidate.SignedOut] {
    do throws(StorageError) {
      return candidate.signedOut(in: try await ledger(of: candidate.plan), await ledgers(ofSourcesOf: candidate))
    } catch { return [] }
  }

  /// Removes the values that an earlier release has removed, and then notes that. A value that was stored meanwhile stays.
  ///
  /// - Returns: True if a removal was noted.
  @discardableResult
  func signOut(_ candidate: MigrationCandidate) async throws(StorageError) -> Bool {
    var isDone = false
    for value in await signedOut(candidate) {
      let plan = value.plan
      let isSource = value.id != candidate.id
      if isSource, try await !values.isStored(plan) { continue }
      // A value that this process has stored while the log could not be read is newer.
      if !cache.isOverwritten(plan.address) {
        let seen = try await isSource && plan.mayPrompt ? nil : values.stored(plan)
        guard await signedOut(candidate).contains(where: { $0.id == value.id }) else { continue }
        // The user is not asked for a source.
        if isSource, plan.mayPrompt { try await values.removeStored(plan) }
        guard try await values.removeStored(seen, plan) else { continue }
        plan.hook?.noteChange()
        try await values.removeCopies(plan, isPurged: true)
      }
      try await note(
        [.removal(of: [value.id], because: value.causes, launch: setting.launch.id)], of: candidate)
      isDone = true
    }
    return isDone
  }
}

extension MigrationCandidate {
  /// The address of a value that an earlier release has removed, with the addresses and families that it has removed.
  typealias SignedOut = (id: AddressID, plan: KeyPlan, causes: [AddressID])

  /// Returns the addresses of the key and of its sources whose values an earlier release has removed.
  func signedOut(in ledger: MigrationLedger, _ others: [KeysetID: MigrationLedger]) -> [SignedOut] {
    let ledgers = [ledger] + others.values
    guard ledgers.contains(where: \.hasRemovals) else { return [] }
    let ids = Dictionary(sources.map { ($0.id, $0.plan.removalIDs) }) { first, _ in first }
    /// Returns the value of a key if all sources of a step were removed after it was stored.
    func removed(_ plan: KeyPlan, _ users: [AddressID], _ steps: (MigrationLedger) -> [StepID]) -> SignedOut? {
      let removalIDs = plan.removalIDs
      for ledger in ledgers where ledger.hasRemovals {
        for step in steps(ledger) where !step.sources.isEmpty {
          let causes = step.sources.map { ids[$0] ?? [$0] }
          guard causes.allSatisfy({ ledger.hasRemoved($0, after: removalIDs, by: users) }) else { continue }
          return (AddressID(plan), plan, causes.flatMap(\.self))
        }
      }
      return nil
    }
    // The key between the key and a source of its source has used the latter.
    let own = removed(plan, [id] + sources.map(\.id)) { _ in
      steps.filter(\.rule.isMove).map { .move($0.sources.filter { !$0.isInPlace }.map(\.id)) }
    }
    let moved = sources.map { source in
      removed(source.plan, [source.id]) { ledger in
        // A process that was killed has only announced the moves.
        let moves = ledger.moves(of: source.id)
        let steps = moves.isEmpty ? ([id] + ids.keys).map { .move([$0]) } : moves
        return steps.filter { !$0.sources.contains { ledger.isReused($0, after: source.id) } }
      }
    }
    return ([own] + moved).compactMap(\.self)
  }
}

extension KeyPlan {
  /// The identities under which the log notes removals of the key: its own, and that of its family.
  var removalIDs: [AddressID] { [AddressID(self)] + (familyID().map { [$0] } ?? []) }

  /// The identity of the key's family in the log, or of a custom migration of the family; `nil` if the key is no member.
  func familyID(of custom: String = "") -> AddressID? {
    let name = FamilyName(subject.key ?? "")
    if name.parameters.isEmpty { return nil }
    return AddressID(StorageAddress(container: address.container, name: name.pattern + custom))
  }
}
