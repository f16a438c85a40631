import CatalogSyntax

extension CatalogDecoder {
  /// The name of something that is emitted in Swift; `nil`, with a finding, where Swift or we cannot take it.
  mutating func identifier(_ node: SyntaxNode, as role: Identifier.Role) -> String? {
    guard node.kind == .scalar else {
      findings.report(
        .wrongKind, "\(role.inWords) is needed here, not \(node.kindInWords)", at: node,
        help: "write a name such as '\(role.isUpperCamel ? "Account" : "userToken")'")
      return nil
    }
    let text = node.text
    guard Identifier.isWellFormed(text, as: role) else {
      findings.report(
        .invalidIdentifier, "'\(text)' cannot be \(role.inWords)", at: node,
        help: role.isUpperCamel
          ? "use ASCII letters and digits, an upper-case letter first, at most \(Identifier.maxLength): 'Account'"
          : "use ASCII letters and digits, a lower-case letter first, at most \(Identifier.maxLength): 'userToken'")
      return nil
    }
    guard !ReservedIdentifiers.contains(text, as: role) else {
      findings.report(
        .reservedIdentifier, "'\(text)' cannot be \(role.inWords): Swift or the emitted code has it already", at: node,
        help: role == .member
          ? "choose another member; the stored name can stay with `name: \(text)`" : "choose another name")
      return nil
    }
    return text
  }

  /// A dotted path in Swift.
  mutating func swiftName(_ node: SyntaxNode, _ what: String, example: @autoclosure () -> String) -> SwiftName? {
    guard let text = scalar(node, what, example: example()) else { return nil }
    guard Identifier.isPath(text) else {
      findings.report(
        .invalidSwiftName, "'\(text)' is not a name in Swift", at: node,
        help: "write a dotted path as in `\(example())`")
      return nil
    }
    guard !ReservedIdentifiers.isEmitted(text.prefix { $0 != "." }) else {
      findings.report(
        .reservedIdentifier, "'\(text)' begins with a name that the emitted code has already", at: node,
        help: "give what it names another name, or a typealias")
      return nil
    }
    return SwiftName(text)
  }
}
