package import LocalDataSyntax
import LocalDataVocabulary

extension Rule {
  package static let credentialOutsideKeychain = Rule(
    "credential-outside-keychain", .protection,
    "A credential is in the keychain, or is encrypted. What is named like a credential gives a warning only.",
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

extension Rule {
  package static let credentialDefault = Rule(
    "credential-default", .protection,
    "A credential has no default. A key that is named like a credential gives a warning only.",
    why: "A default is part of the app's package, and anyone who has the app can read it.",
    bad: .keys(
      "session: {type: String, default: 4711-0815, sensitivity: credential, security: recommended, "
        + "description: What the server knows the user by.}"),
    good: .keys(
      "session: {type: String, sensitivity: credential, security: recommended, "
        + "description: What the server knows the user by.}"), isAllowable: true)
}

/// Checks that no secret is written as a default. An empty text, an empty list and a flag are no secrets, and what a value
/// declared in Swift contains is not known.
struct CredentialDefaultRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard let value = key.resolved.defaultValue, value.canBeSecret,
      key.isSound(KeyFieldSet(.default, .sensitivity, .type))
    else { return }
    let member = key.resolved.descriptor.member
    if key.resolved.descriptor.sensitivity == .credential {
      report("'\(member)' is a credential", "", nil, key, defaults, &findings)
    } else if !key.own.contains(.sensitivity), CredentialNames.contains(key) {
      report(
        "'\(member)' is named like a credential", "; if it is no secret, write `sensitivity: internal`", .warning, key,
        defaults, &findings)
    }
  }

  private func report(
    _ what: String, _ furtherHelp: String, _ severity: Diagnostic.Severity?, _ key: DecodedKey, _ defaults: SyntaxNode?,
    _ findings: inout Findings
  ) {
    findings.report(
      .credentialDefault, "\(what), but its default is part of the app's package, where anyone can read it",
      at: key.node(of: .default, defaults: defaults),
      help: "remove `default`, and let the app fetch or create the value\(furtherHelp)", severity: severity)
  }
}

extension DefaultValue {
  /// A Boolean value that indicates whether the value contains a text or a number that may be a secret.
  package var canBeSecret: Bool {
    switch self {
    case .string(let text): !text.isEmpty
    case .data(let bytes): !bytes.isEmpty
    case .list(let elements): elements.contains(where: \.canBeSecret)
    case .map(let entries): entries.contains { $0.value.canBeSecret }
    case .integer, .floating, .decimal, .url, .uuid: true
    case .bool, .date, .enumCase, .swift: false
    }
  }
}

/// Names that people give to credentials, compared word by word: `pinCode` and `user_pin` name one, and `opinion` does
/// not.
enum CredentialNames {
  /// The last words of names of credentials, joined: `apikey` is `apiKey`, `api_key` and `apikey`.
  private static let endings = NameIndex(codeNames + otherNames)

  private static let otherNames = words(
    """
    password passwords passwd pwd passcode passcodes passphrase passkey mnemonic seed seedphrase recoveryphrase \
    backupphrase token tokens jwt jwts bearer cookie cookies sessionid credential credentials authheader authorization \
    authorizationheader authcode authorizationcode secret secrets apikey apikeys accesskey authkey encryptionkey hmackey \
    masterkey privatekey secretkey sessionkey sharedkey signingkey
    """)

  /// The last words of names of codes, which can be numbers as well as texts.
  private static let codes = NameIndex(codeNames)

  private static let codeNames = words(
    """
    pin pins pincode pincodes otp totp cvv cvc accesscode backupcode backupcodes logincode recoverycode recoverycodes \
    securitycode unlockcode verificationcode
    """)

  /// Words that say how a value is written. They are ignored at the end of a name: `tokenString`, `pinHash2`.
  private static let forms = NameIndex(words("string text value data bytes hash hex base raw"))

  private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

  /// The most words that an ending consists of.
  private static let mostWords = 2

  /// Returns true if a value of the type can be a secret, and one of its names is a credential's.
  static func contains(_ key: DecodedKey) -> Bool {
    contains(key.resolved.descriptor.member, key.resolved.descriptor.name, key.resolved.type)
  }

  /// Returns true if a value of a record's field can be a secret, and one of its names is a credential's.
  static func contains(_ field: DecodedRecordField) -> Bool {
    field.plainType.map { contains(field.name, field.storedName, $0) } ?? false
  }

  private static func contains(_ name: String, _ storedName: String, _ type: ValueType) -> Bool {
    guard let endings = endings(of: type) else { return false }
    return contains(name, endings) || storedName != name && contains(storedName, endings)
  }

  /// Returns true if a value of the type can be a secret as a text or as bytes.
  private static func canHoldSecret(_ type: ValueType) -> Bool {
    switch type {
    case .scalar(.string), .scalar(.data): true
    case .list(let element): canHoldSecret(element)
    case .map(_, let value): canHoldSecret(value)
    case .scalar, .declared, .swift, .set, .optional: false
    }
  }

  private static func endings(of type: ValueType) -> NameIndex? {
    if canHoldSecret(type) { return endings }
    return type == .scalar(.int) ? codes : nil
  }

  private static func contains(_ name: String, _ endings: NameIndex) -> Bool {
    NameWords.withWords(of: name) { letters, starts in
      var count = starts.count
      var end = letters.count
      while count > 1, isForm(letters[starts[count - 1]..<end]) {
        count -= 1
        end = starts[count]
      }
      return starts[..<count].suffix(mostWords).contains { endings.find(letters[$0..<end]) != nil }
    }
  }

  private static func isForm(_ word: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    word.allSatisfy(Identifier.isDigit) || forms.find(word) != nil
  }
}
