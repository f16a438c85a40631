import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let accessControlAccessibility = Rule(
    "access-control-accessibility", .combinations,
    "A keychain item with an access control has an accessibility that lets the system ask the user.",
    why: "An item cannot be readable at any time and also ask the user first. The keychain refuses it.",
    bad: .keys(
      "vault: {type: String, domain: keychain, description: What the user hides., "
        + "security: {keychain: {accessibility: always, accessControl: userPresence}}}"),
    good: .keys(
      "vault: {type: String, domain: keychain, description: What the user hides., "
        + "security: {keychain: {accessibility: whenUnlocked, accessControl: userPresence}}}"))
}

/// Checks that an item that asks the user is not readable at any time.
struct AccessControlAccessibilityRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard case .keychain(let accessibility, let control?) = key.resolved.descriptor.security,
      accessibility == .always || accessibility == .alwaysThisDeviceOnly, key.isSound(KeyFieldSet(.security))
    else { return }
    findings.report(
      .accessControlAccessibility,
      "'\(control.text)' asks the user for each access, but '\(accessibility.text)' allows access at any time",
      at: key.node(of: .security, defaults: defaults),
      help: "use an accessibility such as whenUnlocked, or leave `accessControl` out")
  }
}
