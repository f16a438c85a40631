import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let syncAvailability = Rule(
    "sync-availability", .combinations, "A key that is sent is available on both devices.",
    why: "The other device has no key that could receive the value.",
    bad: .keys(
      "theme: {type: String, availability: phoneOnly, syncPolicy: manual, "
        + "description: The colour scheme the user chose.}"),
    good: .keys(
      "theme: {type: String, availability: all, syncPolicy: manual, description: The colour scheme the user chose.}"))
}

/// Checks that a key that is sent exists on the other device.
struct SyncAvailabilityRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard key.resolved.descriptor.syncPolicy != .never,
      key.resolved.descriptor.availability == .phoneOnly || key.resolved.descriptor.availability == .watchOnly,
      key.isSound(KeyFieldSet(.syncPolicy, .availability))
    else { return }
    let descriptor = key.resolved.descriptor
    findings.report(
      .syncAvailability,
      "'syncPolicy: \(descriptor.syncPolicy.text)' sends the value to the other device, but "
        + "'\(descriptor.availability.text)' keeps the key on one device",
      at: key.node(of: .syncPolicy, defaults: defaults),
      help: "write `syncPolicy: never`, `availability: phoneWithWatchSync` or `availability: all`",
      notes: [
        .init("the availability of '\(descriptor.member)'", at: key.node(of: .availability, defaults: defaults).place)
      ])
  }
}
