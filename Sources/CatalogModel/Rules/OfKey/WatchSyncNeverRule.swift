import CatalogSyntax
import StorageVocabulary

/// A key that the phone sends to its watch needs a policy that sends.
struct WatchSyncNeverRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard key.resolved.descriptor.availability == .phoneWithWatchSync, key.resolved.descriptor.syncPolicy == .never,
      !key.resolved.descriptor.isLegacy,
      key.isSound(KeyFieldSet(.syncPolicy, .availability))
    else { return }
    findings.report(
      .watchSyncNever, "'phoneWithWatchSync' is sent to the watch, and 'syncPolicy: never' sends nothing",
      at: key.node(of: .availability, defaults: defaults),
      help: "write `syncPolicy: manual` or automaticSmall, or `availability: all`")
  }
}
