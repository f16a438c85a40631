import LocalDataSyntax
import LocalDataVocabulary

/// A serializer on its way from nodes.
struct SerializerDraft: CaseDraft {
  var kind: SerializerKind.Kind
  var custom: SwiftName?

  init(_ kind: SerializerKind.Kind) { self.kind = kind }

  var serializer: SerializerKind? {
    switch kind {
    case .json: .json
    case .propertyList: .propertyList
    case .jsonText: .jsonText
    case .data: .data
    case .keyedArchive: .keyedArchive
    case .custom: custom.map { .custom($0.text) }
    }
  }
}

/// A retention on its way from nodes.
struct RetentionDraft: CaseDraft {
  var kind: Retention.Kind
  var retention: Retention?

  init(_ kind: Retention.Kind) { self.kind = kind }

  static func problem(with text: String) -> (message: String, help: String)? {
    let kind: Retention.Kind
    if Retention.seconds(text) != nil {
      kind = .maxAge
    } else if Retention.End.names.find(text) != nil {
      kind = .until
    } else {
      return nil
    }
    return ("'\(text)' needs a field name", "write {\(FieldValue.field(kind.text, text))}")
  }
}

extension Language {
  /// The serializer of a value.
  static let serializer = Choice<SerializerDraft>(
    "a serializer", example: "serializer: json",
    [
      .init(kind: .json, summary: "JSON.", payload: .none),
      .init(
        kind: .propertyList, summary: "A property list; in plain preferences the value itself.", payload: .none),
      .init(kind: .jsonText, summary: "JSON as a text, in preferences that are not encrypted.", payload: .none),
      .init(kind: .data, summary: "The bytes of Data, or of String in UTF-8.", payload: .none),
      .init(
        kind: .keyedArchive, summary: "The bytes of NSKeyedArchiver, on Apple's platforms; for built-in types.",
        payload: .none),
      .init(
        kind: .custom, summary: "A CustomSerializer of the app.",
        payload: .value(
          Field(
            "custom", .swiftName("the name of a serializer in Swift"), .required, "A CustomSerializer of the app.",
            example: "NoteSerializer"
          ) { $0.custom = $1 }, isRequired: true)),
    ])

  /// The retention of a value.
  static let retention = Choice<RetentionDraft>(
    "a retention", example: "retention: {maxAge: 30d}",
    [
      .init(
        kind: .maxAge, summary: "So long after it was last written, in s, m, h, d or w.",
        payload: .value(
          Field("maxAge", .duration, .required, "A duration.", example: "30d") {
            $0.retention = .maxAge(seconds: $1)
          }, isRequired: true)),
      .init(
        kind: .until, summary: "Until the app is launched again, or installed again.",
        payload: .value(
          Field("until", .word("an end of retention"), .required, "The end of the retention.", example: "relaunch") {
            (draft: inout RetentionDraft, end: Retention.End) in
            draft.retention =
              switch end {
              case .relaunch: .untilRelaunch
              case .reinstall: .untilReinstall
              }
          }, isRequired: true)),
    ])
}

extension ValueShape where Value == SerializerKind {
  static var serializer: Self {
    Self(what: "a serializer", shape: Language.serializer.shape) { node, _, context in
      if node.hasText("protobuf") {
        context.findings.report(
          .notSupportedYet, "the serializer 'protobuf' is not supported yet", at: node,
          help: "use one of \(SerializerKind.Kind.names.listing)")
        return nil
      }
      guard let draft = Language.serializer.decode(node, &context) else { return nil }
      if let serializer = draft.serializer { return serializer }
      context.findings.report(
        .missingField, "'custom' needs the name of a serializer", at: node, help: "write {custom: NoteSerializer}")
      return nil
    }
  }
}

extension ValueShape where Value == Retention {
  static var retention: Self {
    Self(what: "a retention", shape: Language.retention.shape) { node, _, context in
      guard let draft = Language.retention.decode(node, &context) else { return nil }
      if let retention = draft.retention { return retention }
      context.findings.report(
        .missingField, "'\(draft.kind.text)' needs a value", at: node,
        help: "write {maxAge: 30d} or {until: relaunch}")
      return nil
    }
  }
}

extension ValueShape where Value == Int {
  static var duration: Self {
    Self(what: "a duration", shape: .duration) { node, entry, context in
      guard let text = context.scalar(node, "a duration", example: "retention: {\(entry.written)}") else { return nil }
      if let seconds = Retention.seconds(text), seconds <= Int(Int32.max) { return seconds }
      let units = Retention.units.map(\.symbol).joined(separator: ", ")
      context.findings.report(
        .invalidDuration, "'\(text)' is not a duration", at: node,
        help: "write a whole number and one of \(units), for example 30d")
      return nil
    }
  }
}
