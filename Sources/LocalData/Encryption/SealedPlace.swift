import Foundation
import StorageVocabulary

/// The address of a stored envelope that needs a master key, or of a file that may be one and cannot be read.
struct SealedPlace: Sendable {
  let place: StoragePlace
  /// The seal in the header; `nil` if the header is damaged or unknown.
  let seal: EnvelopeHeader.Seal?
  /// The fault if a later version has written the value, the file cannot be read now, or a link has its name.
  let fault: StorageFault?

  /// A Boolean value that indicates whether a key of this app has sealed the value. Otherwise only the seal indicates it:
  /// another app of the team may have sealed it.
  let isOwn: Bool

  /// - Parameter beginning: The first bytes of a value, see ``StoredValue/beginning``.
  init?(_ place: StoragePlace, _ beginning: Data, isOwn: Bool = true) throws(StorageFault) {
    guard StoredValue.needsMasterKey(beginning) else { return nil }
    (self.place, self.isOwn, fault) = (place, isOwn, nil)
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
    at place: StoragePlace, _ beginning: Data, isOwn: Bool = true
  ) -> SealedPlace? {
    do throws(StorageFault) { return try SealedPlace(place, beginning, isOwn: isOwn) } catch {
      return SealedPlace(place, notReadable: error)
    }
  }

  init(_ place: StoragePlace, notReadable fault: StorageFault) {
    (self.place, self.fault, seal, isOwn) = (place, fault, nil, true)
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
  func places(
    of keyset: KeysetID, needsEveryGroup: Bool, except isReserved: (StoragePlace) -> Bool
  ) throws(StorageFault) -> [SealedPlace] {
    var found: [SealedPlace] = []
    func add(
      _ container: StorageContainer, _ name: String, _ beginning: Data?, isOwn: Bool = true
    ) throws(StorageFault) {
      guard let beginning else { return }
      let place = StoragePlace(container: container, name: name)
      if let sealed = SealedPlace.found(at: place, beginning, isOwn: isOwn) { found.append(sealed) }
    }
    for container in try locations.containers(of: keyset) + locations.customDirectories(of: keyset) {
      switch container {
      case .preferences, .groupPreferences:
        try naming(container) { () throws(StorageFault) in
          for name in try preferences.storedNames(in: container) {
            try add(container, name, try beginningOfPreference(StoragePlace(container: container, name: name)))
          }
        }
      case .directory, .groupDirectory:
        guard let folder = try locations.folder(of: container).open(creating: false) else { continue }
        for file in try FileScan(limit: StoredValue.beginning).files(in: folder) {
          switch file.beginning {
          case .success(let bytes): try add(container, file.name, bytes)
          case .failure(let fault):
            found.append(SealedPlace(StoragePlace(container: container, name: file.name), notReadable: fault))
          }
        }
      case .keychain: break
      }
    }
    guard keyset == .app else { return found }
    for container in try keychainContainers(needsEveryGroup: needsEveryGroup) {
      for name in try keychain.storedNames(in: container) {
        let place = StoragePlace(container: container, name: name)
        guard !isReserved(place), let isOwn = try isOwnItem(place) else { continue }
        try add(container, name, try beginningOfItem(place), isOwn: isOwn)
      }
    }
    return found
  }

  /// Returns true if an access group of a registered key has a value that this app has sealed. No value is read.
  func sharedGroupsHoldOwnValues() throws(StorageFault) -> Bool {
    #if canImport(Security)
      for group in sharedGroups() {
        do throws(StorageFault) {
          for container in try keychain.containers(in: [group]) where container.accessGroup == group {
            for name in try keychain.storedNames(in: container)
            where try isOwnItem(StoragePlace(container: container, name: name)) == true { return true }
          }
        } catch {
          // An app without the entitlement of a group has sealed nothing there.
          guard error == .missingEntitlement else { throw error }
        }
      }
    #endif
    return false
  }

  private func keychainContainers(needsEveryGroup: Bool) throws(StorageFault) -> Set<StorageContainer> {
    var found = Set(try keychain.containers(in: accessGroups))
    #if canImport(Security)
      for group in sharedGroups() {
        do throws(StorageFault) { found.formUnion(try keychain.containers(in: [group])) } catch {
          guard error == .missingEntitlement, !needsEveryGroup else { throw error }
        }
      }
    #endif
    return found
  }

  /// Returns whether this app has sealed an item, or `nil` if the attribute of the item shows that its value needs no master
  /// key. Never prompts.
  private func isOwnItem(_ place: StoragePlace) throws(StorageFault) -> Bool? {
    #if canImport(Security)
      guard let version = try keychain.version(of: place, StorageAttributes()),
        KeychainItemVersion.needsMasterKey(version)
      else { return nil }
      guard let group = place.container.accessGroup, !accessGroups.contains(group) else { return true }
      return KeychainItemVersion.isSealed(version, in: try keychain.accessGroup.name())
    #else
      return true
    #endif
  }

  /// Returns the first bytes of a keychain item, or `nil` for an item of a keystore that is damaged. No master key opens that
  /// one again.
  private func beginningOfItem(_ place: StoragePlace) throws(StorageFault) -> Data? {
    do throws(StorageFault) { return try beginning(place, keychain) } catch {
      guard error.isOfDamagedItem else { throw error }
      return nil
    }
  }

  /// Returns the first bytes of a preference, or `nil` for an object in Apple's UserDefaults that is no data. Others keep those
  /// there, and no master key has sealed them.
  private func beginningOfPreference(_ place: StoragePlace) throws(StorageFault) -> Data? {
    #if canImport(Darwin)
      do throws(StorageFault) { return try beginning(place, preferences) } catch {
        guard error == .corrupted else { throw error }
        return nil
      }
    #else
      return try beginning(place, preferences)
    #endif
  }

  private func beginning(_ place: StoragePlace, _ store: any ValueStore) throws(StorageFault) -> Data? {
    try store.read(place, .anySize).map { Data($0.prefix(StoredValue.beginning)) }
  }
}

extension StorageAttributes {
  /// The attributes for a read of a value of any size.
  static let anySize = StorageAttributes(maxStoredSize: 1 << 30)
}

extension SealedValueScan {
  /// Returns true if backups of the device contain a value. Only files can be left out.
  func isBackedUp(_ place: StoragePlace) throws(StorageFault) -> Bool {
    #if canImport(Darwin)
      switch place.container {
      case .directory, .groupDirectory: break
      case .preferences, .groupPreferences, .keychain: return true
      }
      do {
        let url = URL(fileURLWithPath: try locations.path(of: place))
        return try url.resourceValues(forKeys: [.isExcludedFromBackupKey]).isExcludedFromBackup != true
      } catch let fault as StorageFault { throw fault } catch { throw StorageFault(foundation: error) }
    #else
      return true
    #endif
  }
}
