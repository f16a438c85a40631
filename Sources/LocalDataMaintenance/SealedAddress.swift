import Foundation
import LocalData
import LocalDataRecordKeys

/// The address of a stored envelope that needs a master key, or of a file that may be one and cannot be read.
struct SealedAddress: Sendable {
  let address: StorageAddress
  /// The seal in the header; `nil` if the header is damaged or unknown.
  let seal: EnvelopeHeader.Seal?
  /// The fault if a later version has written the value, the file cannot be read now, or a link has its name.
  let fault: StorageProblem?

  /// A Boolean value that indicates whether a key of this app has sealed the value. Otherwise only the seal indicates it:
  /// another app of the team may have sealed it.
  let isOwn: Bool

  /// The record key that is stored here; `nil` if the address is that of a value.
  fileprivate(set) var recordKey: SealedRecordKey?

  /// - Parameter beginning: The first bytes of a value, see ``PlainEnvelope/beginning``.
  init?(_ address: StorageAddress, _ beginning: Data, isOwn: Bool = true) throws(StorageProblem) {
    guard PlainEnvelope.needsMasterKey(beginning) else { return nil }
    self.address = address
    self.isOwn = isOwn
    fault = nil
    do throws(StorageProblem) { seal = try EnvelopeHeader.parse(beginning).seal } catch {
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
    do throws(StorageProblem) { return try SealedAddress(address, beginning, isOwn: isOwn) } catch {
      return SealedAddress(address, notReadable: error)
    }
  }

  init(_ address: StorageAddress, notReadable fault: StorageProblem) {
    self.address = address
    self.fault = fault
    seal = nil
    isOwn = true
  }
}

/// A record key of a database of records. It is sealed like a value.
struct SealedRecordKey: Sendable {
  let identity: RecordKeyIdentity
  /// The store of the database's record keys.
  let store: any ValueStore

  /// Seals the rows of the database with a record key that the primary key has sealed, and removes the others. Returns false if
  /// there was nothing to do.
  func rotate(_ encryption: EncryptionHelper) async throws(StorageProblem) -> Bool {
    guard let store = store as? any RecordKeyStore else { throw .unregistered }
    return try await store.rotate(encryption)
  }
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
  ) throws(StorageProblem) -> [SealedAddress] {
    var found: [SealedAddress] = []
    try values(of: keyset) { container, value in
      guard let name = value.name else { return true }
      let address = StorageAddress(container: container, name: name)
      switch value.beginning {
      case .success(let beginning): if let sealed = SealedAddress.found(at: address, beginning) { found.append(sealed) }
      case .failure(let fault): found.append(SealedAddress(address, notReadable: fault))
      }
      return true
    }
    for database in try locations.recordDatabases(of: keyset) { found += sealedKeys(in: database) }
    guard keyset == .app else { return found }
    for container in try keychainContainers(needsEveryGroup: needsEveryGroup) {
      found += try sealedItems(in: container, except: isReserved)
    }
    return found
  }

  /// Returns the sealed record keys of a database, or the database itself if it cannot be read now.
  private func sealedKeys(in database: RecordDatabaseFile) -> [SealedAddress] {
    let store = recordKeys(database)
    do throws(StorageProblem) {
      var found: [SealedAddress] = []
      for (address, beginning) in try recordKeys(in: database) {
        guard var sealed = SealedAddress.found(at: address, beginning) else { continue }
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
  ) throws(StorageProblem) -> [SealedAddress] {
    var found: [SealedAddress] = []
    for name in try keychain.sealedNames(in: container) {
      let address = StorageAddress(container: container, name: name)
      guard !isReserved(address), let isOwn = try isOwnItem(address), let beginning = try beginningOfItem(address)
      else { continue }
      if let sealed = SealedAddress.found(at: address, beginning, isOwn: isOwn) { found.append(sealed) }
    }
    return found
  }

  private func keychainContainers(needsEveryGroup: Bool) throws(StorageProblem) -> Set<StorageContainer> {
    var found = Set(try keychain.containers(in: accessGroups))
    #if canImport(Security)
      for group in sharedGroups {
        do throws(StorageProblem) { found.formUnion(try keychain.containers(in: [group])) } catch {
          guard error == .missingEntitlement, !needsEveryGroup else { throw error }
        }
      }
    #endif
    return found
  }

  /// Returns the first bytes of a keychain item, or `nil` for an item of a keystore that is damaged. No master key opens that
  /// one again.
  private func beginningOfItem(_ address: StorageAddress) throws(StorageProblem) -> Data? {
    do throws(StorageProblem) {
      return try keychain.read(address, .anySize).map { Data($0.prefix(PlainEnvelope.beginning)) }
    } catch {
      guard error.isOfDamagedItem else { throw error }
      return nil
    }
  }
}

extension SealedValueScan {
  /// Returns true if backups of the device contain a value. Only files can be left out.
  func isBackedUp(_ address: StorageAddress) throws(StorageProblem) -> Bool {
    #if canImport(Darwin)
      guard address.container.store == .files else { return true }
      do {
        let url = URL(fileURLWithPath: try locations.path(of: address))
        return try url.resourceValues(forKeys: [.isExcludedFromBackupKey]).isExcludedFromBackup != true
      } catch let fault as StorageProblem { throw fault } catch { throw StorageProblem(foundation: error) }
    #else
      return true
    #endif
  }
}
