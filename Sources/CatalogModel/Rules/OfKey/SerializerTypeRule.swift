import CatalogSyntax
import StorageVocabulary

/// The serializer `data` writes bytes as they are, so the value must be bytes or text.
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
