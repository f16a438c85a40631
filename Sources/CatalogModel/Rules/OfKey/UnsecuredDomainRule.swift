import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let unsecuredDomain = Rule(
    "unsecured-domain", .combinations, "A value in the keychain or in encrypted files is secured.",
    why: "Both domains protect every value, so `security: none` would not say what happens.",
    bad: .keys("note: {type: String, domain: keychain, security: none, description: What the user wrote.}"),
    good: .keys("note: {type: String, domain: keychain, security: keychain, description: What the user wrote.}"))
}

/// Checks that a value in a domain that always protects it is not declared as unsecured.
struct UnsecuredDomainRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard key.resolved.descriptor.security == .none, key.isSound(KeyFieldSet(.security, .domain)) else { return }
    let descriptor = key.resolved.descriptor
    let help: String
    switch descriptor.domain.kind {
    case .keychain:
      help =
        "write `security: {keychain: {accessibility: whenUnlocked}}`, or `security: recommended` to encrypt the value as well"
    case .encryptedFileSystem:
      help = "write `security: recommended`, or use the domain fileSystem"
    case .userDefaults, .appGroupUserDefaults, .fileSystem, .appGroupFileSystem: return
    }
    findings.report(
      .unsecuredDomain,
      "'security: none' is not possible in '\(descriptor.domain.kind.text)', which protects every value",
      at: key.node(of: .security, defaults: defaults), help: help,
      notes: [.init("the domain of '\(descriptor.member)'", at: key.node(of: .domain, defaults: defaults).place)])
  }
}
