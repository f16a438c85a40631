import LocalDataSyntax
import LocalDataVocabulary

/// An entry of `from` on its way from nodes.
struct RecordTransformDraft: Sendable {
  var node: SyntaxNode
  /// The field that the entry itself names.
  var single = RecordSourceDraft()
  var fields: [RecordSourceDraft] = []
  var function: SwiftName?

  /// The earlier fields, in the order of the function's parameters.
  var sources: [RecordSourceDraft] { fields.isEmpty ? [single] : fields }
}

/// A field of an earlier release on its way from nodes.
struct RecordSourceDraft: Sendable {
  var node: SyntaxNode?
  var number: Int?
  var type: ValueType?
  var encryption = ResolvedRecord.Encryption.none
  var wire = WireForm.timestamp
}

extension Language {
  /// The fields of an entry of `from`.
  static let recordTransform = FieldTable<RecordTransformDraft>(
    "'from'", what: "a map with 'number', 'type' and 'transform'",
    example: "from: {number: 5, type: Int, transform: Length.text}",
    [
      Field(
        "number", .fieldNumber, .optional("the numbers of 'fields'"), "The number of the earlier field.", example: "5"
      ) { $0.single.number = $1 },
      Field(
        "type", .fieldType, .optional("the types of 'fields'"),
        "The type that the earlier field had. With `?` the function gets nil where no value is stored.",
        example: "\"[String]\""
      ) { $0.single.type = $1 },
      Field(
        encryptedField, .encryption, .optional("false"), "The encryption that the earlier field had.", example: "true"
      ) { $0.single.encryption = $1 },
      Field(
        "wire", .word("a form of dates"), .optional("timestamp"), "The form of dates that the earlier field had.",
        example: "seconds"
      ) { $0.single.wire = $1 },
      Field(
        "fields", .recordSources, .optional("'number' and 'type'"),
        "Several earlier fields by their numbers, in the order of the function's parameters. Each is a type, or a map with "
          + "'type', 'encrypted' and 'wire'.", example: "{5: String, 6: {type: Date, encrypted: true}}"
      ) { $0.fields = $1 },
      Field(
        "transform", .swiftName("the name of a function"), .required,
        "A function from the types of the earlier fields to the type of this one. It may throw an error.",
        example: "Length.text"
      ) { $0.function = $1 },
    ])

  /// The fields of an earlier field in `fields` of an entry of `from`.
  static let recordSource = FieldTable<RecordSourceDraft>(
    "an earlier field", what: "a type, or a map with 'type'", example: "{type: Date, encrypted: true}",
    [
      Field("type", .fieldType, .required, "The type that the earlier field had.", example: "Date") { $0.type = $1 },
      Field(
        encryptedField, .encryption, .optional("false"), "The encryption that the earlier field had.", example: "true"
      ) { $0.encryption = $1 },
      Field(
        "wire", .word("a form of dates"), .optional("timestamp"), "The form of dates that the earlier field had.",
        example: "seconds"
      ) { $0.wire = $1 },
    ])
}

extension ValueShape where Value == ValueType {
  /// The type of a field, which may be optional.
  fileprivate static var fieldType: Self {
    Self(what: "a type", shape: .type) { node, _, context in context.valueType(node, in: .field) }
  }
}

extension ValueShape where Value == [RecordTransformDraft] {
  /// One map, or a list of them.
  static var recordTransforms: Self {
    let table = Language.recordTransform
    return Self(what: table.what, shape: .either([table.shape, .list(of: table.shape)])) { node, _, context in
      let nodes = node.kind == .sequence ? Array(node.children) : [node]
      let result = nodes.compactMap { transform($0, &context) }
      guard result.count == nodes.count else { return nil }
      if result.isEmpty {
        context.findings.report(.missingField, "'from' has no entry", at: node, help: "write `\(table.example)`")
      }
      return result.isEmpty ? nil : result
    }
  }

  private static func transform(_ node: SyntaxNode, _ context: inout DecodingContext) -> RecordTransformDraft? {
    let table = Language.recordTransform
    guard let draft = table.record(node, RecordTransformDraft(node: node), &context) else { return nil }
    let own = ["number", "type", Language.encryptedField, "wire"].compactMap { node.key(of: $0) }
    if let key = own.first, !draft.fields.isEmpty {
      context.findings.report(
        .recordSource, "'from' names its earlier fields twice", at: key,
        help: "write either 'number' and 'type', or 'fields'")
      return nil
    }
    guard !draft.fields.isEmpty || draft.single.number != nil && draft.single.type != nil else {
      context.findings.report(
        .missingField, "'from' needs '\(draft.single.number == nil ? "number" : "type")'", at: node.start,
        help: "write `\(table.example)`")
      return nil
    }
    return draft
  }
}

extension ValueShape where Value == [RecordSourceDraft] {
  /// A map from numbers to types.
  fileprivate static var recordSources: Self {
    let table = Language.recordSource
    return Self(what: "a map of earlier fields", shape: .map(of: .either([.type, table.shape]))) {
      node, entry, context in
      guard context.mapping(node, "a map of earlier fields", example: entry.written) else { return nil }
      let nodes = Array(node.fields)
      let sources = nodes.compactMap { key, body -> RecordSourceDraft? in
        let number = ValueShape<Int>.fieldNumber.decode(key, entry, &context)
        var source: RecordSourceDraft?
        if body.kind == .mapping {
          source = table.record(body, RecordSourceDraft(), &context)
        } else if let type = context.valueType(body, in: .field) {
          source = RecordSourceDraft(type: type)
        }
        guard let number, var source else { return nil }
        source.node = key
        source.number = number
        return source
      }
      if nodes.isEmpty {
        context.findings.report(
          .missingField, "'fields' has no earlier field", at: node, help: "write `\(entry.written)`")
      }
      return sources.count == nodes.count && !nodes.isEmpty ? sources : nil
    }
  }
}
