import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let watchRepresentation = Rule(
    "watch-representation", .combinations, "`watch` is used with a `syncPolicy` that sends.",
    why: "The field describes what the watch receives, so it has no effect if nothing is sent.",
    bad: .catalog(
      "imports: [Models]\n\(Example.defaults)keys:\n  profile:\n    type: Models.Profile\n"
        + "    watch: {type: Models.Glance, transform: Models.Glance.init}\n    description: Who the user is."),
    good: .catalog(
      "imports: [Models]\n\(Example.defaults)keys:\n  profile:\n    type: Models.Profile\n    syncPolicy: manual\n"
        + "    watch: {type: Models.Glance, transform: Models.Glance.init}\n    description: Who the user is."))
}

/// Checks that a watch representation is sent, and that its serializer can write its type.
struct WatchRepresentationRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    let descriptor = key.resolved.descriptor
    guard let form = key.resolved.watchRepresentation, !descriptor.isLegacy, key.isSound(KeyFieldSet(.watch)) else {
      return
    }
    let node = key.node(of: .watch, defaults: defaults)
    if descriptor.syncPolicy == .never, key.isSound(KeyFieldSet(.syncPolicy)) {
      findings.report(
        .watchRepresentation, "'watch' has no effect, because 'syncPolicy: never' sends nothing", at: node,
        help: "write `syncPolicy: manual` or `syncPolicy: automaticSmall`, or remove `watch`")
    }
    if let serializer = form.serializer, !SerializerTypeRule.takes(form.type, serializer) {
      findings.report(
        .serializerType, "the serializer 'data' takes Data or String, not '\(form.type.swiftText)'", at: node,
        help: "use json, propertyList, or {custom: GlanceSerializer}")
    }
  }
}
