import CatalogSyntax
import StorageVocabulary

/// The fields of `watch`.
enum WatchField: UInt8, FieldName {
  case type, transform, serializer, schema

  static let names = NameTable<Self>()
}

extension CatalogDecoder {
  /// `watch: {type: ProfileGlance, transform: ProfileGlance.init}`
  mutating func watchRepresentation(_ node: SyntaxNode) -> ResolvedKey.WatchRepresentation? {
    let example = "watch: {type: ProfileGlance, transform: ProfileGlance.init}"
    guard mapping(node, "a map with 'type' and 'transform'", example: example) else { return nil }
    var (type, transform): (ValueType?, SwiftName?)
    var (serializer, schema): (SerializerKind?, Int?)
    var said: Set<WatchField> = []
    var isSound = true
    var fields = FieldIterator<WatchField>(node, of: "'watch'")
    while let (field, _, value) = fields.next(&findings) {
      said.insert(field)
      switch field {
      case .type:
        type = valueType(value, in: .key)
        if type == nil { isSound = false }
      case .transform:
        transform = swiftName(value, "the name of a function", example: "transform: ProfileGlance.init")
        if transform == nil { isSound = false }
      case .serializer:
        serializer = self.serializer(value)
        if serializer == nil { isSound = false }
      case .schema:
        schema = self.schema(value)
        if schema == nil { isSound = false }
      }
    }
    guard isSound, !fields.hasUnknown else { return nil }
    guard let type, let transform else {
      let missing = said.contains(.type) ? "transform" : "type"
      findings.report(.missingField, "'watch' needs '\(missing)'", at: node, help: "write `\(example)`")
      return nil
    }
    return ResolvedKey.WatchRepresentation(
      line: node.line, type: type, transform: transform, serializer: serializer, schema: schema ?? 1)
  }

  /// `sync: decrypted`
  mutating func transfer(_ node: SyntaxNode) -> SyncTransfer? {
    // The word of the first release.
    if node.kind == .scalar, node.text == "resecure" {
      findings.report(
        .unknownCase, "'sync: resecure' is now 'sync: decrypted', because the value leaves the device decrypted",
        at: node, help: "write `sync: decrypted`")
      return nil
    }
    return name(node, "a way of sending", example: "sync: decrypted")
  }
}

extension ResolvedKey.WatchRepresentation {
  /// A description for audits: what is sent to the watch, and what protects it there.
  var inWords: String {
    "\(type.swiftText), made by \(transform.text) and written as \((serializer ?? .json).auditText)"
      + (schema == 1 ? "" : " of schema \(schema)") + ", to be secured as the watch's own catalog says"
  }

  /// A copy with the serializer that it is written with. A custom serializer writes one type, and `data` writes only bytes.
  func settled(besides serializer: SerializerKind) -> Self {
    var form = self
    switch serializer {
    case .json, .propertyList: form.serializer = form.serializer ?? serializer
    case .data, .custom: form.serializer = form.serializer ?? .json
    }
    return form
  }
}
