import CatalogSyntax
import StorageVocabulary

/// Only the keychain can be left to secure a value by itself.
struct KeychainSecurityRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard key.resolved.descriptor.security.kind == .keychain, key.resolved.descriptor.domain.kind != .keychain,
      key.isSound(KeyFieldSet(.security, .domain))
    else { return }
    let descriptor = key.resolved.descriptor
    findings.report(
      .keychainSecurity, "'security: keychain' needs the keychain domain, not '\(descriptor.domain.kind.text)'",
      at: key.node(of: .security, defaults: defaults),
      help: "write `domain: keychain`, or `security: recommended` to seal the value where it is",
      notes: [.init("the domain of '\(descriptor.member)'", at: key.node(of: .domain, defaults: defaults).place)])
  }
}
