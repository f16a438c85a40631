package import CatalogSyntax

/// Located nodes of all catalogs of a run to checked, complete catalogs.
package enum CatalogResolver {
  /// The catalogs in the order given; empty where a finding is an error. Findings are sorted by file and place.
  package static func resolve(_ trees: [SyntaxTree]) -> (catalogs: [ResolvedCatalog], diagnostics: [Diagnostic]) {
    var run = CatalogRun.decode(trees)
    run.resolveMigrations()
    run.applyRules()
    let diagnostics = run.decoder.findings.sorted(by: trees)
    guard !diagnostics.contains(where: { $0.severity == .error }) else { return ([], diagnostics) }
    return (run.resolved(), diagnostics)
  }
}
