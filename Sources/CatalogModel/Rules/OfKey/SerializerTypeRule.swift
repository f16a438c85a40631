import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let serializerType = Rule(
    "serializer-type", .combinations, "The serializer `data` is used with Data or String.",
    why: "It stores bytes as they are, and values of other types are not bytes.",
    bad: .keys("volume: {type: Double, serializer: data, description: How loud sounds are played.}"),
    good: .keys("volume: {type: Double, serializer: json, description: How loud sounds are played.}"))
}

/// Checks that the serializer `data` gets bytes or text.
struct SerializerTypeRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard !Self.takes(key.resolved.type, key.resolved.descriptor.serializer),
      key.isSound(KeyFieldSet(.serializer, .type))
    else { return }
    findings.report(
      .serializerType, "the serializer 'data' takes Data or String, not '\(key.resolved.type.swiftText)'",
      at: key.node(of: .serializer, defaults: defaults),
      help: "use json, propertyList, or {custom: NoteSerializer}",
      notes: [
        .init("the type of '\(key.resolved.descriptor.member)'", at: key.node(of: .type, defaults: defaults).place)
      ])
  }

  static func takes(_ type: ValueType, _ serializer: SerializerKind) -> Bool {
    serializer != .data || type == .scalar(.data) || type == .scalar(.string)
  }
}
