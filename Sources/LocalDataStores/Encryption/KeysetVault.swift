internal import LocalDataFoundation
import LocalDataSystem
package import LocalDataVocabulary

/// The store of keysets: items of the keychain. Those of a group are in the group's own keychain.
package final class KeysetVault: Sendable {
  private let configuration: EncryptionConfiguration
  private let locationCheck: LocationCheck?
  package let keychain: @Sendable (KeysetID) throws(StorageProblem) -> any ValueStore

  /// - Parameter locationCheck: The check of the configured location; `nil` for none.
  package init(
    configuration: EncryptionConfiguration, _ locationCheck: LocationCheck? = nil,
    keychain: @escaping @Sendable (KeysetID) throws(StorageProblem) -> any ValueStore
  ) {
    self.configuration = configuration
    self.locationCheck = locationCheck
    self.keychain = keychain
  }

  /// Returns the keychain of a keyset, if its records are at the configured location.
  ///
  /// - Parameter isWriting: True if a record is about to be written. Then the location is recorded.
  package func opened(_ keyset: KeysetID, isWriting: Bool = false) throws(StorageProblem) -> any ValueStore {
    let keychain = try keychain(keyset)
    try locationCheck?.check(keyset, isWriting: isWriting)
    return keychain
  }

  /// Gets the keys that the keychain needs, which may take long. Callers that take a lock call it before.
  package func prepare(_ keyset: KeysetID) throws(StorageProblem) { try keychain(keyset).prepare() }

  /// Returns a keyset, or of an external source beside it. Returns `nil` only if the keychain reports that there
  /// is none.
  package func read(_ keyset: KeysetID, _ source: KeySource) throws(StorageProblem) -> Keyset? {
    guard var bytes = try bytes(of: address(keyset, source), in: opened(keyset)) else { return nil }
    // In place: if another variable held the bytes too, they would be copied, and only the copy wiped. On Apple's platforms the
    // memory that Keychain Services returned is not the library's.
    defer { bytes.wipe() }
    return try Keyset(bytes: bytes)
  }

  /// Waits until a keyset is on the disk.
  func makeDurable(_ keyset: KeysetID) throws(StorageProblem) {
    try opened(keyset).makeDurable(address(keyset, .masterKey).container)
  }

  /// Returns bytes that differ after every change of a keyset, or `nil` if there is none.
  func version(_ keyset: KeysetID) throws(StorageProblem) -> Data? {
    try opened(keyset).version(of: address(keyset, .masterKey), attributes)
  }

  private func bytes(of address: StorageAddress, in store: any ValueStore) throws(StorageProblem) -> Data? {
    do throws(StorageProblem) { return try store.read(address, attributes) } catch {
      throw isOfDamagedItem(error, at: address, in: store) ? .keyMaterialDamaged : error
    }
  }

  /// Returns true if a fault is that of the item, and not of its keychain.
  package func isOfDamagedItem(_ fault: StorageProblem, at address: StorageAddress, in store: any ValueStore) -> Bool {
    guard fault.isOfDamagedItem else { return false }
    // This does not open the item.
    do throws(StorageProblem) { return try store.exists(address, attributes) } catch { return false }
  }

  /// Replaces the record by the one that `change` returns, with no other writer in between, and returns the record that is
  /// stored then.
  package func update(
    _ keyset: KeysetID, _ source: KeySource,
    _ change: (Keyset?) throws(StorageProblem) -> Keyset?
  ) throws(StorageProblem) -> Keyset? {
    var keys: Keyset?
    var read = Data()
    var written = Data()
    // After the store has released them: before that, another variable also refers to the bytes.
    defer {
      read.wipe()
      written.wipe()
    }
    try opened(keyset, isWriting: true).update(address(keyset, source), attributes) { (bytes) throws(StorageProblem) in
      // The store may call this again if another process has written meanwhile.
      read.wipe()
      written.wipe()
      read = bytes ?? Data()
      keys = try bytes.map { (bytes) throws(StorageProblem) in try Keyset(bytes: bytes) }
      guard let changed = try change(keys) else { return .keep }
      keys = changed
      written = try changed.encoded()
      return .write(written)
    }
    return keys
  }

  /// The text after the account of the master key in the account of an external source.
  fileprivate static let externalInfix = ".external."
  /// The text after the account of the master key in the account of a damaged record that was moved aside.
  package static let damagedInfix = ".damaged."
  /// The text after the account of the master key in the accounts of items for migrations.
  static let migrationInfix = ".migrations."
  /// The text after the account of the master key in the accounts of items for databases of records.
  package static let recordsInfix = ".records."
  /// The text after the account of the master key in the accounts of an app group.
  fileprivate static let groupInfix = ".group."

  package func address(_ keyset: KeysetID, _ source: KeySource) -> StorageAddress {
    var account = configuration.masterKeyAccount + groupSuffix(keyset)
    if case .external(let source) = source { account += Self.externalInfix + source.id }
    return StorageAddress(
      container: .keychain(
        service: configuration.masterKeyService, accessGroup: keyset.group ?? appAccessGroup, synchronizable: false),
      name: account)
  }

  #if os(Linux)
    /// The access group of the app's own record. No other app uses the keystore.
    private var appAccessGroup: String? { nil }

    /// Returns an empty text: a group's records are in the group's own keystore.
    private func groupSuffix(_ keyset: KeysetID) -> String { "" }
  #else
    private var appAccessGroup: String? { configuration.masterKeyAccessGroup }

    /// An app group may be the app's default access group, or its configured one: then the records of both are in one
    /// access group, and their accounts keep them apart.
    private func groupSuffix(_ keyset: KeysetID) -> String {
      keyset.group.map { Self.groupInfix + $0 } ?? ""
    }
  #endif

  /// Returns the keychain of a keyset, and the address of an item beside the keyset.
  ///
  /// - Parameter name: The text after the account of the master key.
  package func item(
    _ name: String, _ keyset: KeysetID, isWriting: Bool = false
  ) throws(StorageProblem) -> (store: any ValueStore, address: StorageAddress) {
    var address = address(keyset, .masterKey)
    address.name += name
    return (try opened(keyset, isWriting: isWriting), address)
  }

  package var attributes: StorageAttributes {
    StorageAttributes(accessibility: configuration.masterKeyAccessibility)
  }
}

