import LocalDataVocabulary

/// The facts that an audit states about a key, in a fixed order, and the notes for its reviewer.
extension StorageKeyDescriptor {
  /// Calls `body` with each fact's label and its text, which a format must escape.
  ///
  /// - Parameter isBeside: True if the document also has a table of the keys. The facts of the table are left out, and
  ///   so are options that have their usual value.
  package func forEachAuditFact(
    besideTable isBeside: Bool = false, _ body: (_ label: StaticString, _ text: String) -> Void
  ) {
    if !isBeside {
      body("Stored name", name)
      body("Where", domain.auditText)
      body("Secured", security.auditText)
      body("Sensitivity", sensitivity.rawValue)
      body("Owner", owner)
      body("Type", valueType)
      body("Serializer", serializer.auditText)
    }
    if let dates { body("Dates", dates.auditText) }
    if let reads { body("Also read", reads) }
    if !parameters.isEmpty {
      body("Parameters", parameters.map(\.auditText).joined(separator: ", "))
    }
    if let defaultValue { body("Default", AuditWording.defaultText(defaultValue)) }
    if !isBeside || availability != .all { body("Available", availability.auditText) }
    if !isBeside {
      body("Sync", syncText)
      body("Kept", keptText)
    }
    if !isBeside || maxSize != domain.kind.defaultMaxSize { body("At most", maxSizeText) }
    let backup = backupText
    if !isBeside || backup != Self.isIncluded { body("Device backup", backup) }
    if protection != .untilFirstUnlock { body("File protection", protection.auditText) }
    if schema != 1 { body("Schema", "\(schema), older values are upgraded when they are read") }
    if onCorruption != .throw { body("If it does not decode", onCorruption.auditText) }
    if isDecryptedForSync {
      body(
        "Sent", "\(SyncTransfer.decrypted.rawValue), as serialized; the other device secures it as its key declares")
    }
    if let watchRepresentation { body("On the watch", watchRepresentation) }
    if isKeptAtSignOut { body("At sign-out", "kept") }
    if let signing {
      body("Private key", signing.enclaveText)
      if let tag = signing.applicationTag { body("Adopts", "a SecKey with the application tag \(tag)") }
      if signing.isExportable { body("Exportable", "by an encrypted backup of the app") }
      if signing.isKeptAtSignOut { body("At sign-out", "kept") }
    }
    if let migration { body("Migration", migration) }
    if isLegacy { body("Legacy", "read by migrations only, never written") }
    if let deprecation { body("Deprecated", deprecation) }
  }

  /// When the value is sent to other devices of the user, in words.
  package var syncText: String {
    guard domain.isSynchronizable else { return syncPolicy.auditText }
    return syncPolicy == .never ? "by iCloud Keychain" : "by iCloud Keychain; \(syncPolicy.auditText)"
  }

  /// The time that the value is kept, in words.
  package var keptText: String { retention?.auditText ?? "until removed" }

  private var maxSizeText: String {
    switch maxSize {
    case 1 << 20: "1 MiB"
    case 16 << 20: "16 MiB"
    default: "\(maxSize) bytes"
    }
  }

  private static let isIncluded = "included"

  /// The part of a device backup, as far as the declaration decides it. It follows from the fates of the value.
  package var backupText: String {
    let facts = StoredFacts(domain, security, isInBackup: backup)
    let here = FateTable.fate(of: facts, at: .restoreSameDevice)
    guard here.outcome != .lost else { return excludedText(here.rule) }
    guard domain.kind == .keychain else { return includedText }
    if FateTable.fate(of: facts, at: .encryptedBackup).outcome == .lost, case .keychain(let accessibility, _) = security
    {
      return "not restored on another device (\(accessibility.rawValue))"
    }
    return facts.isSynchronizable
      ? "\(Self.isIncluded), and in iCloud Keychain"
      : "\(Self.isIncluded), restored on another device only with the keychain"
  }

