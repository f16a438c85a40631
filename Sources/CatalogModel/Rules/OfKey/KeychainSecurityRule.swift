import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let keychainSecurity = Rule(
    "keychain-security", .combinations, "`security: keychain` is used with the domain `keychain`.",
    why: "Only the keychain protects a value by itself. In another domain the value would be stored as it is.",
    bad: .keys("code: {type: String, security: keychain, description: What the user typed last.}"),
    good: .keys(
      "code: {type: String, domain: keychain, security: keychain, description: What the user typed last.}"))
}

/// Checks that only values in the keychain rely on the keychain's protection.
struct KeychainSecurityRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard key.resolved.descriptor.security.kind == .keychain, key.resolved.descriptor.domain.kind != .keychain,
      key.isSound(KeyFieldSet(.security, .domain))
    else { return }
    let descriptor = key.resolved.descriptor
    findings.report(
      .keychainSecurity, "'security: keychain' needs the keychain domain, not '\(descriptor.domain.kind.text)'",
      at: key.node(of: .security, defaults: defaults),
      help: "write `domain: keychain`, or `security: recommended` to encrypt the value in its domain",
      notes: [.init("the domain of '\(descriptor.member)'", at: key.node(of: .domain, defaults: defaults).place)])
  }
}
