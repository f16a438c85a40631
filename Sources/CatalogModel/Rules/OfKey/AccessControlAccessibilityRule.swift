import CatalogSyntax
import StorageVocabulary

/// An item cannot both be given out always and ask the user first.
struct AccessControlAccessibilityRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard case .keychain(let accessibility, let control?) = key.resolved.descriptor.security,
      accessibility == .always || accessibility == .alwaysThisDeviceOnly, key.isSound(KeyFieldSet(.security))
    else { return }
    findings.report(
      .accessControlAccessibility, "'\(control.text)' asks the user, and '\(accessibility.text)' asks nobody",
      at: key.node(of: .security, defaults: defaults),
      help: "use an accessibility such as whenUnlocked, or leave `accessControl` out")
  }
}
