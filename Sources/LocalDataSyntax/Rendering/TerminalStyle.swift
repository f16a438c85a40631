/// The colours of a terminal, or none.
struct TerminalStyle: Sendable {
  /// The role of a piece of text.
  enum Role {
    case error, warning, label, place
  }

  let isColored: Bool

  static let plain = TerminalStyle(isColored: false)
  static let colored = TerminalStyle(isColored: true)

  func color(of severity: Diagnostic.Severity) -> Role {
    switch severity {
    case .error: .error
    case .warning: .warning
    }
  }

  /// The text between the escape sequences of its role. The text itself is already safe for a terminal.
  func `in`(_ role: Role, _ text: String) -> String {
    guard isColored else { return text }
    let code =
      switch role {
      case .error: "1;31"
      case .warning: "1;33"
      case .label: "1;36"
      case .place: "1"
      }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }
}

/// When output is coloured.
package enum ColorChoice: String, Sendable, CaseIterable {
  case auto, always, never

  /// Returns true if output is coloured.
  ///
  /// - Parameters:
  ///   - isTerminal: Whether the output is a terminal.
  ///   - noColor: The variable `NO_COLOR`, which asks every program for plain text unless it is empty.
  ///   - term: The variable `TERM`; a terminal named `dumb` has no colours.
  package func isColored(isTerminal: Bool, noColor: String?, term: String?) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto: isTerminal && (noColor ?? "").isEmpty && term != "dumb"
    }
  }
}
