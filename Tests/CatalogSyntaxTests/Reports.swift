import CatalogSyntax

extension DiagnosticRenderer {
  /// Renders findings of a number of catalogs.
  static func render(_ findings: [Diagnostic], as format: Format, catalogs: Int) -> String {
    render(FindingsReport(findings, catalogs: catalogs), as: format)
  }
}
