import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let watchSyncNever = Rule(
    "watch-sync-never", .combinations, .warning, "A key of `phoneWithWatchSync` has a `syncPolicy` that sends.",
    why: "The watch has the key but never gets its value.",
    bad: .keys(
      "theme: {type: String, availability: phoneWithWatchSync, description: The colour scheme the user chose.}"),
    good: .keys(
      "theme: {type: String, availability: phoneWithWatchSync, syncPolicy: automaticSmall, "
        + "description: The colour scheme the user chose.}"))
}

/// Checks that a key that is for phone and watch is sent to the watch.
struct WatchSyncNeverRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard key.resolved.descriptor.availability == .phoneWithWatchSync, key.resolved.descriptor.syncPolicy == .never,
      !key.resolved.descriptor.isLegacy,
      key.isSound(KeyFieldSet(.syncPolicy, .availability))
    else { return }
    findings.report(
      .watchSyncNever,
      "'phoneWithWatchSync' is for values that the watch receives, but 'syncPolicy: never' sends nothing",
      at: key.node(of: .availability, defaults: defaults),
      help: "write `syncPolicy: manual` or `syncPolicy: automaticSmall`, or `availability: all`")
  }
}
