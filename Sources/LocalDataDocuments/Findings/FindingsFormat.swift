package import LocalDataSyntax

/// The forms of findings: those that a build prints, and those that programs read.
package enum FindingsFormat: String, Sendable, CaseIterable {
  /// With excerpt, caret, help and notes, for people.
  case text
  /// A line for each message, help and note, as Xcode and SwiftPM parse them.
  case xcode
  /// One JSON document.
  case json
  /// Commands of GitHub Actions, which shows them at the lines of a pull request.
  case github
  /// One SARIF 2.1.0 document, for code scanning.
  case sarif

  /// A Boolean value that indicates whether the form is a document even if there are no findings.
  package var isDocument: Bool { self == .json || self == .sarif }

  /// Returns the findings as one text, which is empty or ends with a line end.
  ///
  /// - Parameter isColored: Whether the form `text` uses the colours of a terminal. Other forms never do.
  package func render(_ report: FindingsReport, isColored: Bool = false) -> String {
    switch self {
    case .text: DiagnosticRenderer.render(report, as: .text, isColored: isColored)
    case .xcode: DiagnosticRenderer.render(report, as: .xcode)
    case .json: JSONReport.write(report)
    case .github: GitHubCommands.write(report)
    case .sarif: SARIFReport.write(report)
    }
  }
}
