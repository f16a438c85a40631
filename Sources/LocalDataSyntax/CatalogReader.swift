/// Bytes to located nodes: the strict subset of YAML that a catalog may contain.
package enum CatalogReader {
  /// The largest file, in bytes.
  package static let maximumSize = 16 << 20

  /// Returns the tree of a file, or the findings for which it has none, in the order of the text.
  package static func read(_ source: SourceFile) -> (tree: SyntaxTree?, diagnostics: [Diagnostic]) {
    let (tree, diagnostics) = read(source, maximumSize: maximumSize)
    let found = tree.map(lookAlikes) ?? []
    return found.isEmpty ? (tree, diagnostics) : (nil, found)
  }

  /// The same for a file of at most `maximumSize` bytes, which may have been written by a tool: look-alikes are accepted
  /// wherever YAML accepts them.
  package static func read(
    _ source: SourceFile, maximumSize: Int
  ) -> (tree: SyntaxTree?, diagnostics: [Diagnostic]) {
    var findings = Findings(source: source)
    guard source.bytes.count <= maximumSize else {
      findings.report(
        .fileTooLarge, "the file is larger than \(maximumSize >> 20) MiB, the most a catalog may have",
        at: SourceRange(line: 1, column: 1, length: 1), help: "divide it into several catalogs")
      return (nil, findings.diagnostics)
    }
    let text = SourceText.check(source, &findings)
    guard findings.diagnostics.isEmpty else { return (nil, findings.diagnostics) }
    if let tree = CatalogPieces(source, isASCII: text.isASCII).read() { return (tree, []) }
    let tree = TreeBuilder.build(source, text: text, &findings)
    guard findings.diagnostics.isEmpty else { return (nil, findings.diagnostics.sortedByPlace()) }
    return (tree, [])
  }
}
