import CatalogSyntax
import StorageVocabulary

/// PBKDF2 slows down guessing, and nobody guesses 32 random bytes.
struct PBKDF2MasterKeyRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard case .encrypted(let policy) = key.resolved.descriptor.security, policy.keyDerivation.kind == .pbkdf2,
      policy.keySource == .masterKey, key.isSound(KeyFieldSet(.security))
    else { return }
    findings.report(
      .pbkdf2MasterKey, "'pbkdf2' over the master key, which is random, costs time and adds nothing",
      at: key.node(of: .security, defaults: defaults),
      help: "use `keyDerivation: hkdf`, or a passphrase by `keySource: {external: source-id}`")
  }
}
