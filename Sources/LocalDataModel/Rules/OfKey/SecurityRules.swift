package import LocalDataSyntax
import LocalDataVocabulary

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

/// Checks that a value in a domain that always protects it is not declared as unsecured.
struct UnsecuredDomainRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    let descriptor = key.resolved.descriptor
    guard descriptor.security == .none, descriptor.domain.kind.protectsEveryValue,
      key.isSound(KeyFieldSet(.security, .domain))
    else { return }
    let help =
      descriptor.domain.kind == .keychain
      ? "write `security: {keychain: {accessibility: whenUnlocked}}`, or `security: recommended` to encrypt the value as well"
      : "write `security: recommended`, or use the domain fileSystem"
    findings.report(
      .unsecuredDomain,
      "'security: none' is not possible in '\(descriptor.domain.kind.text)', which protects every value",
      at: key.node(of: .security, defaults: defaults), help: help,
      notes: [.init("the domain of '\(descriptor.member)'", at: key.node(of: .domain, defaults: defaults).place)])
  }
}

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

extension Rule {
  package static let deprecatedAccessibility = Rule(
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
      let replacement = Self.replacement(of: accessibility, key.resolved.descriptor),
      !key.resolved.descriptor.isLegacy, key.isSound(KeyFieldSet(.security, .legacy))
    else { return }
    findings.report(
      .deprecatedAccessibility,
      "Apple has deprecated '\(accessibility.text)', which leaves the item readable while the device is locked",
      at: key.node(of: .security, defaults: defaults), help: "write `accessibility: \(replacement.text)`")
  }

  private static func replacement(
    of accessibility: KeychainAccessibility, _ descriptor: StorageKeyDescriptor
  ) -> KeychainAccessibility? {
    switch accessibility {
    case .always: SensitiveInBackupRule.isFound(in: descriptor) ? .afterFirstUnlockThisDeviceOnly : .afterFirstUnlock
    case .alwaysThisDeviceOnly: .afterFirstUnlockThisDeviceOnly
    case .whenUnlocked, .afterFirstUnlock, .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly,
      .whenPasscodeSetThisDeviceOnly:
      nil
    }
  }
}

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
