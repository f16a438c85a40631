import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let securedSync = Rule(
    "secured-sync", .combinations, "A secured key that is sent to the other device says `sync: decrypted`.",
    why: "The keys that encrypt the value stay on this device, so it is sent decrypted. A reviewer must see that.",
    bad: .keys(
      "note: {type: String, security: recommended, syncPolicy: manual, description: What the user wrote.}"),
    good: .keys(
      "note: {type: String, security: recommended, syncPolicy: manual, sync: decrypted, "
        + "description: What the user wrote.}"))
}

/// Checks that a value is only sent decrypted if its key says so.
struct SecuredSyncRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    let descriptor = key.resolved.descriptor
    guard descriptor.syncPolicy != .never, descriptor.security != .none, !descriptor.isDecryptedForSync,
      key.isSound(KeyFieldSet(.syncPolicy, .security, .sync, .legacy))
    else { return }
    findings.report(
      .securedSync,
      "'syncPolicy: \(descriptor.syncPolicy.text)' would send this secured value decrypted",
      at: key.node(of: .syncPolicy, defaults: defaults),
      help: "write `sync: decrypted` if that is intended; the other device then secures the value as its own key says. "
        + "Otherwise write `syncPolicy: never`",
      notes: [.init("the security of '\(descriptor.member)'", at: key.node(of: .security, defaults: defaults).place)])
  }
}
