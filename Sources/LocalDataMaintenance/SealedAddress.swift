import Foundation
import LocalData
import RecordKeySealing

/// The address of a stored envelope that needs a master key, or of a file that may be one and cannot be read.
struct SealedAddress: Sendable {
  let address: StorageAddress
  /// The seal in the header; `nil` if the header is damaged or unknown.
  let seal: EnvelopeHeader.Seal?
  /// The fault if a later version has written the value, the file cannot be read now, or a link has its name.
  let fault: StorageFault?

  /// A Boolean value that indicates whether a key of this app has sealed the value. Otherwise only the seal indicates it:
  /// another app of the team may have sealed it.
  let isOwn: Bool

  /// The record key that is stored here; `nil` if the address is that of a value.
  fileprivate(set) var recordKey: SealedRecordKey?

  /// - Parameter beginning: The first bytes of a value, see ``StoredValue/beginning``.
  init?(_ address: StorageAddress, _ beginning: Data, isOwn: Bool = true) throws(StorageFault) {
    guard StoredValue.needsMasterKey(beginning) else { return nil }
    (self.address, self.isOwn, fault) = (address, isOwn, nil)
    do throws(StorageFault) { seal = try EnvelopeHeader.parse(beginning).seal } catch {
      // Another app's values are not judged.
      guard isOwn else { return nil }
      // A value of a later version is not damaged.
      guard error == .corrupted else { throw error }
      seal = nil
    }
  }

  /// Returns the values that a scan has found. A value of a later version has a fault.
  static func found(
    at address: StorageAddress, _ beginning: Data, isOwn: Bool = true
  ) -> SealedAddress? {
    do throws(StorageFault) { return try SealedAddress(address, beginning, isOwn: isOwn) } catch {
      return SealedAddress(address, notReadable: error)
    }
  }

  init(_ address: StorageAddress, notReadable fault: StorageFault) {
    (self.address, self.fault, seal, isOwn) = (address, fault, nil, true)
  }
}

/// A record key of a database of records. It is sealed like a value.
struct SealedRecordKey: Sendable {
  let identity: RecordKeyIdentity
  /// The store of the database's record keys.
  let store: any ValueStore
}

extension SealedValueScan {
  /// Returns the address of every value of a keyset's roots that needs its master key, and of every file that may be one and
  /// cannot be read now. Any other store that cannot be read throws.
  ///
  /// - Parameters:
  ///   - needsEveryGroup: True if an access group of a registered key for which the process has no entitlement is an error.
  ///     Otherwise it is passed over.
  ///   - isReserved: Returns true for an item of the library's own.
  func addresses(
    of keyset: KeysetID, needsEveryGroup: Bool, except isReserved: (StorageAddress) -> Bool
  ) throws(StorageFault) -> [SealedAddress] {
    var found: [SealedAddress] = []
    for container in try locations.containers(of: keyset) + locations.customDirectories(of: keyset) {
      switch container {
      case .preferences, .groupPreferences: found += try sealedPreferences(in: container)
      case .directory, .groupDirectory: found += try sealedFiles(in: container)
      case .keychain: break
      }
    }
    for database in try locations.recordDatabases(of: keyset) { found += sealedKeys(in: database) }
    guard keyset == .app else { return found }
    for container in try keychainContainers(needsEveryGroup: needsEveryGroup) {
      found += try sealedItems(in: container, except: isReserved)
    }
    return found
  }

  /// Returns the sealed values of a suite.
  private func sealedPreferences(in container: StorageContainer) throws(StorageFault) -> [SealedAddress] {
    try naming(container) { () throws(StorageFault) in
      var found: [SealedAddress] = []
      for name in try preferences.storedNames(in: container) {
        let address = StorageAddress(container: container, name: name)
        guard let beginning = try beginningOfPreference(address) else { continue }
        if let sealed = SealedAddress.found(at: address, beginning) { found.append(sealed) }
      }
      return found
    }
  }

