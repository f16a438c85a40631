import LocalDataModel
import LocalDataSyntax
import LocalDataAudit
import LocalDataVocabulary

/// The answers that follow from the facts of one value. A weakness that cannot apply to the value has no answer.
struct WeaknessQuestions {
  let facts: ProtectedFacts

  /// The answers in the order of the weaknesses.
  var answers: [WeaknessAnswer] {
    let all =
      facts.isSensitive
      ? [
        storage, sharing, keystore, hardcoding, logging, backups, encryption, derivation, authentication, enrolment,
        policy,
      ] : [keystore, encryption, derivation, authentication, enrolment, policy]
    return all.compactMap(\.self)
  }

  // MARK: Sensitive data

  private var storage: WeaknessAnswer {
    let sensitivity = facts.sensitivity.rawValue
    if facts.isPlain {
      return facts.isLegacy
        ? .open(
          .unencryptedPrivate, "Earlier releases stored it without protection. The migration removes what it finds.")
        : .violated(.unencryptedPrivate, plainRules, "It is stored as it is, and its sensitivity is \(sensitivity).")
    }
    switch facts.stored.accessibility {
    case .always where facts.stored.seal == .none, .alwaysThisDeviceOnly where facts.stored.seal == .none:
      return .violated(
        .unencryptedPrivate, [Rule.deprecatedAccessibility.id],
        "The keychain gives the item out before the device is unlocked for the first time.")
    default: break
    }
    return facts.stored.seal == .none
      ? .met(.unencryptedPrivate, "It is a keychain item.")
      : .met(.unencryptedPrivate, "The library encrypts it before it is stored.")
  }

  /// The rules that find a sensitive value without protection.
  private var plainRules: [String] {
    [facts.sensitivity == .credential ? Rule.credentialOutsideKeychain.id : Rule.personalDataInPlainStore.id]
  }

  private var sharing: WeaknessAnswer {
    facts.stored.domain.isAppGroup && facts.isPlain
      ? .open(.unencryptedShared, "Every member of the app group can read it.")
      : .met(.unencryptedShared, "It is in a container of the app, or protected.")
  }

  private var hardcoding: WeaknessAnswer? {
    guard facts.sensitivity == .credential else { return nil }
    if facts.isUnmanaged { return .open(.hardcoded, "Other code of the app stores it, and knows where it is from.") }
    return switch facts.constant {
    case .none: .met(.hardcoded, "It has no default.")
    case .readable: .violated(.hardcoded, [Rule.credentialDefault.id], "Its default is part of the app's package.")
    case .ofApp: .open(.hardcoded, "Its default is a value of the app, which the catalog does not contain.")
    }
  }

  private var logging: WeaknessAnswer {
    if facts.isUnmanaged { return .open(.logged, "Other code of the app stores it, and may log it.") }
    return .library(
      .logged, "SecrecyTests.keysAndRoutersTellNoParameterAndNoValue",
      "Errors, logs and descriptions of the library contain no value.")
  }

  private var backups: WeaknessAnswer {
    if facts.isLegacy { return .open(.backedUp, "Backups of earlier releases may contain it.") }
    if facts.stored.seal == .external {
      return .met(.backedUp, "Backups contain it encrypted, and its key is that of the app's provider.")
    }
    let fate = FateTable.fate(of: facts.stored, at: .encryptedBackup)
    guard fate.outcome == .kept else { return .met(.backedUp, "No backup can be restored on another device with it.") }
    if facts.isPlain { return .violated(.backedUp, plainRules, "Backups contain it as it is.") }
    if facts.stored.isSynchronizable, facts.isUnmanaged {
      return .open(.backedUp, "iCloud Keychain brings it to the user's other devices.")
    }
    if facts.stored.isSynchronizable {
      return .violated(.backedUp, [Rule.syncOnSensitive.id], "iCloud Keychain brings it to the user's other devices.")
    }
    let isFile = facts.stored.domain.isFile
    guard facts.sensitivity != .personal, isFile || facts.stored.seal == .none else {
      return .met(.backedUp, "Backups contain it encrypted. It can be opened on another device only with the keychain.")
    }
    let reason = "An encrypted backup can be restored on another device with it."
    // No rule asks it of records.
    return facts.isField ? .open(.backedUp, reason) : .violated(.backedUp, [Rule.sensitiveInBackup.id], reason)
  }

  // MARK: Encryption

  private var keystore: WeaknessAnswer? {
    switch facts.stored.seal {
    case .none: nil
    case .masterKey:
      .library(
        .keysOutsideKeystore, "MasterKeyTests.theFirstSetCreatesOneKeyAndReadingNone",
        "The master key is a keychain item of the library.")
    case .external: .open(.keysOutsideKeystore, "The app's provider of keys decides where its key is stored.")
    }
  }

  private var encryption: WeaknessAnswer? {
    guard facts.stored.seal != .none else { return nil }
    return .library(
      .improperEncryption, "EnvelopeTests.everyBitIsGuarded",
      "The library has only authenticated ciphers, with a new nonce for each value.")
  }

  private var derivation: WeaknessAnswer? {
    switch (facts.derivation, facts.stored.seal) {
    case (.pbkdf2, _):
      .library(
        .improperDerivation, "MasterKeyTests.iterationsOutOfBoundsAreRefusedBeforeAnyWork",
        "PBKDF2 has at least \(KeyDerivation.iterations.lowerBound) iterations.")
    case (.hkdf, .external):
      .open(.improperDerivation, "HKDF needs a key of full entropy, which only the app's provider knows.")
    case (.hkdf, _): .library(.improperDerivation, "VectorTests.hkdf", "The master key is random.")
    case (nil, _): nil
    }
  }

  // MARK: Authentication and privacy

  private var authentication: WeaknessAnswer? {
    facts.stored.accessControl.map { control in
      .met(.bypassedAuthentication, "The keychain itself asks the user (\(control.rawValue)), not the app.")
    }
  }

  private var enrolment: WeaknessAnswer? {
    switch facts.stored.accessControl {
    case nil, .devicePasscode: nil
    case .biometryCurrentSet: .met(.newEnrolment, "The item is invalid when a finger or a face is enrolled.")
    case .biometryCurrentSetOrDevicePasscode:
      .open(.newEnrolment, "A new finger or face does not open the item, but the passcode does.")
    case .biometryAny, .userPresence, .biometryAnyOrDevicePasscode:
      .open(.newEnrolment, "A finger or a face that is enrolled later opens the item too.")
    }
  }

  private var policy: WeaknessAnswer? {
    facts.isCollected
      ? .open(.privacyPolicy, "The declaration says what is collected. The privacy policy is not part of it.") : nil
  }
}
