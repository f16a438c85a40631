import CatalogSyntax
import StorageVocabulary

/// Sources that are described where they are used. What is left out is the key's own.
extension MigrationDecoder {
  mutating func inlineSource(_ node: SyntaxNode) -> Source? {
    let descriptor = key.resolved.descriptor
    var nameNode: SyntaxNode?
    var type: ValueType? = key.resolved.type
    var domain: (domain: StorageDomain, isFoundation: Bool)? = (descriptor.domain, false)
    var security: SecurityPolicy?
    var serializer: SerializerKind?
    var securityNode: SyntaxNode?
    var serializerNode: SyntaxNode?
    var isSound = true
    var fields = FieldIterator<InlineSourceField>(node, of: "a source")
    while let (field, _, value) = fields.next(&decoder.findings) {
      switch field {
      case .name: nameNode = value
      case .type: type = decoder.valueType(value, in: .key)
      case .domain: domain = decoder.domain(value, inherited: nil, isInlineSource: true)
      case .security:
        security = decoder.security(value, inherited: nil)
        securityNode = value
        if security == nil { isSound = false }
      case .serializer:
        serializer = decoder.serializer(value)
        serializerNode = value
        if serializer == nil { isSound = false }
      }
    }
    // What the source takes from the key may have findings of its own.
    guard isSound, !fields.hasUnknown, let type, let domain, key.hasPlace,
      key.isSound(KeyFieldSet(.type, .security, .serializer)), let (name, parts) = name(nameNode)
    else { return nil }
    // Foundation writes plain property lists, so that is what a source of its own takes where nothing is said.
    let inline = ResolvedMigration.Inline(
      name: name, nameParts: parts, type: type, domain: domain.domain,
      security: security ?? (domain.isFoundation ? SecurityPolicy.none : descriptor.security),
      serializer: serializer ?? (domain.isFoundation ? .propertyList : descriptor.serializer),
      isFoundation: domain.isFoundation)
    guard isMeaningful(inline, security: securityNode ?? node, serializer: serializerNode ?? node) else { return nil }
    return placed(inline, node)
  }

  private mutating func name(_ node: SyntaxNode?) -> (text: String, parts: [ResolvedKey.NamePart])? {
    guard let node else { return (key.resolved.descriptor.name, key.resolved.nameParts) }
    guard let text = decoder.storedName(node) else { return nil }
    if key.resolved.parameters.isEmpty, !NameParts.hasBrace(text) { return (text, []) }
    return decoder.nameParts(text, at: node, parameters: key.resolved.parameters).map { (text, $0) }
  }

  private mutating func isMeaningful(
    _ inline: ResolvedMigration.Inline, security: SyntaxNode, serializer: SyntaxNode
  ) -> Bool {
    let kind = inline.domain.kind
    if inline.security.kind == .keychain, kind != .keychain {
      decoder.findings.report(
        .keychainSecurity, "'security: keychain' needs the keychain domain, and the source lies in '\(kind.text)'",
        at: security, help: "say how the source is secured: `security: none`")
    } else if inline.security == .none, kind == .keychain {
      decoder.findings.report(
        .unsecuredDomain, "'security: none' means nothing in '\(kind.text)'", at: security,
        help: "write `security: keychain` for an item that the app wrote itself")
    } else if inline.isFoundation, inline.security != .none {
      decoder.findings.report(
        .invalidMigration, "what Foundation wrote is not secured", at: security,
        help: "leave `security` out, or write `security: none`")
    } else if !SerializerTypeRule.takes(inline.type, inline.serializer) {
      decoder.findings.report(
        .serializerType, "the serializer 'data' takes Data or String, not '\(inline.type.swiftText)'", at: serializer,
        help: "say how the source is serialized: `serializer: json`")
    } else {
      return true
    }
    return false
  }

  /// A source where the key itself lies, or where another key is still written.
  private mutating func placed(_ inline: ResolvedMigration.Inline, _ node: SyntaxNode) -> Source? {
    let place = StoredPlace(inline.domain, name: inline.name)
    var source = Source(source: .inline(inline), type: inline.type, node: node)
    // What Foundation itself keeps on Linux lies in files of its own.
    guard !inline.isFoundation else { return source }
    source.isOwnPlace = place == key.place
    if !source.isOwnPlace, let other = index.key(at: place, run), !other.resolved.descriptor.isLegacy {
      edges.append(
        MigrationEdge(
          from: key.resolved.descriptor.member, to: other.resolved.descriptor.member, node: node,
          target: other.member))
      return nil
    }
    if !source.isOwnPlace {
      claims.append(SourceClaim(member: key.resolved.descriptor.member, place: place, node: node))
    }
    return source
  }
}