  /// Returns the sealed values of a folder, and the files that cannot be read now.
  private func sealedFiles(in container: StorageContainer) throws(StorageFault) -> [SealedAddress] {
    guard let folder = try locations.folder(of: container).open(creating: false) else { return [] }
    return try FileScan(limit: StoredValue.beginning).files(in: folder).compactMap { file in
      let address = StorageAddress(container: container, name: file.name)
      return switch file.beginning {
      case .success(let beginning): SealedAddress.found(at: address, beginning)
      case .failure(let fault): SealedAddress(address, notReadable: fault)
      }
    }
  }

  /// Returns the sealed record keys of a database, or the database itself if it cannot be read now.
  private func sealedKeys(in database: RecordDatabaseFile) -> [SealedAddress] {
    let store = recordKeys(database)
    do throws(StorageFault) {
      var found: [SealedAddress] = []
      for name in try store.storedNames(in: database.address.container) {
        let address = StorageAddress(container: database.address.container, name: name)
        guard let beginning = try beginning(address, store), var sealed = SealedAddress.found(at: address, beginning)
        else { continue }
        sealed.recordKey = SealedRecordKey(
          identity: database.identity(ofKey: try database.number(ofKey: address)), store: store)
        found.append(sealed)
      }
      return found
    } catch {
      var unread = SealedAddress(database.address, notReadable: error)
      unread.recordKey = SealedRecordKey(identity: database.identity(ofKey: 0), store: store)
      return [unread]
    }
  }

  /// Returns the sealed values of a keychain service.
  private func sealedItems(
    in container: StorageContainer, except isReserved: (StorageAddress) -> Bool
  ) throws(StorageFault) -> [SealedAddress] {
    var found: [SealedAddress] = []
    for name in try keychain.storedNames(in: container) {
      let address = StorageAddress(container: container, name: name)
      guard !isReserved(address), let isOwn = try isOwnItem(address), let beginning = try beginningOfItem(address)
      else { continue }
      if let sealed = SealedAddress.found(at: address, beginning, isOwn: isOwn) { found.append(sealed) }
    }
    return found
  }

  private func keychainContainers(needsEveryGroup: Bool) throws(StorageFault) -> Set<StorageContainer> {
    var found = Set(try keychain.containers(in: accessGroups))
    #if canImport(Security)
      for group in sharedGroups {
        do throws(StorageFault) { found.formUnion(try keychain.containers(in: [group])) } catch {
          guard error == .missingEntitlement, !needsEveryGroup else { throw error }
        }
      }
    #endif
    return found
  }

  /// Returns the first bytes of a keychain item, or `nil` for an item of a keystore that is damaged. No master key opens that
  /// one again.
  private func beginningOfItem(_ address: StorageAddress) throws(StorageFault) -> Data? {
    do throws(StorageFault) { return try beginning(address, keychain) } catch {
      guard error.isOfDamagedItem else { throw error }
      return nil
    }
  }

  /// Returns the first bytes of a preference, or `nil` for an object in Apple's UserDefaults that is no data. Others keep those
  /// there, and no master key has sealed them.
  private func beginningOfPreference(_ address: StorageAddress) throws(StorageFault) -> Data? {
    #if canImport(Darwin)
      do throws(StorageFault) { return try beginning(address, preferences) } catch {
        guard error == .corrupted else { throw error }
        return nil
      }
    #else
      return try beginning(address, preferences)
    #endif
  }

  private func beginning(_ address: StorageAddress, _ store: any ValueStore) throws(StorageFault) -> Data? {
    try store.read(address, .anySize).map { Data($0.prefix(StoredValue.beginning)) }
  }
}

extension StorageAttributes {
  /// The attributes for a read of a value of any size.
  static let anySize = StorageAttributes(maxStoredSize: 1 << 30)
}

extension SealedValueScan {
  /// Returns true if backups of the device contain a value. Only files can be left out.
  func isBackedUp(_ address: StorageAddress) throws(StorageFault) -> Bool {
    #if canImport(Darwin)
      switch address.container {
      case .directory, .groupDirectory: break
      case .preferences, .groupPreferences, .keychain: return true
      }
      do {
        let url = URL(fileURLWithPath: try locations.path(of: address))
        return try url.resourceValues(forKeys: [.isExcludedFromBackupKey]).isExcludedFromBackup != true
      } catch let fault as StorageFault { throw fault } catch { throw StorageFault(foundation: error) }
    #else
      return true
    #endif
  }
}
