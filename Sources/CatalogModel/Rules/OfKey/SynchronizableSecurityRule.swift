import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let synchronizableSecurity = Rule(
    "synchronizable-security", .combinations, "A synchronizable keychain item can be read on the user's other devices.",
    why: "The item reaches the other devices, but what opens it stays on this one.",
    bad: .keys(
      "note: {type: String, domain: {keychain: {synchronizable: true}}, "
        + "security: {keychain: {accessibility: whenUnlockedThisDeviceOnly}}, description: What the user wrote.}"),
    good: .keys(
      "note: {type: String, domain: {keychain: {synchronizable: true}}, "
        + "security: {keychain: {accessibility: whenUnlocked}}, description: What the user wrote.}"))
}

/// Checks that a synchronizable item can be read on the devices that it reaches.
struct SynchronizableSecurityRule: KeyRule {
  private static let usable = KeychainAccessibility.allCases.filter { !$0.isThisDeviceOnly && $0 != .always }
    .map(\.text).joined(separator: " or ")

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
        "the item is synchronizable, but '\(accessibility.text)' keeps it on this device",
        "use \(Self.usable), "
          + "or remove `synchronizable`"
      )
    case .keychain(_, let control?):
      (
        "the item is synchronizable, but '\(control.text)' keeps it on this device",
        "remove `accessControl` or `synchronizable`"
      )
    case .keychain: nil
    case .encrypted(let policy) where policy.keySource == .masterKey:
      (
        "the item is synchronizable, but its value is encrypted with this device's master key",
        "use `security: {keychain: {accessibility: whenUnlocked}}`, or a `keySource` that the other devices have too"
      )
    case .encrypted: nil
    }
  }
}
