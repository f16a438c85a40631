package import LocalDataSyntax
import LocalDataVocabulary

extension Rule {
  package static let personalDataInPlainStore = Rule(
    "personal-data-in-plain-store", .protection, .warning, "Personal, health and financial data is encrypted.",
    why: "Preferences and files are part of backups, which others can read.",
    bad: .keys("email: {type: String, sensitivity: personal, description: Where receipts are sent to.}"),
    good: .keys(
      "email: {type: String, sensitivity: personal, security: recommended, description: Where receipts are sent to.}"))
}

/// Checks that personal data is not stored as it is.
struct PersonalDataInPlainStoreRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    let sensitivity = key.resolved.descriptor.sensitivity
    guard sensitivity.isAboutPerson, key.isInPlainStore else { return }
    findings.report(
      .personalDataInPlainStore,
      "'\(key.resolved.descriptor.member)' has the sensitivity '\(sensitivity.text)', but "
        + "'\(key.resolved.descriptor.domain.kind.text)' stores it without protection",
      at: key.member, help: "write `security: recommended`, which encrypts the value")
  }
}

extension Rule {
  package static let sensitiveInBackup = Rule(
    "sensitive-in-backup", .protection, .warning,
    "Credentials, and health and financial data, are in no backup that can be restored on another device.",
    why: "Anyone who can restore the backup then has the value.",
    bad: .keys(
      "session: {type: String, sensitivity: credential, domain: keychain, "
        + "security: {keychain: {accessibility: whenUnlocked}}, description: What the server knows the user by.}"),
    good: .keys(
      "session: {type: String, sensitivity: credential, domain: keychain, "
        + "security: {keychain: {accessibility: whenUnlockedThisDeviceOnly}}, "
        + "description: What the server knows the user by.}"))
}

/// Checks that files and keychain items of the highest sensitivities stay on the device.
///
/// Personal data is not checked, because users expect it on their next device. A value without protection is the finding
/// of another rule. An encrypted value in preferences or the keychain is as safe as the master key, whose accessibility
/// the app configures.
struct SensitiveInBackupRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard Self.isChecked(key.resolved.descriptor.sensitivity) else { return }
    let descriptor = key.resolved.descriptor
    guard !descriptor.isLegacy, !key.isInPlainStore,
      key.isSound(KeyFieldSet(.sensitivity, .domain, .security, .backup, .legacy)),
      let (field, help) = Self.remedy(descriptor)
    else { return }
    findings.report(
      .sensitiveInBackup,
      "'\(descriptor.member)' has the sensitivity '\(descriptor.sensitivity.text)', but a backup can restore it on "
        + "another device",
      at: key.node(of: field, defaults: defaults),
      help: "\(help); or allow the finding with a reason, for example that users need the value on their next device")
  }

  /// Returns true if a backup can restore a value that should stay on the device.
  static func isFound(in descriptor: StorageKeyDescriptor) -> Bool { remedy(descriptor) != nil }

  private static func isChecked(_ sensitivity: Sensitivity) -> Bool {
    switch sensitivity {
    case .credential, .health, .financial: true
    case .public, .internal, .personal: false
    }
  }

  /// Returns what keeps the value out of backups, or nil if it is in none.
  ///
  /// An access control keeps an item on the device. A synchronizable item is on other devices anyway, which is the
  /// finding of another rule. The bytes of an external key source are not in the backup.
  private static func remedy(_ descriptor: StorageKeyDescriptor) -> (KeyField, help: String)? {
    guard isChecked(descriptor.sensitivity) else { return nil }
    switch (descriptor.domain, descriptor.security) {
    case (.keychain(_, _, synchronizable: false), .keychain(let accessibility, nil))
    where !accessibility.isThisDeviceOnly:
      return (.security, "use `accessibility: \(accessibility.onThisDevice.text)`")
    case (let domain, .encrypted(let policy)):
      guard let directory = domain.directory, directory != .caches, descriptor.backup, policy.keySource == .masterKey
      else { return nil }
      return (.backup, "write `backup: false`")
    default: return nil
    }
  }
}

extension KeychainAccessibility {
  /// The accessibility that allows as much on this device, and nothing on others.
  fileprivate var onThisDevice: Self {
    switch self {
    case .whenUnlocked: .whenUnlockedThisDeviceOnly
    case .afterFirstUnlock: .afterFirstUnlockThisDeviceOnly
    // What Apple has deprecated is not proposed.
    case .always: .afterFirstUnlockThisDeviceOnly
    case .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly, .alwaysThisDeviceOnly,
      .whenPasscodeSetThisDeviceOnly:
      self
    }
  }
}
