import LocalDataSyntax

/// One field of a map in a catalog: its description, and how a node becomes part of a draft.
///
/// The drafts are the values that decoders fill in. A field whose value needs nothing else is described by a
/// `ValueShape` and a closure that stores the value:
///
///     Field("maxSize", .integer("a number of bytes", 1...Int.max), .optional("16 MiB in files, 1 MiB elsewhere"),
///       "The most bytes that the serialized value may have.", example: "4096"
///     ) { $0.maxSize = $1 }
struct Field<Draft>: Sendable {
  let entry: FieldEntry
  /// Decodes the value. Returns false, after a finding, if the node has none.
  let decode: @Sendable (SyntaxNode, inout Draft, inout DecodingContext) -> Bool

  /// A field whose value is decoded by its shape.
  init<Value>(
    _ name: String, _ shape: ValueShape<Value>, _ presence: FieldEntry.Presence, _ summary: String, example: String,
    isInheritable: Bool = false, unset: (@Sendable (inout Draft) -> Void)? = nil,
    store: @escaping @Sendable (inout Draft, Value) -> Void
  ) {
    let entry = FieldEntry(
      name: name, what: shape.what, shape: shape.shape, presence: presence, isInheritable: isInheritable,
      canBeUnset: unset != nil, summary: summary, example: example)
    self.entry = entry
    decode = { node, draft, context in
      if let unset, node.isPlain, node.hasText("none") {
        unset(&draft)
        return true
      }
      guard let value = shape.decode(node, entry, &context) else { return false }
      store(&draft, value)
      return true
    }
  }

  /// A field that is decoded by a closure instead of by its shape.
  init(
    _ name: String, _ what: String, _ shape: Shape, _ presence: FieldEntry.Presence, _ summary: String,
    example: String, isInheritable: Bool = false,
    decode: @escaping @Sendable (SyntaxNode, inout Draft, inout DecodingContext) -> Bool
  ) {
    entry = FieldEntry(
      name: name, what: what, shape: shape, presence: presence, isInheritable: isInheritable, canBeUnset: false,
      summary: summary, example: example)
    self.decode = decode
  }

  /// A field whose node is decoded later, when what it refers to is known.
  init(
    _ name: String, _ what: String, _ shape: Shape, _ presence: FieldEntry.Presence, _ summary: String,
    example: String, isInheritable: Bool = false, keep: @escaping @Sendable (inout Draft, SyntaxNode) -> Void
  ) {
    self.init(name, what, shape, presence, summary, example: example, isInheritable: isInheritable) { node, draft, _ in
      keep(&draft, node)
      return true
    }
  }
}

/// A set of fields of one table, by their positions.
struct FieldSet: OptionSet, Sendable {
  let rawValue: UInt64

  init(rawValue: UInt64) { self.rawValue = rawValue }

  init(position: Int) { rawValue = 1 << UInt64(position) }

  static let all = FieldSet(rawValue: .max)
}

/// The fields that a map has, and those of them that have findings.
struct FieldsRead: Sendable {
  var present: FieldSet = []
  /// Fields with findings, and those that were probably misspelt: what follows from them is not reported.
  var failed: FieldSet = []
  /// A Boolean value that indicates whether the map has fields that are not in its table.
  var hasUnknown = false

  var isSound: Bool { failed.isEmpty && !hasUnknown }
}

/// The fields of one kind of map.
///
/// All threads read one table. To copy a structure counts a reference to each of its texts, and the threads wait for each
/// other at each count. A table is therefore an object, and of a field without findings only the decoder is used.
final class FieldTable<Draft>: Sendable {
  /// The map, for messages: `a key`, `'privacy'`.
  let owner: String
  /// The map as a value, for messages: `a map with 'reason'`.
  let what: String
  /// The map as a catalog writes it.
  let example: String
  let fields: [Field<Draft>]
  private let decoders: [@Sendable (SyntaxNode, inout Draft, inout DecodingContext) -> Bool]
  /// Returns the help for a field that belongs to another map and is easily written here.
  let helpElsewhere: @Sendable (_ name: String, _ value: SyntaxNode) -> String?
  /// Fields of a later version of the tool.
  private let notSupportedYet: [String]
  private let index: NameIndex

  init(
    _ owner: String, what: String = "a map of fields", example: String,
    helpElsewhere: @escaping @Sendable (_ name: String, _ value: SyntaxNode) -> String? = { _, _ in nil },
    notSupportedYet: [String] = [], _ fields: [Field<Draft>]
  ) {
    precondition(fields.count <= 64, "a set of fields has 64 bits")
    self.owner = owner
    self.what = what
    self.example = example
    self.fields = fields
    decoders = fields.map(\.decode)
    self.helpElsewhere = helpElsewhere
    self.notSupportedYet = notSupportedYet
    index = NameIndex(fields.map(\.entry.name))
  }

  var entries: [FieldEntry] { fields.map(\.entry) }

