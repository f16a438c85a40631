import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let needlessDecrypted = Rule(
    "needless-decrypted", .combinations, "`sync: decrypted` is used with a key that is both secured and sent.",
    why: "The field marks each value that leaves the device decrypted, so that a reviewer finds all of them.",
    bad: .keys("theme: {type: String, sync: decrypted, description: The colour scheme the user chose.}"),
    good: .keys("theme: {type: String, description: The colour scheme the user chose.}"))
}

/// Checks that `sync: decrypted` has an effect wherever it is written.
struct NeedlessDecryptedRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    let descriptor = key.resolved.descriptor
    guard descriptor.isDecryptedForSync, !descriptor.isLegacy, key.isSound(KeyFieldSet(.syncPolicy, .security, .sync)),
      let reason = reason(descriptor)
    else { return }
    findings.report(
      .needlessDecrypted, "'sync: decrypted' has no effect: \(reason)",
      at: key.node(of: .sync, defaults: defaults),
      help: "remove `sync`")
  }

  private func reason(_ descriptor: StorageKeyDescriptor) -> String? {
    if descriptor.syncPolicy == .never { return "the key is not sent" }
    return descriptor.security == .none ? "the value is not secured" : nil
  }
}
