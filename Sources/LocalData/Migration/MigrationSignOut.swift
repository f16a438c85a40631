import SmallFoundation
import StorageStores

/// Removals by an earlier release, for example when the user signed out there. The earlier release finds nothing at its address if
/// a later one has moved the value. So it notes the removal in the log, and the later release removes the moved value.
extension Migrator {
  /// Returns true if an earlier release has removed all sources of a step after the key's value was stored. It may have stored other
  /// values there since. Returns false if the log cannot be read now.
  func isSignedOut(_ candidate: MigrationCandidate, isolation: isolated (any Actor)? = #isolation) async -> Bool {
    do throws(StorageError) {
      let (ledger, others) = (try await ledger(of: candidate.plan), await ledgers(ofSourcesOf: candidate))
      guard ledger.hasRemovals || others.values.contains(where: \.hasRemovals) else { return false }
      let ids = candidate.plan.removalIDs
      // A source of a source is followed: the key between them has used it.
      let users = [candidate.id] + candidate.sources.map(\.id)
      return candidate.steps.contains { step in
        let sources = step.sources.filter { !$0.isInPlace }
        return step.rule.isMove && !sources.isEmpty
          && sources.allSatisfy { $0.ledger(ledger, others).hasRemoved($0.plan.removalIDs, after: ids, by: users) }
      }
    } catch { return false }
  }

  /// Removes a value that an earlier release has removed, and then records that. A value that was stored meanwhile stays.
  func signOut(_ candidate: MigrationCandidate, isolation: isolated (any Actor)? = #isolation)
    async throws(StorageError)
  {
    let plan = candidate.plan
    // A value that this process has stored while the log could not be read is newer.
    if !cache.isOverwritten(plan.address) {
      let seen = try await values.stored(plan)
      guard await isSignedOut(candidate), try await values.removeStored(seen, plan) else { return }
      plan.hook?.noteChange()
      try await values.removeQuarantined(plan)
      try await values.purge(plan)
    }
    try await record([note(removalOf: [candidate.id])], of: candidate)
  }

  /// The entry that notes removals.
  func note(removalOf ids: [AddressID]) -> MigrationEntry { .removal(of: ids, launch: setting.launch.id) }
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
