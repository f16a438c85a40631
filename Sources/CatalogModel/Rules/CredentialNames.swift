import StorageVocabulary

/// Names that people give to credentials, compared word by word: `pinCode` and `user_pin` name one, and `opinion` does
/// not.
enum CredentialNames {
  /// The last words of names of credentials, joined: `apikey` is `apiKey`, `api_key` and `apikey`.
  private static let endings = words(
    """
    password passwords passwd pwd passcode passcodes passphrase passkey mnemonic seed seedphrase recoveryphrase \
    backupphrase token tokens jwt jwts bearer cookie cookies sessionid credential credentials authheader authorization \
    authorizationheader authcode authorizationcode secret secrets apikey apikeys accesskey authkey encryptionkey hmackey \
    masterkey privatekey secretkey sessionkey sharedkey signingkey
    """
  ).union(codes)

  /// The last words of names of codes, which can be numbers as well as texts.
  private static let codes = words(
    """
    pin pins pincode pincodes otp totp cvv cvc accesscode backupcode backupcodes logincode recoverycode recoverycodes \
    securitycode unlockcode verificationcode
    """)

  /// Words that say how a value is written. They are ignored at the end of a name: `tokenString`, `pinHash2`.
  private static let forms = words("string text value data bytes hash hex base raw")

  private static func words(_ text: String) -> Set<ArraySlice<UInt8>> {
    Set(text.utf8.split(separator: UInt8(ascii: " ")).map { Array($0)[...] })
  }

  /// The most words that an ending consists of.
  private static let mostWords = 2

  /// Returns true if a value of the type can be a secret, and one of its names is a credential's.
  static func contains(_ key: DecodedKey) -> Bool {
    guard let endings = endings(of: key.resolved.type) else { return false }
    let descriptor = key.resolved.descriptor
    return contains(descriptor.member, endings)
      || descriptor.name != descriptor.member && contains(descriptor.name, endings)
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

  private static func endings(of type: ValueType) -> Set<ArraySlice<UInt8>>? {
    if canHoldSecret(type) { return endings }
    return type == .scalar(.int) ? codes : nil
  }

  private static func contains(_ name: String, _ endings: Set<ArraySlice<UInt8>>) -> Bool {
    let words = NameWords(name)
    var ranges = words.ranges[...]
    while let last = ranges.last, ranges.count > 1, isForm(words.letters[last]) { ranges.removeLast() }
    return ranges.suffix(mostWords).contains { first in
      endings.contains(words.letters[first.lowerBound..<(ranges.last?.upperBound ?? first.upperBound)])
    }
  }

  private static func isForm(_ word: ArraySlice<UInt8>) -> Bool {
    word.allSatisfy(Identifier.isDigit) || forms.contains(word)
  }
}
