import CatalogSyntax

/// An enum with payloads as a catalog writes it: a plain name, or a map of one case.
struct CaseNode<Kind: CaseName> {
  var kind: Kind
  /// The name of the case.
  var name: SyntaxNode
  /// What stands behind it.
  var payload: SyntaxNode?

  /// The case in `node`, without findings; `nil` where it is none. For what `defaults` had checked already.
  static func quietly(_ node: SyntaxNode?) -> CaseNode? {
    guard let node else { return nil }
    if node.kind == .scalar { return Kind.names.find(node).map { CaseNode(kind: $0, name: node) } }
    guard let (key, value) = node.onlyField, key.kind == .scalar, let kind = Kind.names.find(key) else {
      return nil
    }
    return CaseNode(kind: kind, name: key, payload: value)
  }
}

extension CatalogDecoder {
  /// The case in `node`.
  mutating func caseNode<Kind: CaseName>(
    _ node: SyntaxNode, _ what: String, _ rule: CatalogRule = .unknownCase, example: @autoclosure () -> String
  ) -> CaseNode<Kind>? {
    switch node.kind {
    case .scalar:
      guard let kind: Kind = name(node, what, rule, example: example()) else { return nil }
      return CaseNode(kind: kind, name: node)
    case .mapping:
      guard let (key, value) = node.onlyField else {
        findings.report(
          .wrongKind, "\(what) is a map of one case", at: node, help: "write it as in `\(example())`")
        return nil
      }
      guard let kind: Kind = name(key, what, rule, example: example()) else { return nil }
      return CaseNode(kind: kind, name: key, payload: value)
    case .sequence:
      reportKind(node, what, example: example())
      return nil
    }
  }

  /// Reports what stands behind a case that takes nothing.
  mutating func refusePayload(_ node: SyntaxNode?, of kind: some CaseName) -> Bool {
    guard let node else { return true }
    findings.report(
      .wrongKind, "'\(kind.text)' takes nothing behind it", at: node, help: "write the name alone: \(kind.text)")
    return false
  }
}
