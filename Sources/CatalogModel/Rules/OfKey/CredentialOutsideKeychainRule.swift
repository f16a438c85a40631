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
  /// The last words of names of credentials.
  private static let names: [[String]] = [
    ["token"], ["password"], ["passwd"], ["secret"], ["api", "key"], ["private", "key"], ["seed"], ["mnemonic"],
    ["pin"],
    ["passcode"], ["passphrase"], ["credential"], ["credentials"],
  ]

  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard key.isInPlainStore else { return }
    if key.resolved.descriptor.sensitivity == .credential {
      report(key, "is a credential", "", nil, &findings)
    } else if !key.own.contains(.sensitivity), Self.canHoldSecret(key.resolved.type), Self.isNamedLikeCredential(key) {
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

  private static func canHoldSecret(_ type: ValueType) -> Bool {
    switch type {
    case .scalar(.string), .scalar(.data): true
    case .list(let element): canHoldSecret(element)
    case .map(_, let value): canHoldSecret(value)
    case .scalar, .declared, .swift, .set, .optional: false
    }
  }

  private static func isNamedLikeCredential(_ key: DecodedKey) -> Bool {
    let descriptor = key.resolved.descriptor
    return isName(descriptor.member) || isName(descriptor.name)
  }

  /// The last letters of `names`, for which most names need not be divided into words.
  private static let lastLetters = Set(names.compactMap { $0.last?.utf8.last })

  private static func isName(_ text: String) -> Bool {
    guard let last = text.utf8.last, lastLetters.contains(last | 0x20),
      names.contains(where: { hasSuffix(text, $0[$0.count - 1]) })
    else { return false }
    let words = NameWords(text).texts
    return names.contains { $0.elementsEqual(words.suffix($0.count)) }
  }

  /// Returns true if a text ends in a word of lower case, in either case.
  private static func hasSuffix(_ text: String, _ word: String) -> Bool {
    text.utf8.count >= word.utf8.count
      && zip(text.utf8.reversed(), word.utf8.reversed()).allSatisfy { $0 | 0x20 == $1 }
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
