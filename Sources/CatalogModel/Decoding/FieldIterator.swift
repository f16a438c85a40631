import CatalogSyntax

/// The fields of a map in their order. Unknown ones are reported and passed over; repeated ones the reader has refused.
struct FieldIterator<Field: FieldName> {
  private var fields: SyntaxNode.Fields
  private let owner: String
  private let isCase: Bool
  private let isAllowed: (@Sendable (Field) -> Bool)?
  /// Whether a field was passed over, so that what is missing may be what was misspelt.
  private(set) var hasUnknown = false
  /// Fields that unknown ones were probably meant to be.
  private(set) var misspelt: [Field] = []

  /// - Parameters:
  ///   - owner: what the map is, for messages: `a key`, or the name of a case.
  ///   - isCase: whether it is the name of a case, which a message puts between quotes.
  ///   - isAllowed: which fields this map may have where it is not all of them.
  init(
    _ node: SyntaxNode, of owner: String, isCase: Bool = false, allowing isAllowed: (@Sendable (Field) -> Bool)? = nil
  ) {
    fields = node.fields
    self.owner = owner
    self.isCase = isCase
    self.isAllowed = isAllowed
  }

  mutating func next(_ findings: inout Findings) -> (field: Field, key: SyntaxNode, value: SyntaxNode)? {
    while let (key, value) = fields.next() {
      guard key.kind == .scalar else {
        findings.report(
          .wrongKind, "a field of \(ownerInWords) is named by text", at: key, help: help)
        continue
      }
      guard let field = Field.names.find(key), isAllowed?(field) ?? true else {
        hasUnknown = true
        let text = key.text
        if value.isNull, value.text.isEmpty, text.contains(" ") {
          reportRestOfText(text, at: key, &findings)
        } else {
          reportUnknown(text, at: key, &findings)
        }
        continue
      }
      return (field, key, value)
    }
    return nil
  }

  /// Between braces a comma ends a text, and what follows is a field without a value.
  private func reportRestOfText(_ text: String, at key: SyntaxNode, _ findings: inout Findings) {
    findings.report(
      .unknownField, "'\(text)' is not a field of \(ownerInWords), and has no value", at: key,
      help: "put text with a ',' in it into quotes where it stands between braces")
  }

  private mutating func reportUnknown(_ text: String, at key: SyntaxNode, _ findings: inout Findings) {
    if Field.self == KeyField.self, let later = LaterField.names.find(text) {
      findings.report(
        .notSupportedYet, "'\(later.text)' is not supported yet", at: key,
        help: "leave it out: a later version of the tool takes it")
    } else {
      let nearest = Spelling.nearest(to: text, among: allowed)
      if let nearest, let field = Field.names.find(nearest) { misspelt.append(field) }
      let suggestion = nearest.map { "; did you mean '\($0)'?" } ?? ""
      findings.report(
        .unknownField, "'\(text)' is not a field of \(ownerInWords)\(suggestion)", at: key, help: help(for: text))
    }
  }

  private var ownerInWords: String { isCase ? "'\(owner)'" : owner }

  private var allowed: [String] {
    guard let isAllowed else { return Field.names.texts }
    return zip(Field.allCases, Field.names.texts).filter { isAllowed($0.0) }.map(\.1)
  }

  /// What Foundation wrote is asked for in one place only, and easily looked for in another.
  private func help(for text: String) -> String {
    guard text == CatalogDecoder.DomainField.foundation.text else { return help }
    return "it stands in the domain of an inline source: "
      + "`migration: {from: {domain: {userDefaults: {foundation: true}}}}`"
  }

  private var help: String {
    guard isAllowed != nil else { return "one of \(Field.names.listing)" }
    return allowed.isEmpty ? "it takes none" : "one of \(allowed.joined(separator: ", "))"
  }
}
