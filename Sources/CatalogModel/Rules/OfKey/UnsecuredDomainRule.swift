import CatalogSyntax
import StorageVocabulary

/// What lies in the keychain or in encrypted files is secured.
struct UnsecuredDomainRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard key.resolved.descriptor.security == .none, key.isSound(KeyFieldSet(.security, .domain)) else { return }
    let descriptor = key.resolved.descriptor
    let help: String
    switch descriptor.domain.kind {
    case .keychain:
      help = "write `security: {keychain: {accessibility: whenUnlocked}}`, or leave it out to seal the value as well"
    case .encryptedFileSystem:
      help = "leave `security` out, write {encrypted: {algorithm: aes256GCM}}, or use the domain fileSystem"
    case .userDefaults, .appGroupUserDefaults, .fileSystem, .appGroupFileSystem: return
    }
    findings.report(
      .unsecuredDomain, "'security: none' means nothing in '\(descriptor.domain.kind.text)'",
      at: key.node(of: .security, defaults: defaults), help: help,
      notes: [.init("the domain of '\(descriptor.member)'", at: key.node(of: .domain, defaults: defaults).place)])
  }
}
