import CatalogSyntax
import StorageVocabulary

/// A synchronizable item must be readable on the devices that it reaches.
struct SynchronizableSecurityRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard case .keychain(_, _, synchronizable: true) = key.resolved.descriptor.domain,
      key.isSound(KeyFieldSet(.security, .domain)), let (problem, help) = problem(key.resolved.descriptor.security)
    else { return }
    let descriptor = key.resolved.descriptor
    findings.report(
      .synchronizableSecurity, problem, at: key.node(of: .security, defaults: defaults), help: help,
      notes: [.init("the domain of '\(descriptor.member)'", at: key.node(of: .domain, defaults: defaults).place)])
  }

  private func problem(_ security: SecurityPolicy) -> (String, help: String)? {
    switch security {
    case .none: nil
    case .keychain(let accessibility, _) where accessibility.isThisDeviceOnly:
      (
        "'\(accessibility.text)' never leaves the device, and the item is synchronizable",
        "use \(KeychainAccessibility.allCases.filter { !$0.isThisDeviceOnly }.map(\.text).joined(separator: ", ")), "
          + "or leave `synchronizable` out"
      )
    case .keychain(_, let control?):
      (
        "'\(control.text)' binds the item to this device's user, and the item is synchronizable",
        "leave `accessControl` or `synchronizable` out"
      )
    case .keychain: nil
    case .encrypted(let policy) where policy.keySource == .masterKey:
      (
        "the value is sealed under this device's master key, and the item is synchronizable",
        "use `security: {keychain: {accessibility: whenUnlocked}}`, or a `keySource` that the other devices have"
      )
    case .encrypted: nil
    }
  }
}
