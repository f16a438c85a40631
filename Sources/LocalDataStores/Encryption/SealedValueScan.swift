package import LocalDataFoundation
package import LocalDataSystem
import LocalDataVocabulary

/// Looks for a value that was sealed with a master key. If there is one and the master key is missing, the key was lost, and
/// no new one is created.
package final class SealedValueScan: Sendable {
  package let locations: StorageLocations
  package let preferences: UserDefaultsHelper
  package let keychain: KeychainHelper
  /// The configured location of files. The scan looks nowhere else.
  private let fileLocation: KnownLocation
  /// The keychain access groups that are searched besides the default group, as groups of this app alone.
  package let accessGroups: [String]
  /// Returns the keychain containers of registered keys.
  let registered: @Sendable () -> Set<StorageContainer>
  /// The service of keys that name none. Such a key need not be registered.
  private let defaultService: String
  /// Returns a store whose values are the record keys of a database.
  package let recordKeys: @Sendable (RecordDatabaseFile) -> any ValueStore

  /// The access groups of registered keys. They are searched too, but other apps of the team may have sealed values there, which
  /// need their own master key. See ``KeychainItemVersion``.
  package var sharedGroups: Set<String> { Set(registered().compactMap(\.accessGroup)) }

  package init(
    _ locations: StorageLocations, preferences: UserDefaultsHelper, keychain: KeychainHelper,
    fileLocation: KnownLocation, accessGroups: [String], defaultService: String,
    registered: @escaping @Sendable () -> Set<StorageContainer>,
    recordKeys: @escaping @Sendable (RecordDatabaseFile) -> any ValueStore
  ) {
    self.locations = locations
    self.preferences = preferences
    self.keychain = keychain
    self.fileLocation = fileLocation
    self.accessGroups = accessGroups
    self.defaultService = defaultService
    self.registered = registered
    self.recordKeys = recordKeys
  }

  /// Calls `visit` with every value of a keyset's preferences and files until it returns false. A store that cannot be read
  /// throws.
  package func values(
    of keyset: KeysetID, _ visit: (StorageContainer, ScannedValue) throws(StorageProblem) -> Bool
  ) throws(StorageProblem) {
    var goesOn = true
    for container in try locations.containers(of: keyset) + locations.customDirectories(of: keyset) where goesOn {
      func look(_ value: ScannedValue) throws(StorageProblem) -> Bool {
        goesOn = try visit(container, value)
        return goesOn
      }
      switch container.store {
      case .preferences:
        try naming(container) { () throws(StorageProblem) in
          try preferences.scan(container, upTo: PlainEnvelope.beginning, look)
        }
      case .files:
        guard let folder = try locations.folder(of: container).open(creating: false) else { continue }
        try FileScan(limit: PlainEnvelope.beginning).run(in: folder, look)
      case .keychain: break
      }
    }
  }

  /// Returns the names and first bytes of the record keys in a database.
  package func recordKeys(
    in database: RecordDatabaseFile
  ) throws(StorageProblem) -> [(address: StorageAddress, beginning: Data)] {
    let store = recordKeys(database)
    var keys: [(StorageAddress, Data)] = []
    for name in try store.storedNames(in: database.address.container) {
      let address = StorageAddress(container: database.address.container, name: name)
      guard let stored = try store.read(address, .anySize) else { continue }
      keys.append((address, Data(stored.prefix(PlainEnvelope.beginning))))
    }
    return keys
  }

  /// Returns true if a store of the keyset's roots has a value that needs the master key. A store that cannot be read
  /// throws.
  package func finds(_ keyset: KeysetID) throws(StorageProblem) -> Bool {
    try checkFileLocation(keyset)
    var isFound = false
    try values(of: keyset) { (_, value) throws(StorageProblem) in
      isFound = try value.beginningIfOfLibrary().map(PlainEnvelope.needsMasterKey) ?? false
      return !isFound
    }
    for database in try locations.recordDatabases(of: keyset) where !isFound {
      do throws(StorageProblem) {
        isFound = try recordKeys(in: database).contains { PlainEnvelope.needsMasterKey($0.beginning) }
      } catch { isFound = try database.containsSealedKey() }
    }
    if isFound || keyset != .app { return isFound }
    let services = Set(registered().compactMap(\.keychainService) + [defaultService])
    if try keychain.holdsSealedValues(in: accessGroups, services: services) { return true }
    return try sharedGroupsHoldOwnValues()
  }

  /// Returns true if an access group of a registered key has a value that this app has sealed. No value is read.
  private func sharedGroupsHoldOwnValues() throws(StorageProblem) -> Bool {
    #if canImport(Security)
      for group in sharedGroups {
        do throws(StorageProblem) {
          for container in try sharedContainers(of: group) where container.accessGroup == group {
            for name in try keychain.sealedNames(in: container)
            where try isOwnItem(StorageAddress(container: container, name: name)) == true { return true }
          }
        } catch {
          // An app without the entitlement of a group has sealed nothing there.
          guard error == .missingEntitlement else { throw error }
        }
      }
    #endif
    return false
  }

  #if canImport(Security)
    /// Returns the containers of a group that have items, or the registered ones if the device is locked for an item of another
    /// library.
    private func sharedContainers(of group: String) throws(StorageProblem) -> [StorageContainer] {
      do throws(StorageProblem) { return try keychain.containers(in: [group]) } catch {
        guard error == .locked else { throw error }
        return Array(registered())
      }
    }
  #endif

  /// Returns whether this app has sealed an item, or `nil` if the attribute of the item shows that its value needs no master
  /// key. Never prompts.
  package func isOwnItem(_ address: StorageAddress) throws(StorageProblem) -> Bool? {
    #if canImport(Security)
      guard let version = try keychain.version(of: address, StorageAttributes()),
        KeychainItemVersion.needsMasterKey(version)
      else { return nil }
      guard let group = address.container.accessGroup, !accessGroups.contains(group) else { return true }
      return KeychainItemVersion.isSealed(version, in: try keychain.accessGroup.name())
    #else
      return true
    #endif
  }

  /// Checks that the files of a keyset are at the configured location.
  ///
  /// - Throws: ``StorageProblem/configurationConflict`` if they were stored under another configuration. A scan would not find
  ///   them.
  package func checkFileLocation(_ keyset: KeysetID) throws(StorageProblem) {
    _ = try fileLocation.check(try locations.record("files", of: keyset), isWriting: false)
  }

  /// Reads a container of preferences. If its database is damaged, the fault names it: no registered key need have it.
  private func naming<Result>(
    _ container: StorageContainer, _ read: () throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result {
    do throws(StorageProblem) { return try read() } catch {
      guard error == .databaseDamaged else { throw error }
      throw .containerDamaged(container.domain)
    }
  }
}

extension StorageLocations {
  /// Returns every container whose values a keyset may have sealed, except custom directories and those of the keychain.
  package func containers(of keyset: KeysetID) throws(StorageProblem) -> [StorageContainer] {
    let preferences: [StorageContainer] =
      if let group = keyset.group {
        [.groupPreferences(identifier: group)]
      } else {
        try suites().map { .preferences(suite: $0) }
      }
    return preferences + [.documents, .applicationSupport, .caches].map(keyset.container)
  }

  /// Returns the suites that may contain sealed values, and always the app's own: on Linux those that have a database, on
  /// Apple's platforms those that are recorded.
  private func suites() throws(StorageProblem) -> [String?] {
    #if os(Linux)
      let standard = try preferences(suite: nil)
      guard let folder = try standard.folder.open(creating: false) else { return [nil] }
      return try folder.names()
        .filter { $0.hasSuffix(".db") && !$0.hasPrefix(".") && $0 != standard.name }
        .compactMap { FileName.storedName(of: String($0.dropLast(3))) } + [nil]
    #else
      return try SealedSuites(recordedIn: sealedSuites).recorded() + [nil]
    #endif
  }
}
