/// One finding: data, put into words for a reader only by a renderer.
package struct Diagnostic: Sendable {
  package enum Severity: String, Sendable, CaseIterable {
    case error, warning
  }

  /// A second place, or a fact that explains the first.
  package struct Note: Sendable {
    package var message: String
    package var place: SourcePlace?

    package init(_ message: String, at place: SourcePlace? = nil) {
      self.message = message
      self.place = place
    }
  }

  /// The stable id of the rule that found it, in lower-case words joined by `-`.
  package var rule: String
  package var severity: Severity
  /// What is wrong, in one sentence without a full stop; names from the catalog stand between `'`.
  package var message: String
  /// The first character at fault, up to the last.
  package var place: SourcePlace?
  /// What to do.
  package var help: String?
  package var notes: [Note]

  package init(
    rule: String, severity: Severity = .error, _ message: String, at place: SourcePlace?, help: String? = nil,
    notes: [Note] = []
  ) {
    self.rule = rule
    self.severity = severity
    self.message = message
    self.place = place
    self.help = help
    self.notes = notes
  }
}
