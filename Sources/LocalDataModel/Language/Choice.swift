import LocalDataSyntax

/// The draft of a value that is one of several cases.
protocol CaseDraft: Sendable {
  associatedtype Kind: CaseName

  var kind: Kind { get }
  init(_ kind: Kind)

  /// Returns a finding about a text that is the value of a case without its name: `30d` for `maxAge`.
  static func problem(with text: String) -> (message: String, help: String)?

  /// Reports fields of a case that exclude each other. Returns true if there are none.
  static func isConsistent(_ payload: SyntaxNode, _ context: inout DecodingContext) -> Bool
}

extension CaseDraft {
  static func problem(with text: String) -> (message: String, help: String)? { nil }

  static func isConsistent(_ payload: SyntaxNode, _ context: inout DecodingContext) -> Bool { true }
}

/// A value that is one of several cases, some of which have fields: `userDefaults`, `{keychain: {service: shop}}`.
///
/// A value can inherit from another one: if both are the same case, the fields that it does not write keep the other
/// one's values.
struct Choice<Draft: CaseDraft>: Sendable {
  struct Case: Sendable {
    let kind: Draft.Kind
    let summary: String
    let payload: Payload
  }

  enum Payload: Sendable {
    case none
    /// Fields of the choice's table, by name.
    case fields([String])
    /// A single value. If it is required, it can still be inherited: the draft says whether it is there.
    case value(Field<Draft>, isRequired: Bool)
  }

  /// The value in words: `a storage domain`.
  let what: String
  let rule: Rule
  /// The field as a catalog writes it.
  let example: String
  private let kinds: [Draft.Kind]
  /// The cases, in the order of `kinds`.
  private let cases: [Decoder]

  /// - Parameter fields: The fields that the cases have, each in at least one of them.
  init(
    _ what: String, _ rule: Rule = .unknownCase, example: String, fields: [Field<Draft>] = [],
    _ cases: [Case]
  ) {
    self.what = what
    self.rule = rule
    self.example = example
    kinds = cases.map(\.kind)
    self.cases = cases.map { entry in
      guard case .fields(let names) = entry.payload else { return Decoder(entry, nil) }
      let own = names.compactMap { name in fields.first { $0.entry.name == name } }
      precondition(own.count == names.count, "\(entry.kind.text) has a field that is not described")
      let text = entry.kind.text
      let table = FieldTable(
        "'\(text)'", what: "a map of the fields of '\(text)'",
        example: "{\(text): {\(own.first.map(\.entry.written) ?? "")}}", own)
      return Decoder(entry, table)
    }
  }

  /// A case with the table of its fields. It is an object so that to look it up counts one reference, not one to each
  /// text and table in it.
  private final class Decoder: Sendable {
    let entry: Case
    let fields: FieldTable<Draft>?

    init(_ entry: Case, _ fields: FieldTable<Draft>?) {
      self.entry = entry
      self.fields = fields
    }
  }

  var shape: Shape {
    .choice(
      cases.map { decoder in
        let fields = decoder.fields
        let payload: Shape.Alternative.Payload =
          switch decoder.entry.payload {
          case .none: .none
          case .fields:
            .fields(fields?.entries ?? [], isRequired: fields?.entries.contains { $0.presence == .required } ?? false)
          case .value(let field, let isRequired): .value(field.entry.shape, isRequired: isRequired)
          }
        return Shape.Alternative(
          name: decoder.entry.kind.text, summary: decoder.entry.summary, payload: payload)
      })
  }

  /// Decodes a value. Returns nil, after a finding, if it is not one.
  ///
  /// - Parameter inherited: The value whose fields remain if it is the same case.
  func decode(_ node: SyntaxNode, over inherited: Draft? = nil, _ context: inout DecodingContext) -> Draft? {
    let name: SyntaxNode
    var payload: SyntaxNode?
    switch node.kind {
    case .scalar: name = node
    case .mapping:
      guard let (key, value) = node.onlyField else {
        context.findings.report(
          .wrongKind, "\(what) is a map with one case", at: node, help: "write it as in `\(example)`")
        return nil
      }
      name = key
      payload = value
    case .sequence:
      context.reportKind(node, what, example: example)
      return nil
    }
    guard let kind = kind(name, &context) else { return nil }
    guard let index = kinds.firstIndex(of: kind) else {
      context.findings.report(
        rule, "'\(kind.text)' is not \(what)", at: name, help: "use one of \(kinds.map(\.text).listing)")
      return nil
    }
    let decoder = cases[index]
    var draft = Draft(kind)
    if let inherited, inherited.kind == kind { draft = inherited }
    guard let payload else { return draft }
    switch decoder.entry.payload {
    case .none:
      context.findings.report(
        .wrongKind, "'\(kind.text)' takes no value", at: payload, help: "write the name alone: \(kind.text)")
      return nil
    case .fields:
      guard let fields = decoder.fields, context.mapping(payload, fields.what, example: fields.example) else {
        return nil
      }
      return fields.decode(payload, into: &draft, &context).isSound && Draft.isConsistent(payload, &context)
        ? draft : nil
    case .value(let field, _): return field.decode(payload, &draft, &context) ? draft : nil
    }
  }

  private func kind(_ node: SyntaxNode, _ context: inout DecodingContext) -> Draft.Kind? {
    if let kind = Draft.Kind.names.find(node) { return kind }
    if node.kind == .scalar, let problem = Draft.problem(with: node.text) {
      context.findings.report(rule, problem.message, at: node, help: problem.help)
      return nil
    }
    return context.name(node, what, rule, among: kinds, example: example)
  }

  /// Returns the node of a field in the value that a key or `defaults` writes, if that value is of the given case.
  func leaf(_ path: [String], in node: SyntaxNode, of kind: Draft.Kind) -> SyntaxNode? {
    guard let (key, value) = node.onlyField, key.kind == .scalar, Draft.Kind.names.find(key) == kind else { return nil }
    return path.reduce(value) { $0?.value(of: $1) }
  }
}
