/// The findings of a run as they are on every day: an entry of `allow` counts, whether or not its date has passed.
///
/// Committed documents contain them. With the findings of today, a document would be stale the day after an entry ends.
package struct UndatedFindings: Sendable {
  /// The findings that no entry of `allow` accepts.
  package var open: [Diagnostic] = []
  package var allowances: [Allowed] = []

  package init() {}

  /// The entries that accept findings.
  package var accepted: [Allowed] { allowances.filter { !$0.messages.isEmpty } }
  /// The entries that no finding needs.
  package var stale: [Allowed] { allowances.filter { $0.messages.isEmpty && !$0.isUnchecked } }
  /// The entries whose rules the run could not check.
  package var unchecked: [Allowed] { allowances.filter { $0.messages.isEmpty && $0.isUnchecked } }

  /// An entry of `allow`, and the findings that it accepts.
  package struct Allowed: Sendable {
    /// The id of the rule.
    package var rule: String
    package var reason: String
    /// The last day, for example `2026-12-31`, or nil if the entry has no end.
    package var until: String?
    /// The member of the key.
    package var key: String
    /// The messages of the findings.
    package var messages: [String]
    /// A Boolean value that indicates whether the run could not check the rule.
    package var isUnchecked: Bool

    package init(
      rule: String, reason: String, until: String?, key: String, messages: [String], isUnchecked: Bool = false
    ) {
      self.rule = rule
      self.reason = reason
      self.until = until
      self.key = key
      self.messages = messages
      self.isUnchecked = isUnchecked
    }
  }
}
