import CatalogSyntax
import StorageVocabulary

/// What secures a value here does not go along with it: that it is sent all the same must be said.
struct SecuredSyncRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    let descriptor = key.resolved.descriptor
    guard descriptor.syncPolicy != .never, descriptor.security != .none, !descriptor.isDecryptedForSync,
      key.isSound(KeyFieldSet(.syncPolicy, .security, .sync, .legacy))
    else { return }
    findings.report(
      .securedSync,
      "'syncPolicy: \(descriptor.syncPolicy.text)' sends a value that is secured here, and what secures it stays here",
      at: key.node(of: .syncPolicy, defaults: defaults),
      help: "write `sync: decrypted`: it travels as serialized, and is secured as the other device's key says; "
        + "or `syncPolicy: never`",
      notes: [.init("the security of '\(descriptor.member)'", at: key.node(of: .security, defaults: defaults).place)])
  }
}
