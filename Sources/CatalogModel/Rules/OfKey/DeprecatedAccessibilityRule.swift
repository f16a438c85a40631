import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let deprecatedAccessibility = Rule(
    "deprecated-accessibility", .protection, .warning, "A keychain item is not readable before the first unlock.",
    why: "Apple deprecated the two accessibilities in iOS 12: such an item is not protected by the user's passcode.",
    bad: .keys(
      "device: {type: UUID, domain: keychain, security: {keychain: {accessibility: always}}, "
        + "description: What tells this device from others.}"),
    good: .keys(
      "device: {type: UUID, domain: keychain, security: {keychain: {accessibility: afterFirstUnlock}}, "
        + "description: What tells this device from others.}"))
}

/// Checks that no item uses an accessibility that Apple has deprecated.
struct DeprecatedAccessibilityRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    // With an access control, another rule refuses the accessibility.
    guard case .keychain(let accessibility, nil) = key.resolved.descriptor.security,
      let replacement = Self.replacement(of: accessibility), !key.resolved.descriptor.isLegacy,
      key.isSound(KeyFieldSet(.security, .legacy))
    else { return }
    findings.report(
      .deprecatedAccessibility,
      "Apple has deprecated '\(accessibility.text)', which leaves the item readable while the device is locked",
      at: key.node(of: .security, defaults: defaults), help: "write `accessibility: \(replacement.text)`")
  }

  private static func replacement(of accessibility: KeychainAccessibility) -> KeychainAccessibility? {
    switch accessibility {
    case .always: .afterFirstUnlock
    case .alwaysThisDeviceOnly: .afterFirstUnlockThisDeviceOnly
    case .whenUnlocked, .afterFirstUnlock, .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly,
      .whenPasscodeSetThisDeviceOnly:
      nil
    }
  }
}
