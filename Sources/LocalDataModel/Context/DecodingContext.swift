import LocalDataSyntax

/// The state that every decoder needs: the list of findings, the types of the run, and the catalog at hand.
struct DecodingContext: Sendable {
  var findings = Findings()
  var types = TypeTable()
  /// The catalog whose nodes are being decoded. Its imports decide what a type's name means.
  var header = CatalogHeader()
  var suggestions = Suggestions()
  /// The rules that an allowance can name.
  let rules: RuleIndex

  init(rules: RuleIndex) { self.rules = rules }

  mutating func nearest(to text: String, among names: @autoclosure () -> [String]) -> String? {
    suggestions.nearest(to: text, among: names())
  }

  mutating func suggestion(for text: String, among names: @autoclosure () -> [String]) -> String {
    suggestions.suggestion(for: text, among: names())
  }
}

extension [String] {
  /// The elements for a help line, of which there can be thousands.
  var listing: String {
    let most = 40
    return count <= most
      ? joined(separator: ", ") : prefix(most).joined(separator: ", ") + " and \(count - most) more"
  }
}

/// The kinds of nodes.
extension DecodingContext {
  /// Returns the text of a scalar. Reports other nodes, `null`, and characters that look like spaces. Names and
  /// values are compared, and a reader cannot see the difference.
  mutating func scalar(_ node: SyntaxNode, _ what: String, example: @autoclosure () -> String) -> String? {
    guard let text = text(node, what, example: example()) else { return nil }
    return isLookAlike(node.lookAlikeSpace) ? nil : text
  }

  /// Reports a look-alike; returns true if there is one.
  mutating func isLookAlike(_ found: SyntaxNode.FoundLookAlike?) -> Bool {
    guard let found else { return false }
    findings.report(.lookAlike, found.message, at: found.place, help: found.help)
    return true
  }

  private mutating func text(_ node: SyntaxNode, _ what: String, example: @autoclosure () -> String) -> String? {
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

  /// Returns free text. Reports text that a comment has cut short.
  mutating func prose(_ node: SyntaxNode, _ what: String, example: @autoclosure () -> String) -> String? {
    guard let text = text(node, what, example: example()) else { return nil }
    return isCut(node) ? nil : text
  }

  /// Reports a comment straight after plain text. Returns true if there is one.
  mutating func isCut(_ node: SyntaxNode) -> Bool {
    guard node.isPlain, let comment = node.trailingComment else { return false }
    let end = SourceLocation(line: comment.line, column: comment.column + 1)
    findings.report(
      .commentCutsText, "the text ends before this '#', which begins a comment",
      at: SourcePlace(file: node.tree.source, range: SourceRange(start: comment, end: end)),
      help: "put the text between double quotes, or the comment on another line",
      notes: [Diagnostic.Note("the text that is left", at: node.place)])
    return true
  }

  /// Returns the value of `true` or `false`.
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

  /// Returns the case of an enum that a node names.
  ///
  /// - Parameter names: The cases that a finding lists, if they are not all.
  mutating func name<Name: CaseName>(
    _ node: SyntaxNode, _ what: String, _ rule: Rule = .unknownCase, among names: [Name]? = nil,
    example: @autoclosure () -> String
  ) -> Name? {
    if let name = Name.names.find(node) { return name }
    guard let text = scalar(node, what, example: example()) else { return nil }
    let texts = names?.map(\.text) ?? Name.names.texts
    findings.report(
      rule, "'\(text)' is not \(what)\(suggestion(for: text, among: texts))", at: node,
      help: "use one of \(texts.listing)")
    return nil
  }

  mutating func mapping(
    _ node: SyntaxNode, _ what: @autoclosure () -> String, example: @autoclosure () -> String
  ) -> Bool {
    if node.kind == .mapping { return true }
    if node.isPlain, let colon = node.text.firstIndex(of: ":") {
      let name = node.text[..<colon]
      let value = node.text[colon...].dropFirst()
      findings.report(
        .wrongKind, "\(what()) is needed here, and '\(name):' has no space after its ':'", at: node,
        help: "write `\(FieldValue.field(String(name), String(value.prefix { $0 != " " && $0 != ":" })))`")
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
  /// The first character: the place of a finding about a whole map, which can have a thousand lines.
  var start: SourcePlace {
    let start = range.start
    return SourcePlace(
      file: tree.source,
      range: SourceRange(start: start, end: SourceLocation(line: start.line, column: start.column + 1)))
  }

  var kindInWords: String {
    switch kind {
    case .scalar: isNull ? "nothing" : "text"
    case .sequence: "a list"
    case .mapping: "a map"
    }
  }

  /// A Boolean value that indicates whether the node is written without quotes as `null`, `~` or nothing.
  var isNull: Bool {
    guard kind == .scalar, textLength <= 4, isPlain else { return false }
    return textLength == 0 || hasText("~") || hasText("null")
  }

  /// Returns true if the node's text is this one. Makes no string of it.
  func hasText(_ text: StaticString) -> Bool {
    withText { $0.elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)) }
  }

  /// The value of the field with this name. For the places of findings, not for decoding.
  func value(of field: String) -> SyntaxNode? { self.field(named: field)?.value }

  /// The key of the field with this name.
  func key(of field: String) -> SyntaxNode? { self.field(named: field)?.key }

  private func field(named name: String) -> (key: SyntaxNode, value: SyntaxNode)? {
    guard kind == .mapping else { return nil }
    return fields.first { $0.key.kind == .scalar && $0.key.text == name }
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

/// The fields above the keys of a catalog, and the modules that its outputs import.
struct CatalogHeader {
  /// Modules that generated code imports by itself where it needs them, or that none may import.
  static let standingImports: Set<String> = ["Swift", "Foundation", "LocalData", "LocalDataVocabulary"]

  /// Its place among the catalogs of the run.
  var index = 0
  var name = ""
  var nameNode: SyntaxNode?
  var access = AccessLevel.internal
  var imports: Set<String> = []
  /// Modules of types that other catalogs declare and this one uses.
  var borrowedModules: Set<String> = []
}
