/// Bytes to located nodes: the strict subset of YAML that a catalog may contain.
package enum CatalogReader {
  /// The tree of a file, or what stands in the way. Findings are in the order of the text.
  package static func read(_ source: SourceFile) -> (tree: SyntaxTree?, diagnostics: [Diagnostic]) {
    (nil, [])
  }
}