  /// - Parameter rule: The rule by which no backup contains the value.
  private func excludedText(_ rule: FateRule) -> String {
    switch (rule, security) {
    case (.caches, _): "excluded (caches)"
    case (.controlledInBackups, .keychain(_, let accessControl?)): "excluded (access control \(accessControl.rawValue))"
    case (.passcodeSet, .keychain(let accessibility, _)): "excluded (\(accessibility.rawValue))"
    default: "excluded"
    }
  }

  private var includedText: String {
    guard case .encrypted(let policy) = security else { return Self.isIncluded }
    let key = policy.keySource == .masterKey ? "the keychain" : "the key of its provider"
    return "\(Self.isIncluded), opened on another device only with \(key)"
  }

  /// Calls `body` with each note: a weakness, a pairing or a limit that follows from the declaration.
  package func forEachAuditNote(_ body: (String) -> Void) {
    switch security {
    case .none:
      if sensitivity != .public, sensitivity != .internal {
        body("Plain, although it is \(sensitivity.rawValue): anyone who can read the app's files can read it.")
      }
    case .keychain(let accessibility, let accessControl):
      noteKeychain(accessibility, accessControl, body)
    case .encrypted(let policy):
      noteEncryption(policy, body)
    }
    if domain.isSynchronizable {
      body("Synchronizable: iCloud Keychain copies it to the user's other devices.")
    }
    if domain.kind.isAppGroup { body("Every member of the app group can read it.") }
    if domain.isInCaches { body("In caches: the system may delete it.") }
    if syncPolicy != .never, security != .none { body("Sent to the paired device without its protection here.") }
  }

  private func noteKeychain(
    _ accessibility: KeychainAccessibility, _ accessControl: KeychainAccessControl?, _ body: (String) -> Void
  ) {
    switch accessibility {
    case .always, .alwaysThisDeviceOnly:
      body("The least secure accessibility: \(accessibility.rawValue) allows reading before the first unlock.")
    case .whenUnlocked, .afterFirstUnlock, .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly,
      .whenPasscodeSetThisDeviceOnly:
      break
    }
    if accessibility.isThisDeviceOnly {
      body("A backup does not restore it on another device, because of \(accessibility.rawValue).")
    }
    if let accessControl {
      body(
        "On Linux the keystore cannot enforce accessibility \(accessibility.rawValue) or access control "
          + "\(accessControl.rawValue).")
    } else {
      body("On Linux the keystore cannot enforce accessibility \(accessibility.rawValue).")
    }
  }

  private func noteEncryption(_ policy: SecurityPolicy.EncryptionPolicy, _ body: (String) -> Void) {
    switch policy.keySource {
    case .masterKey where domain.kind.isAppGroup:
      body("Sealed under the master key of the app group, accessibility afterFirstUnlock unless configured.")
    case .masterKey:
      body("Sealed under the master key, accessibility afterFirstUnlock unless configured.")
    case .external(let source):
      body("Sealed under the app's key material \(source.id), and only as secure as its source.")
    }
    if case .pbkdf2 = policy.keyDerivation, policy.keySource == .masterKey {
      body("PBKDF2 over the master key, which is random, adds nothing to HKDF.")
    }
    if case .keychain = domain { body("The sealed value is in a keychain item with accessibility whenUnlocked.") }
  }
}

extension StorageKeyDescriptor.Parameter {
  /// The parameter in words: `userID: UUID (verbatim)`.
  fileprivate var auditText: String {
    guard let encoding, encoding != .escaped else { return "\(name): \(type)" }
    return "\(name): \(type) (\(encoding.rawValue))"
  }
}

extension StorageFileProtection {
  fileprivate var auditText: String {
    switch self {
    case .complete: "complete, readable while the device is unlocked"
    case .completeUnlessOpen: "completeUnlessOpen, readable while the device is unlocked, and afterwards if it is open"
    case .untilFirstUnlock: "untilFirstUnlock, readable from the first unlock on"
    case .none: "none, readable always, also before the first unlock"
    }
  }
}
