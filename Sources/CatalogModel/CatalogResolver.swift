package import CatalogSyntax

/// Located nodes of all catalogs of a run to checked, complete catalogs.
package enum CatalogResolver {
  /// The catalogs in the order given; empty where a finding is an error. Findings are sorted by file and place.
  package static func resolve(_ trees: [SyntaxTree]) -> (catalogs: [ResolvedCatalog], diagnostics: [Diagnostic]) {
    ([], [])
  }
}
