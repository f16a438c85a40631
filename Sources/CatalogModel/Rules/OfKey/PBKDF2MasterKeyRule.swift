import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let pbkdf2MasterKey = Rule(
    "pbkdf2-master-key", .combinations, .warning, "`pbkdf2` is used with a passphrase, not with the master key.",
    why:
      "PBKDF2 slows down guessing. The master key is 32 random bytes, which cannot be guessed, so it only costs time.",
    bad: .keys(
      "note: {type: String, security: {encrypted: {keyDerivation: {pbkdf2: {iterations: 600000}}}}, "
        + "description: What the user wrote.}"),
    good: .keys("note: {type: String, security: {encrypted: {keyDerivation: hkdf}}, description: What the user wrote.}")
  )
}

/// Checks that PBKDF2 is used with passphrases only.
struct PBKDF2MasterKeyRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard case .encrypted(let policy) = key.resolved.descriptor.security, policy.keyDerivation.kind == .pbkdf2,
      policy.keySource == .masterKey, key.isSound(KeyFieldSet(.security))
    else { return }
    findings.report(
      .pbkdf2MasterKey,
      "'pbkdf2' with the master key costs time and protects nothing, because the master key is random",
      at: key.node(of: .security, defaults: defaults),
      help: "write `keyDerivation: hkdf`, or use a passphrase: `keySource: {external: source-id}`")
  }
}
