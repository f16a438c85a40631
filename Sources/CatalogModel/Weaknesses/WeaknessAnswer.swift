/// What a declaration says about a weakness.
package struct WeaknessAnswer: Sendable, Hashable {
  package let weakness: Weakness
  package var state: State
  /// One sentence.
  package var reason: String

  package enum State: Sendable, Hashable {
    case metByDeclaration
    /// The library meets it for every value. A test of the library shows it.
    case metByLibrary(test: String)
    /// A rule finds it, and the finding is not allowed.
    case violated
    /// A rule finds it, and the declaration allows the finding until a day, or without an end.
    case acceptedUntil(CalendarDate?, reason: String)
    /// It depends on something outside of the declaration.
    case notDecidable

    /// The name of the state in documents.
    package var name: String {
      switch self {
      case .metByDeclaration: "metByDeclaration"
      case .metByLibrary: "metByLibrary"
      case .violated: "violated"
      case .acceptedUntil: "acceptedUntil"
      case .notDecidable: "notDecidable"
      }
    }

    /// The state in words.
    package var text: String {
      switch self {
      case .metByDeclaration: "met by the declaration"
      case .metByLibrary: "met by the library"
      case .violated: "violated"
      case .acceptedUntil(let day?, _): "accepted until \(day.text)"
      case .acceptedUntil(nil, _): "accepted without an end"
      case .notDecidable: "not decidable"
      }
    }
  }

  /// The ids of the rules whose findings are this violation.
  var rules: [String] = []

  static func met(_ weakness: Weakness, _ reason: String) -> Self {
    Self(weakness: weakness, state: .metByDeclaration, reason: reason)
  }

  static func library(_ weakness: Weakness, _ test: String, _ reason: String) -> Self {
    Self(weakness: weakness, state: .metByLibrary(test: test), reason: reason)
  }

  static func open(_ weakness: Weakness, _ reason: String) -> Self {
    Self(weakness: weakness, state: .notDecidable, reason: reason)
  }

  static func violated(_ weakness: Weakness, _ rules: [String], _ reason: String) -> Self {
    Self(weakness: weakness, state: .violated, reason: reason, rules: rules)
  }

  /// Returns the answer after the allowances of its key or record. Without an end, an allowance never ends.
  func accepted(by allowances: [Allowance], today: CalendarDate) -> Self {
    guard case .violated = state,
      let allowance = allowances.first(where: { rules.contains($0.rule) && !$0.isOver(on: today) })
    else { return self }
    var answer = self
    answer.state = .acceptedUntil(allowance.until, reason: allowance.reason)
    return answer
  }
}
