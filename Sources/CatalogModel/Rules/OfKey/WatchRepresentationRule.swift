import CatalogSyntax
import StorageVocabulary

/// A watch representation belongs to a key that is sent, and is of a type that its serializer can write.
struct WatchRepresentationRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    let descriptor = key.resolved.descriptor
    guard let form = key.resolved.watchRepresentation, !descriptor.isLegacy, key.isSound(KeyFieldSet(.watch)) else {
      return
    }
    let node = key.node(of: .watch, defaults: defaults)
    if descriptor.syncPolicy == .never, key.isSound(KeyFieldSet(.syncPolicy)) {
      findings.report(
        .watchRepresentation, "'watch' says what the watch gets, and 'syncPolicy: never' sends nothing", at: node,
        help: "write `syncPolicy: manual` or automaticSmall, or leave out `watch`")
    }
    if let serializer = form.serializer, !SerializerTypeRule.takes(form.type, serializer) {
      findings.report(
        .serializerType, "the serializer 'data' takes Data or String, not '\(form.type.swiftText)'", at: node,
        help: "use json, propertyList, or {custom: GlanceSerializer}")
    }
  }
}
