import CatalogSyntax
import StorageVocabulary

/// What exists on one kind of device is sent to no other.
struct SyncAvailabilityRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard key.resolved.descriptor.syncPolicy != .never,
      key.resolved.descriptor.availability == .phoneOnly || key.resolved.descriptor.availability == .watchOnly,
      key.isSound(KeyFieldSet(.syncPolicy, .availability))
    else { return }
    let descriptor = key.resolved.descriptor
    findings.report(
      .syncAvailability,
      "'syncPolicy: \(descriptor.syncPolicy.text)' sends to the other device, and '\(descriptor.availability.text)' "
        + "keeps the key on one",
      at: key.node(of: .syncPolicy, defaults: defaults),
      help: "write `syncPolicy: never`, or `availability: phoneWithWatchSync` or all",
      notes: [
        .init("the availability of '\(descriptor.member)'", at: key.node(of: .availability, defaults: defaults).place)
      ])
  }
}
