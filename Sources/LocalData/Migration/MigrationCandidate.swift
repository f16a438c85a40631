/// A key with the steps that may bring its value.
struct MigrationCandidate: Sendable {
  let key: AnyStorageKey
  let plan: KeyPlan
  let steps: [MigrationStep]
  let id: PlaceID

  init(_ key: AnyStorageKey, _ plan: KeyPlan, _ steps: [MigrationStep]) {
    self.key = key
    self.plan = plan
    self.steps = steps
    id = PlaceID(plan)
  }
}

/// A source that holds a value.
struct FoundSource: Sendable {
  let plan: KeyPlan
  let value: any Sendable
}

/// A value that is at its destination, and what has to go now.
struct CommittedMove: Sendable {
  let candidate: MigrationCandidate
  /// The sources whose copies are removed.
  let removals: [KeyPlan]
  let entry: MigrationEntry
}
