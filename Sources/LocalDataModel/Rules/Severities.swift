import LocalDataSyntax

/// The levels that a user gives to rules, by options or by the project file.
package struct Severities: Sendable, Equatable {
  package enum Level: String, Sendable, CaseIterable {
    /// A finding is an error.
    case deny
    /// A finding is a warning.
    case warn
    /// A finding is not reported.
    case allow
  }

  package enum Problem: Error, Equatable {
    case unknownRule(String, suggestion: String?)
    /// A rule whose findings are always errors.
    case alwaysAnError(String)

    package var message: String {
      switch self {
      case .unknownRule(let id, let suggestion):
        "'\(id)' is not a rule\(suggestion.map { "; did you mean '\($0)'?" } ?? "")"
      case .alwaysAnError(let id): "'\(id)' is always an error: without it a catalog has no safe output"
      }
    }
  }

  /// The name that stands for all warnings, after `--deny`.
  package static let warnings = "warnings"

  private var levels: [String: Level] = [:]
  private var deniesWarnings = false
  /// Ids of rules that are not in `RuleCatalog`: the policies of a project file.
  private var others: Set<String> = []

  package init() {}

  /// Makes more ids known, for example those of policies.
  package mutating func add(ids: some Sequence<String>) { others.formUnion(ids) }

  /// Sets the level of a rule. A later call replaces an earlier one.
  ///
  /// - Parameter id: The id of a rule; with `deny` also `warnings`, which makes every warning an error that no other level is
  ///   set for.
  package mutating func set(_ level: Level, for id: String) throws(Problem) {
    if level == .deny, id == Self.warnings {
      deniesWarnings = true
      return
    }
    if !others.contains(id) {
      guard let rule = RuleCatalog.rule(id) else {
        let known = RuleCatalog.all.map(\.id) + others.sorted()
        throw .unknownRule(id, suggestion: Spelling.nearest(to: id, among: known))
      }
      guard level == .deny || rule.isAllowable else { throw .alwaysAnError(id) }
    }
    levels[id] = level
  }

  /// Returns the finding with its final severity, or `nil` if it is not reported.
  func weighed(_ diagnostic: Diagnostic) -> Diagnostic? {
    var result = diagnostic
    switch levels[diagnostic.rule] {
    case .allow: return nil
    case .deny: result.severity = .error
    case .warn: result.severity = .warning
    case nil: if deniesWarnings { result.severity = .error }
    }
    return result
  }
}
