package import LocalDataVocabulary

/// The facts from which the fate of a value follows. Many keys have the same.
///
/// They are compared by a number, because documents look up the facts of each of ten thousand keys, and the names of cases
/// would be hashed.
package struct StoredFacts: Sendable, Hashable {
  package var domain: StorageDomain.Kind
  /// A Boolean value that indicates whether the value is a file in `caches`.
  package var isInCaches = false
  /// A Boolean value that indicates whether backups of the device may contain the file.
  package var isInBackup = true
  /// The protection of the file, or of the preferences.
  package var fileProtection = FileProtection.untilFirstUnlock
  /// The accessibility of the keychain item, or nil in other domains.
  package var accessibility: KeychainAccessibility?
  package var accessControl: KeychainAccessControl?
  /// A Boolean value that indicates whether the item is synchronized by iCloud Keychain.
  package var isSynchronizable = false
  /// A Boolean value that indicates whether the item, or the master key, is in the keychain of an app group.
  package var isInGroupKeychain = false
  package var seal = Seal.none
  /// The launch or the installation at which the value ends, or nil. An age is not an event.
  package var end: Retention.End?
  /// A Boolean value that indicates whether a migration moves the value from the address of an earlier release.
  package var isMoved = false
  /// A Boolean value that indicates whether an earlier release stored the value in another form.
  package var isUpgraded = false
  package var availability = PlatformAvailability.all
  /// A Boolean value that indicates whether the value is sent to the paired device.
  package var isSent = false
  /// A Boolean value that indicates whether the value is a key pair.
  package var isKeyPair = false
  /// A Boolean value that indicates whether a sign-out leaves the value.
  package var isKeptAtSignOut = false
  /// A Boolean value that indicates whether a backup of the app contains the value.
  package var isInOwnBackup = false

  package typealias FileProtection = StorageFileProtection

  /// The encryption by the library, by the place of its key.
  package enum Seal: Sendable, Hashable {
    case none
    /// A keychain item of the library with this accessibility.
    case masterKey(KeychainAccessibility)
    /// The app's provider of keys.
    case external
  }

  package init(domain: StorageDomain.Kind) { self.domain = domain }

  /// The accessibility of the master key, unless the app configures another one.
  package static let defaultMasterKey = KeychainAccessibility.afterFirstUnlock

  /// Creates the facts of a value in a domain.
  ///
  /// - Parameter masterKey: The configured accessibility of the master key.
  package init(
    _ domain: StorageDomain, _ security: SecurityPolicy, isInBackup: Bool = true,
    masterKey: KeychainAccessibility = Self.defaultMasterKey
  ) {
    self.domain = domain.kind
    self.isInBackup = isInBackup
    isInCaches = domain.isInCaches
    isSynchronizable = domain.isSynchronizable
    isInGroupKeychain = domain.kind.isAppGroup
    if case .keychain(_, let group?, _) = domain, group.isAppGroup { isInGroupKeychain = true }
    // The accessibility of an item whose value is sealed.
    if domain.kind == .keychain { accessibility = .whenUnlocked }
    if domain.kind == .encryptedFileSystem { fileProtection = .complete }
    switch security {
    case .none: break
    case .keychain(let accessibility, let accessControl):
      self.accessibility = accessibility
      self.accessControl = accessControl
    case .encrypted(let policy):
      seal = policy.keySource == .masterKey ? .masterKey(masterKey) : .external
    }
  }
}

extension StorageDomain {
  /// A Boolean value that indicates whether values are files in `caches`.
  package var isInCaches: Bool {
    switch self {
    case .fileSystem(let directory), .encryptedFileSystem(let directory), .appGroupFileSystem(_, let directory):
      directory.isCaches
    case .userDefaults, .appGroupUserDefaults, .keychain: false
    }
  }

  /// A Boolean value that indicates whether iCloud Keychain synchronizes values.
  package var isSynchronizable: Bool { if case .keychain(_, _, true) = self { true } else { false } }
}

extension StorageKeyDescriptor {
  /// Returns the facts of the key's value.
  ///
  /// - Parameter masterKey: The configured accessibility of the master key.
  package func storedFacts(masterKey: KeychainAccessibility = StoredFacts.defaultMasterKey) -> StoredFacts {
    var facts = StoredFacts(domain, security, isInBackup: backup, masterKey: masterKey)
    if domain.kind.isFile, domain.kind != .encryptedFileSystem { facts.fileProtection = protection }
    facts.end =
      switch retention {
      case nil, .maxAge: nil
      case .untilRelaunch: .relaunch
      case .untilReinstall: .reinstall
      }
    facts.isMoved = migration != nil
    facts.isUpgraded = schema > 1
    facts.availability = availability
    facts.isSent = syncPolicy != .never
    facts.isKeyPair = signing != nil
    facts.isKeptAtSignOut = staysAtSignOut
    return facts
  }
}

extension StoredFacts {
  /// A name of these facts in documents, for example `keychain-afterFirstUnlock-userPresence`. Other facts have another name.
  package var name: String {
    var parts = [domain.rawValue]
    func add(_ part: String?, _ isStated: Bool = true) { if isStated, let part { parts.append(part) } }
    let ordinary: FileProtection = domain == .encryptedFileSystem ? .complete : .untilFirstUnlock
    add("caches", isInCaches)
    add("excluded", !isInBackup)
    add(fileProtection.rawValue, fileProtection != ordinary)
    add(accessibility?.rawValue)
    add(accessControl?.rawValue)
    add("synchronizable", isSynchronizable)
    add("group", isInGroupKeychain && !domain.isAppGroup)
    switch seal {
    case .none: break
    case .masterKey(Self.defaultMasterKey): add("sealed")
    case .masterKey(let accessibility): add("sealed-by-\(accessibility.rawValue)")
    case .external: add("sealed-externally")
    }
    add(end.map { "until-\($0.rawValue)" })
    add("upgraded", isUpgraded)
    add("moved", isMoved)
    add(availability.rawValue, availability != .all)
    add("sent", isSent)
    add("pair", isKeyPair)
    add("kept", isKeptAtSignOut)
    add("in-own-backup", isInOwnBackup)
    return parts.joined(separator: "-")
  }
}
