import CatalogSyntax

/// Nodes to values. What each topic decodes stands in an extension; all of them report into one list.
struct CatalogDecoder {
  var findings = Findings()
  var types = TypeTable()
  /// The catalog whose nodes are being decoded: whose imports count, and which module a type's use must import.
  var header = CatalogHeader()
}

/// Scalars, whatever they say.
extension CatalogDecoder {
  /// The text of a scalar that is not null.
  mutating func scalar(_ node: SyntaxNode, _ what: String, example: @autoclosure () -> String) -> String? {
    guard node.kind == .scalar else {
      reportKind(node, what, example: example())
      return nil
    }
    let text = node.text
    if node.isNull {
      findings.report(
        .unexpectedNull, "\(what) is needed here, not \(text.isEmpty ? "nothing" : "'\(text)'")", at: node,
        help: "write it as in `\(example())`, or leave the field out")
      return nil
    }
    return text
  }

  /// Free text: what a comment has cut short is refused.
  mutating func prose(_ node: SyntaxNode, _ what: String, example: @autoclosure () -> String) -> String? {
    guard let text = scalar(node, what, example: example()) else { return nil }
    return isCut(node) ? nil : text
  }

  /// Reports a comment straight after plain text; whether there is one.
  mutating func isCut(_ node: SyntaxNode) -> Bool {
    guard node.isPlain, let comment = node.trailingComment else { return false }
    let end = SourceLocation(line: comment.line, column: comment.column + 1)
    findings.report(
      .commentCutsText, "the text ends before this '#', which begins a comment",
      at: SourcePlace(file: node.tree.source, range: SourceRange(start: comment, end: end)),
      help: "put the text between double quotes, or the comment on a line of its own",
      notes: [Diagnostic.Note("the text that is left", at: node.place)])
    return true
  }

  /// `true` or `false`.
  mutating func flag(_ node: SyntaxNode, _ name: String) -> Bool? {
    guard let text = scalar(node, "true or false", example: "\(name): true") else { return nil }
    switch text {
    case "true": return true
    case "false": return false
    default:
      findings.report(
        .invalidFlag, "'\(name)' takes true or false, not '\(text)'", at: node, help: "write `\(name): true` or false")
      return nil
    }
  }

  /// One of the cases of an enum.
  mutating func name<Name: CaseName>(
    _ node: SyntaxNode, _ what: String, _ rule: CatalogRule = .unknownCase, example: @autoclosure () -> String
  ) -> Name? {
    if let name = Name.names.find(node) { return name }
    guard let text = scalar(node, what, example: example()) else { return nil }
    findings.report(
      rule, "'\(text)' is not \(what)\(Name.names.suggestion(for: text))", at: node,
      help: "one of \(Name.names.listing)")
    return nil
  }

  mutating func mapping(
    _ node: SyntaxNode, _ what: @autoclosure () -> String, example: @autoclosure () -> String
  ) -> Bool {
    if node.kind == .mapping { return true }
    if node.isPlain, let colon = node.text.firstIndex(of: ":") {
      let (name, value) = (node.text[..<colon], node.text[colon...].dropFirst())
      findings.report(
        .wrongKind, "\(what()) is needed here, and '\(name):' has no space behind its ':'", at: node,
        help: "write `\(name): \(value.prefix { $0 != " " && $0 != ":" })`")
      return false
    }
    reportKind(node, what(), example: example())
    return false
  }

  mutating func sequence(_ node: SyntaxNode, _ what: String, example: @autoclosure () -> String) -> Bool {
    if node.kind == .sequence { return true }
    reportKind(node, what, example: example())
    return false
  }

  mutating func reportKind(_ node: SyntaxNode, _ what: String, example: String) {
    findings.report(
      .wrongKind, "\(what) is needed here, not \(node.kindInWords)", at: node, help: "write it as in `\(example)`")
  }
}

extension SyntaxNode {
  var kindInWords: String {
    switch kind {
    case .scalar: isNull ? "nothing" : "text"
    case .sequence: "a list"
    case .mapping: "a map"
    }
  }

  /// Whether it is written without quotes as `null`, `~` or nothing.
  var isNull: Bool {
    guard kind == .scalar, textLength <= 4, isPlain else { return false }
    return textLength == 0 || hasText("~") || hasText("null")
  }

  /// Whether its text is this one, without making a string of it.
  func hasText(_ text: StaticString) -> Bool {
    withText { $0.elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)) }
  }

  /// The value of the first field of this name. For places of findings, not for decoding.
  func value(of field: String) -> SyntaxNode? {
    guard kind == .mapping else { return nil }
    for (key, value) in fields where key.kind == .scalar && key.text == field { return value }
    return nil
  }

  /// The only child of a sequence.
  var onlyChild: SyntaxNode? {
    guard kind == .sequence else { return nil }
    var children = children
    guard let child = children.next(), children.next() == nil else { return nil }
    return child
  }

  /// The only field of a map.
  var onlyField: (key: SyntaxNode, value: SyntaxNode)? {
    guard kind == .mapping else { return nil }
    var fields = fields
    guard let field = fields.next(), fields.next() == nil else { return nil }
    return field
  }
}
