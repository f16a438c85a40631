import CatalogSyntax
import StorageVocabulary

/// A smaller form for the watch is one that is sent, and that its serializer can write.
struct WatchFormRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    let descriptor = key.resolved.descriptor
    guard let form = key.resolved.watchForm, !descriptor.isLegacy, key.isSound(KeyFieldSet(.watch)) else { return }
    let node = key.node(of: .watch, defaults: defaults)
    if descriptor.syncPolicy == .never, key.isSound(KeyFieldSet(.syncPolicy)) {
      findings.report(
        .watchForm, "'watch' says what the watch gets, and 'syncPolicy: never' sends nothing", at: node,
        help: "write `syncPolicy: manual` or automaticSmall, or leave out `watch`")
    }
    if let serializer = form.serializer, !SerializerTypeRule.takes(form.type, serializer) {
      findings.report(
        .serializerType, "the serializer 'data' takes Data or String, not '\(form.type.swiftText)'", at: node,
        help: "use json, propertyList, or {custom: GlanceSerializer}")
    }
  }
}
