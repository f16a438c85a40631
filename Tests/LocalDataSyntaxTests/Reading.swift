import LocalDataSyntax
import Testing

/// Reads text as the file `test.yaml`.
func read(_ text: String) -> (tree: SyntaxTree?, diagnostics: [Diagnostic]) {
  read(Array(text.utf8))
}

func read(_ bytes: [UInt8]) -> (tree: SyntaxTree?, diagnostics: [Diagnostic]) {
  CatalogReader.read(SourceFile(path: "test.yaml", bytes: bytes))
}

/// The tree of text in which nothing is wrong.
func tree(_ text: String, _ location: Testing.SourceLocation = #_sourceLocation) throws -> SyntaxNode {
  let (tree, diagnostics) = read(text)
  #expect(diagnostics.map(\.summary) == [], sourceLocation: location)
  return try #require(tree?.root, sourceLocation: location)
}

extension Diagnostic {
  /// `3:7-3:9 anchor`.
  var summary: String { "\(place.map { $0.range.summary } ?? "-") \(rule)" }
}

extension SourceRange {
  var summary: String { "\(start.line):\(start.column)-\(end.line):\(end.column)" }
}

extension SyntaxNode {
  /// The tree in one line: texts with their ranges, `[…]`, `{…}`.
  var summary: String {
    switch kind {
    case .scalar: "\(isPlain ? "" : "'")\(text)@\(range.summary)"
    case .sequence: "[\(children.map(\.summary).joined(separator: ", "))]@\(range.summary)"
    case .mapping:
      "{\(fields.map { "\($0.key.summary): \($0.value.summary)" }.joined(separator: ", "))}@\(range.summary)"
    }
  }
}
