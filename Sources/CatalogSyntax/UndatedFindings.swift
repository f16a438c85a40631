/// The findings of a run as they are on every day: an entry of `allow` counts, whether or not its date has passed.
///
/// Committed documents contain them. With the findings of today, a document would be stale the day after an entry ends.
package struct UndatedFindings: Sendable {
  /// The findings that no entry of `allow` accepts.
  package var open: [Diagnostic] = []
  package var allowances: [Allowed] = []

  package init() {}

  /// An entry of `allow`, and the findings that it accepts.
  package struct Allowed: Sendable {
    /// The id of the rule.
    package var rule: String
    package var reason: String
    /// The last day, for example `2026-12-31`, or nil if the entry has no end.
    package var until: String?
    /// The member of the key.
    package var key: String
    /// The messages of the findings. If the run could not check the rule, there are none.
    package var messages: [String]

    package init(rule: String, reason: String, until: String?, key: String, messages: [String]) {
      self.rule = rule
      self.reason = reason
      self.until = until
      self.key = key
      self.messages = messages
    }
  }
}
