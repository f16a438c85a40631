import CatalogSyntax
import StorageVocabulary

/// `sync: resecure` is said of what is secured and sent, and of nothing else, so that every one of them is worth a look.
struct NeedlessResecureRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    let descriptor = key.resolved.descriptor
    guard descriptor.isResecured, !descriptor.isLegacy, key.isSound(KeyFieldSet(.syncPolicy, .security, .sync)),
      let reason = reason(descriptor)
    else { return }
    findings.report(
      .needlessResecure, "'sync: resecure' means nothing here: \(reason)", at: key.node(of: .sync, defaults: defaults),
      help: "leave out `sync`")
  }

  private func reason(_ descriptor: StorageKeyDescriptor) -> String? {
    if descriptor.syncPolicy == .never { return "the key is not sent" }
    return descriptor.security == .none ? "the value is not secured" : nil
  }
}
