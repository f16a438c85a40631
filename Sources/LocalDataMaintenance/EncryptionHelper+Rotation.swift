internal import Foundation
import LocalData

/// Changes of the set of keys. Each is one commit to the keyset's record, made while no process seals. Calls block.
extension EncryptionHelper {
  /// Reads the record of a keyset from the keychain, or returns `nil` if there is none.
  func storedRecord(of keyset: KeysetID) throws(StorageProblem) -> Keyset? { try vault.read(keyset, .masterKey) }

  /// Makes a new key the primary one, unless a rotation is unfinished. The other keys still open the values that they have
  /// sealed.
  ///
  /// - Returns: The record, or `nil` if the keyset has no master key.
  func beginRotation(of keyset: KeysetID) throws(StorageProblem) -> Keyset? {
    try change(keyset) { [randomness] record in
      if record.isRotating { return nil }
      var changed = record
      let fresh = Keyset.Key(secret: randomness.secret(Keyset.Key.count))
      changed.keys.append(fresh)
      changed.primary = fresh.id
      changed.epoch = record.epoch + 1
      changed.isRotating = true
      return changed
    }
  }

  /// Records that no value is left that another key than `primary` has sealed.
  func endRotation(of keyset: KeysetID, primary: KeyID?) throws(StorageProblem) {
    _ = try change(keyset) { record in
      // Another process may have begun the next rotation.
      guard record.isRotating, record.primary == primary else { return nil }
      var changed = record
      changed.isRotating = false
      return changed
    }
  }

  /// Removes every key but the primary one from the record, with the parameters that stretch it, and leaves no copy of the
  /// removed keys in the keystore's files.
  ///
  /// - Parameter known: The record in which the retired keys were found to be unused.
  /// - Returns: The number of removed keys.
  /// - Throws: An error if the keys or their copies cannot be removed now. The keys may be removed from the record then.
  func destroyRetiredKeys(of keyset: KeysetID, known: Keyset) throws(StorageProblem) -> Int {
    var count = 0
    _ = try change(keyset) { record in
      count = 0
      guard record.epoch == known.epoch, record.primary == known.primary, let primary = record.key(record.primary)
      else {
        return nil
      }
      var changed = record
      count = record.keys.count - 1
      changed.keys = [primary]
      changed.stretches.removeAll { $0.label != primary.id.bytes }
      changed.epoch += 1
      return count > 0 ? changed : nil
    }
    if count > 0 { try vault.purge(keyset) }
    return count
  }

  /// Writes the record of a keyset again, if there is one, with the accessibility that is configured now.
  func rewriteRecord(of keyset: KeysetID) throws(StorageProblem) {
    _ = try change(keyset) { $0 }
  }

  /// Removes the record of a provider's keys, so that the next key of the provider is recorded again.
  func forgetMaterial(of source: KeyMaterialSource, _ keyset: KeysetID) throws(StorageProblem) {
    do throws(StorageProblem) {
      guard try vault.read(keyset, .external(source)) != nil else { return }
    } catch {
      // A record that is damaged is of no use either.
      guard error == .keyMaterialDamaged else { throw error }
    }
    try vault.remove(keyset, source)
  }

  private func change(
    _ keyset: KeysetID, _ change: (Keyset) throws(StorageProblem) -> Keyset?
  ) throws(StorageProblem) -> Keyset? {
    // An update creates a keystore where there is none.
    guard try vault.read(keyset, .masterKey)?.primary != nil else { return nil }
    let record: Keyset?
    if let files {
      record = try files.lock(keyset).hold(.exclusive) { () throws(StorageProblem) in try updated(keyset, change) }
    } else {
      record = try updated(keyset, change)
    }
    forgetRecords()
    return record
  }

  private func updated(
    _ keyset: KeysetID, _ change: (Keyset) throws(StorageProblem) -> Keyset?
  ) throws(StorageProblem) -> Keyset? {
    try vault.update(keyset, .masterKey) { (record) throws(StorageProblem) in
      guard let record else { return nil }
      return try change(record)
    }
  }
}

extension Keyset {
  /// The ids of the keys that only open values, and of the keys that are stretched from them.
  var retiredIDs: Set<KeyID> { Set(keys.map(\.id) + stretches.map(\.id)).subtracting(sealingIDs) }

  /// Returns true if a header names a key of the record.
  func opens(_ seal: EnvelopeHeader.Seal) -> Bool { key(seal.keyID) != nil || stretch(seal.keyID) != nil }
}
