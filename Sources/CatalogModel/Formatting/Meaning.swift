package import CatalogSyntax

extension SyntaxNode {
  /// Returns true if two nodes say the same, whatever the order of their fields, their spacing and their comments.
  package func means(_ other: SyntaxNode) -> Bool {
    guard kind == other.kind else { return false }
    switch kind {
    case .scalar: return text == other.text && isPlain == other.isPlain
    case .sequence:
      let (left, right) = (Array(children), Array(other.children))
      return left.count == right.count && zip(left, right).allSatisfy { $0.means($1) }
    case .mapping:
      let (left, right) = (Array(fields), Array(other.fields))
      guard left.count == right.count else { return false }
      let byName = Dictionary(right.map { ($0.key.text, $0.value) }, uniquingKeysWith: { first, _ in first })
      return left.allSatisfy { field in byName[field.key.text].map { field.value.means($0) } ?? false }
    }
  }
}
