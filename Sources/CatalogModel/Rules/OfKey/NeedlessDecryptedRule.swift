import CatalogSyntax
import StorageVocabulary

/// `sync: decrypted` is said of what is secured and sent, and of nothing else, so that every one of them is worth a look.
struct NeedlessDecryptedRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    let descriptor = key.resolved.descriptor
    guard descriptor.isDecryptedForSync, !descriptor.isLegacy, key.isSound(KeyFieldSet(.syncPolicy, .security, .sync)),
      let reason = reason(descriptor)
    else { return }
    findings.report(
      .needlessDecrypted, "'sync: decrypted' means nothing here: \(reason)",
      at: key.node(of: .sync, defaults: defaults),
      help: "leave out `sync`")
  }

  private func reason(_ descriptor: StorageKeyDescriptor) -> String? {
    if descriptor.syncPolicy == .never { return "the key is not sent" }
    return descriptor.security == .none ? "the value is not secured" : nil
  }
}
