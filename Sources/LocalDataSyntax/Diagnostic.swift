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
  /// The problem, in one sentence without a full stop. Names from the catalog are between `'`.
  package var message: String
  /// The first character at fault, up to the last.
  package var place: SourcePlace?
  /// An instruction that solves the problem.
  package var help: String?
  package var notes: [Note]
  /// The key that it is about, by its member in the catalog. A key can allow its own findings.
  package var key: String?

  package init(
    rule: String, severity: Severity = .error, _ message: String, at place: SourcePlace?, help: String? = nil,
    notes: [Note] = [], key: String? = nil
  ) {
    self.rule = rule
    self.severity = severity
    self.message = message
    self.place = place
    self.help = help
    self.notes = notes
    self.key = key
  }
}

extension [Diagnostic] {
  /// By file, then by place in it; findings without a place come first.
  package func sortedByPlace() -> [Diagnostic] {
    func isBefore(_ left: Diagnostic, _ right: Diagnostic) -> Bool {
      guard let leftPlace = left.place, let rightPlace = right.place else {
        return left.place == nil && right.place != nil
      }
      if leftPlace.file.path != rightPlace.file.path { return leftPlace.file.path < rightPlace.file.path }
      return leftPlace.range.start < rightPlace.range.start
    }
    // Findings of one place keep the order in which they were made.
    return enumerated().sorted { left, right in
      isBefore(left.element, right.element)
        || (!isBefore(right.element, left.element) && left.offset < right.offset)
    }.map(\.element)
  }
}
