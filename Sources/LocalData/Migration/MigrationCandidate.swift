/// A key with the steps that may bring its value.
struct MigrationCandidate: Sendable {
  let key: AnyStorageKey
  let plan: KeyPlan
  let steps: [MigrationStep]
  let id: PlaceID

  init(_ key: AnyStorageKey, _ plan: KeyPlan, _ steps: [MigrationStep]) {
    self.key = key
    // What is moved is no change to tell another device of: whatever was sent is newer.
    self.plan = plan.unversioned
    self.steps = steps
    id = PlaceID(plan)
  }

  /// Whether a migration of the app's own may bring the value, from where nobody else knows.
  var isCustom: Bool {
    steps.contains { step in
      if case .custom = step.action { true } else { false }
    }
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
  var removals: [KeyPlan]
  var entry: MigrationEntry
}