extension EncryptionConfiguration {
  /// Returns true if a key of the app would be stored at the address of one of the library's records, in whatever access
  /// group.
  package func reserves(_ address: StorageAddress) -> Bool {
    guard address.container.keychainService == masterKeyService else { return false }
    return address.name == masterKeyAccount || address.name.hasPrefix(masterKeyAccount + KeysetVault.externalInfix)
      || address.name.hasPrefix(masterKeyAccount + KeysetVault.groupInfix)
      || address.name.hasPrefix(masterKeyAccount + KeysetVault.migrationInfix)
      || address.name.hasPrefix(masterKeyAccount + KeysetVault.recordsInfix)
      || address.name.hasPrefix(masterKeyAccount + Installation.infix)
      || address.name.hasPrefix(masterKeyAccount + KeysetVault.damagedInfix)
  }
}

/// The files beside keysets: the lock that a change of the keys takes, and the marker of a master key, which is
/// empty.
package final class KeysetFiles: Sendable {
  package let locations: StorageLocations
  /// Keysets whose marker was found to exist.
  private let marked = Lock<Set<KeysetID>>([])

  package init(_ locations: StorageLocations) { self.locations = locations }

  /// Returns the lock of a keyset. A process holds it shared while it seals and stores a value, and exclusively while it
  /// changes the keys.
  package func lock(_ keyset: KeysetID) throws(StorageProblem) -> SharedFileLock {
    SharedFileLock(in: try locations.keystore(of: keyset).folder, named: "keyset")
  }

  /// Returns true if a master key of the keyset was created before, although the keychain may have lost it since.
  func hasMarker(_ keyset: KeysetID) throws(StorageProblem) -> Bool { try marker(keyset).exists() }

  /// Records that the keyset has a master key. Durable on return.
  func mark(_ keyset: KeysetID) throws(StorageProblem) {
    if marked.withLock({ $0.contains(keyset) }), try hasMarker(keyset) { return }
    _ = try marker(keyset).create(Data())
    marked.withLock { _ = $0.insert(keyset) }
  }

  package func marker(_ keyset: KeysetID) throws(StorageProblem) -> FileLocation {
    try locations.record("master-key-created", of: keyset)
  }
}
