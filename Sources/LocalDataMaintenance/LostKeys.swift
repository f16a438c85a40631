import LocalData
import LocalDataFoundation

/// The records of keys that are lost or no longer needed.
extension KeysetVault {
  /// Moves the record of a master key to another account if it is damaged, and returns true if it was.
  func setAsideDamaged(_ keyset: KeysetID) throws(StorageProblem) -> Bool {
    let store = try opened(keyset)
    let address = address(keyset, .masterKey)
    var bytes = Data()
    defer { bytes.wipe() }
    do throws(StorageProblem) {
      guard let stored = try store.read(address, attributes) else { return false }
      bytes = stored
    } catch {
      guard isOfDamagedItem(error, at: address, in: store) else { throw error }
      try store.setAsideDamaged(address)
      return true
    }
    do throws(StorageProblem) { _ = try Keyset(bytes: bytes) } catch {
      guard error == .keyMaterialDamaged else { throw error }
      let copy = StorageAddress(
        container: address.container, name: address.name + Self.damagedInfix + UUID().uuidString)
      try opened(keyset, isWriting: true).write(bytes, to: copy, attributes)
      try store.remove(address, attributes)
      return true
    }
    return false
  }

  /// Removes the record of an external source.
  func remove(_ keyset: KeysetID, _ source: KeyMaterialSource) throws(StorageProblem) {
    try opened(keyset).remove(address(keyset, .external(source)), attributes)
  }

  /// Removes all copies of a keyset's former records.
  func purge(_ keyset: KeysetID) throws(StorageProblem) {
    try keychain(keyset).purge(address(keyset, .masterKey).container)
  }
}

extension KeysetFiles {
  /// Removes the marker that the keyset had a master key, because the values that the key has sealed were moved away.
  func unmark(_ keyset: KeysetID) throws(StorageProblem) {
    let file = try marker(keyset)
    guard let folder = try file.folder.open(creating: false) else { return }
    if try DurableWriter.remove(file.name, in: folder) { try folder.descriptor.sync() }
  }

  /// Returns the folder that keeps values whose key is lost.
  func abandoned(_ keyset: KeysetID) throws(StorageProblem) -> FolderLocation {
    var folder = try locations.keystore(of: keyset).folder
    folder.parts.append(".abandoned")
    return folder
  }
}
