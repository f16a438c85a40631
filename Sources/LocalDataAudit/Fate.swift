/// What an event does to a stored value, with the rule from which that follows.
package struct Fate: Sendable, Hashable {
  package let outcome: Outcome
  /// One sentence.
  package let reason: String
  package let rule: FateRule

  init(_ outcome: Outcome, _ rule: FateRule, _ reason: String) {
    self.outcome = outcome
    self.rule = rule
    self.reason = reason
  }

  package enum Outcome: String, CaseIterable, Sendable {
    /// The value is read as before.
    case kept
    /// The value is absent. Reads return the default.
    case lost
    /// The value is absent if the system or the user has decided so, which the app cannot know.
    case mayBeLost
    /// The stored bytes are there, and the key that opens them is not. Reads throw an error.
    case cannotBeOpened
    /// The value is stored, and a later read returns it.
    case cannotBeReadNow
    /// The value is stored, and the system asks the user before it gives the value out.
    case asksUser
    /// Nothing reliable is known.
    case notDecidable

    /// The outcome in a cell of a table.
    package var text: String {
      switch self {
      case .kept: "kept"
      case .lost: "lost"
      case .mayBeLost: "may be lost"
      case .cannotBeOpened: "cannot be opened"
      case .cannotBeReadNow: "not now"
      case .asksUser: "asks the user"
      case .notDecidable: "not decidable"
      }
    }

    /// The meaning of the outcome in one sentence.
    package var meaning: String {
      switch self {
      case .kept: "The value is read as before."
      case .lost: "The value is absent, and reads return the default."
      case .mayBeLost: "The system or the user decides whether the value is still there."
      case .cannotBeOpened: "The stored bytes are there without the key that opens them, and reads throw an error."
      case .cannotBeReadNow: "The value is stored and cannot be read now. It can be read again later."
      case .asksUser: "The value is stored, and the system asks the user when it is read."
      case .notDecidable: "Nothing reliable is known, or it depends on something outside of the declaration."
      }
    }
  }
}

/// A rule from which fates follow, with its source.
package struct FateRule: Sendable, Hashable {
  /// The name of the rule in documents, for example `keychain-in-backups`.
  package let id: String
  /// The rule in one sentence.
  package let title: String
  /// The address of a page of Apple's, or the path of a document of this project.
  package let source: String
}
