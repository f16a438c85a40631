import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let syncOnSensitive = Rule(
    "sync-on-sensitive", .protection, .warning, "Credentials and personal data stay on the device.",
    why: "A value that is sent is decrypted on its way, and another device protects it as that device does.",
    bad: .keys(
      "email: {type: String, sensitivity: personal, security: recommended, syncPolicy: manual, sync: decrypted, "
        + "description: Where receipts are sent to.}"),
    good: .keys(
      "email: {type: String, sensitivity: personal, security: recommended, description: Where receipts are sent to.}"))
}

/// Checks that sensitive values are neither sent to the other device nor synchronized by the keychain.
struct SyncOnSensitiveRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    let sensitivity = key.resolved.descriptor.sensitivity
    guard sensitivity == .credential || sensitivity.isAboutPerson, !key.resolved.descriptor.isLegacy,
      key.isSound(KeyFieldSet(.sensitivity, .syncPolicy, .domain, .legacy))
    else { return }
    let what = "'\(key.resolved.descriptor.member)' has the sensitivity '\(sensitivity.text)'"
    if key.resolved.descriptor.syncPolicy != .never {
      findings.report(
        .syncOnSensitive, "\(what) and is sent decrypted to the other device",
        at: key.node(of: .syncPolicy, defaults: defaults),
        help: "write `syncPolicy: never`, or allow the finding with a reason")
    }
    if case .keychain(_, _, synchronizable: true) = key.resolved.descriptor.domain {
      findings.report(
        .syncOnSensitive, "\(what) and is synchronized to all devices of the user's account",
        at: key.node(of: .domain, defaults: defaults),
        help: "remove `synchronizable`, or allow the finding with a reason")
    }
  }
}