  /// The shape of a map with these fields.
  var shape: Shape { .record(entries) }

  func position(of name: String) -> Int? { index.find(name) }

  func position(of node: SyntaxNode) -> Int? { index.find(node) }

  /// The set of the fields with these names.
  func set(_ names: [String]) -> FieldSet {
    FieldSet(
      names.map { name in
        guard let position = position(of: name) else { preconditionFailure("\(owner) has no field '\(name)'") }
        return FieldSet(position: position)
      })
  }

  func names(of set: FieldSet) -> [String] {
    fields.indices.filter { set.contains(FieldSet(position: $0)) }.map { fields[$0].entry.name }
  }

  /// Decodes the fields of a map into a draft. Unknown fields are reported and ignored; repeated ones do not pass the
  /// reader.
  ///
  /// - Parameters:
  ///   - allowed: The fields that this map may have.
  ///   - isRefused: Reports a field that is known and not wanted here. Returns true if it did.
  func decode(
    _ node: SyntaxNode, into draft: inout Draft, allowing allowed: FieldSet = .all, _ context: inout DecodingContext,
    refusing isRefused: ((FieldEntry, SyntaxNode, inout DecodingContext) -> Bool)? = nil
  ) -> FieldsRead {
    var read = FieldsRead()
    var fields = node.fields
    while let (key, value) = fields.next() {
      guard key.kind == .scalar else {
        context.findings.report(
          .wrongKind, "a field of \(owner) is named by text", at: key, help: help(allowed))
        read.hasUnknown = true
        continue
      }
      guard let position = index.find(key), allowed.contains(FieldSet(position: position)) else {
        read.hasUnknown = true
        reportUnknown(key, value, allowed, &read, &context)
        continue
      }
      let field = FieldSet(position: position)
      if let isRefused, isRefused(self.fields[position].entry, key, &context) { continue }
      read.present.formUnion(field)
      if !decoders[position](value, &draft, &context) { read.failed.formUnion(field) }
    }
    return read
  }

  /// Decodes a map whose fields need nothing from outside. Returns nil, after a finding, unless every field is sound
  /// and every required one is present.
  func record(_ node: SyntaxNode, _ draft: Draft, _ context: inout DecodingContext) -> Draft? {
    guard context.mapping(node, what, example: example) else { return nil }
    var draft = draft
    let read = decode(node, into: &draft, &context)
    guard hasRequired(read, node, &context), read.isSound else { return nil }
    return draft
  }

  /// Reports the first required field that is missing. If a field is unknown, the missing one may be meant by it.
  func hasRequired(_ read: FieldsRead, _ node: SyntaxNode, _ context: inout DecodingContext) -> Bool {
    for (position, field) in fields.enumerated()
    where field.entry.presence == .required && !read.present.contains(FieldSet(position: position)) {
      if !read.hasUnknown {
        context.findings.report(
          .missingField, "\(owner) needs '\(field.entry.name)'", at: node.start, help: "write `\(example)`")
      }
      return false
    }
    return true
  }

  // MARK: Findings

  private func reportUnknown(
    _ key: SyntaxNode, _ value: SyntaxNode, _ allowed: FieldSet, _ read: inout FieldsRead,
    _ context: inout DecodingContext
  ) {
    let text = key.text
    if notSupportedYet.contains(text) {
      context.findings.report(
        .notSupportedYet, "'\(text)' of \(owner) is not supported yet", at: key, help: "remove it")
      return
    }
    if value.isNull, value.text.isEmpty, text.contains(" ") {
      // Between braces a comma ends a text, and what follows is a field without a value.
      context.findings.report(
        .unknownField, "'\(text)' is not a field of \(owner), and has no value", at: key,
        help: "put text that contains ',' in quotes, because a comma ends it between braces")
      return
    }
    if value.isNull, let colon = text.firstIndex(of: ":"), index.find(String(text[..<colon])) != nil {
      context.findings.report(
        .unknownField, "'\(text)' has no space after its ':'", at: key,
        help: "write `\(FieldValue.field(String(text[..<colon]), String(text[text.index(after: colon)...])))`")
      if let position = index.find(String(text[..<colon])) { read.failed.formUnion(FieldSet(position: position)) }
      return
    }
    let nearest = context.nearest(to: text, among: names(of: allowed))
    if let nearest, let position = index.find(nearest) { read.failed.formUnion(FieldSet(position: position)) }
    let suggestion = nearest.map { "; did you mean '\($0)'?" } ?? ""
    context.findings.report(
      .unknownField, "'\(text)' is not a field of \(owner)\(suggestion)", at: key,
      help: helpElsewhere(text, value) ?? help(allowed))
  }

  private func help(_ allowed: FieldSet) -> String {
    let names = fields.indices
      .filter { allowed.contains(FieldSet(position: $0)) }
      .map { fields[$0].entry.name }
    return names.isEmpty ? "remove it: no field can be written here" : "use one of \(names.joined(separator: ", "))"
  }
}
