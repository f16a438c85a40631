import LocalDataSyntax

extension DiagnosticRenderer {
  /// Renders findings of a number of catalogs.
  static func render(_ findings: [Diagnostic], as format: Format, catalogs: Int) -> String {
    render(FindingsReport(findings, catalogs: catalogs), as: format)
  }
}

extension [AllowedFinding] {
  /// A number of findings that a catalog allows.
  static func samples(_ count: Int) -> Self {
    let place = SourcePlace(
      file: SourceFile(path: "A.yaml", bytes: []),
      range: SourceRange(start: SourceLocation(line: 9, column: 5), end: SourceLocation(line: 9, column: 12)))
    return (0..<count).map { number in
      AllowedFinding(
        Diagnostic(rule: "some-rule", "allowed \(number)", at: place), reason: "It is \"known\".", until: "2026-12-31",
        at: place)
    }
  }
}
