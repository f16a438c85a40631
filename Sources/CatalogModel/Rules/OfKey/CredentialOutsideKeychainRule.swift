import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let credentialOutsideKeychain = Rule(
    "credential-outside-keychain", .protection,
    "A credential is in the keychain, or is encrypted. A key that is named like a credential gives a warning only.",
    why: "Preferences and files are part of backups, and whatever can read them can use the credential.",
    bad: .keys("session: {type: String, sensitivity: credential, description: What the server knows the user by.}"),
    good: .keys(
      "session: {type: String, sensitivity: credential, security: recommended, "
        + "description: What the server knows the user by.}"), isAllowable: true)
}

/// Checks that credentials are protected. A value that is encrypted is: the master key is in the keychain, and the app
/// answers for an external key source.
struct CredentialOutsideKeychainRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard key.isInPlainStore else { return }
    if key.resolved.descriptor.sensitivity == .credential {
      report(key, "is a credential", "", nil, &findings)
    } else if !key.own.contains(.sensitivity), CredentialNames.contains(key) {
      report(
        key, "is named like a credential", "; if it is no secret, write `sensitivity: internal`", .warning, &findings)
    }
  }

  private func report(
    _ key: DecodedKey, _ what: String, _ help: String, _ severity: Diagnostic.Severity?, _ findings: inout Findings
  ) {
    let descriptor = key.resolved.descriptor
    findings.report(
      .credentialOutsideKeychain,
      "'\(descriptor.member)' \(what), but '\(descriptor.domain.kind.text)' stores it without protection",
      at: key.member,
      help:
        "use `domain: keychain`, or `security: recommended`, which encrypts the value with a key in the keychain\(help)",
      severity: severity)
  }
}

extension DecodedKey {
  /// A Boolean value that indicates whether the key's values are neither encrypted nor in the keychain.
  var isInPlainStore: Bool {
    guard resolved.descriptor.security == .none, !resolved.descriptor.isLegacy,
      isSound(KeyFieldSet(.security, .domain, .sensitivity, .legacy))
    else { return false }
    switch resolved.descriptor.domain.kind {
    case .userDefaults, .appGroupUserDefaults, .fileSystem, .appGroupFileSystem: return true
    case .keychain, .encryptedFileSystem: return false
    }
  }
}
