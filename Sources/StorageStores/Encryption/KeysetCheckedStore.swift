package import SmallFoundation
import StorageSystem

/// A store of values that are sealed with a master key: it stores a value only if its key may seal now.
///
/// Another process may have changed the keys since the value was sealed, or the folder with the keys may have been removed.
/// The keyset's record is therefore looked at for every write, with the keyset's lock held until the value is stored.
package struct KeysetCheckedStore: ForwardingStore {
  package let base: any ValueStore
  let encryption: EncryptionHelper
  let keyset: KeysetID

  package init(base: any ValueStore, encryption: EncryptionHelper, keyset: KeysetID) {
    (self.base, self.encryption, self.keyset) = (base, encryption, keyset)
  }

  /// - Throws: ``StorageFault/busy`` if the value is sealed with a key that may not seal any more. The next sealer has the
  ///   right one.
  package func write(_ bytes: Data, to address: StorageAddress, _ attributes: StorageAttributes) throws(StorageFault) {
    try encryption.withCurrentKeys(of: keyset) { (keys) throws(StorageFault) in
      try check(bytes, try keys())
      try base.write(bytes, to: address, attributes)
    }
  }

  /// - Throws: ``StorageFault/busy`` as ``write(_:to:_:)`` does.
  package func update(
    _ address: StorageAddress, _ attributes: StorageAttributes, _ change: (Data?) throws(StorageFault) -> StorageChange
  ) throws(StorageFault) {
    try encryption.withCurrentKeys(of: keyset) { (keys) throws(StorageFault) in
      // The record of the keys may be in the same keychain as the value, and the keychain must not be read inside its own
      // update.
      let known = address.container.isKeychain ? try keys() : nil
      try base.update(address, attributes) { (stored) throws(StorageFault) in
        let change = try change(stored)
        if case .write(let bytes) = change {
          if let known { try check(bytes, known) } else { try check(bytes, try keys()) }
        }
        return change
      }
    }
  }

  fileprivate func check(_ bytes: Data, _ keys: Set<KeyID>) throws(StorageFault) {
    try encryption.check(bytes, maySealNow: keys)
  }
}

extension EncryptionHelper {
  /// - Throws: ``StorageFault/busy`` if bytes are sealed with a master key that is none of these.
  package func check(_ bytes: Data, maySealNow keys: Set<KeyID>) throws(StorageFault) {
    guard EnvelopeHeader.begins(bytes), let seal = try EnvelopeHeader.parse(bytes).seal, seal.source == .masterKey,
      !keys.contains(seal.keyID)
    else { return }
    forgetRecords()
    throw .busy
  }
}

extension KeysetCheckedStore {
  /// Makes several changes of one container together, as a store does that has several of them.
  ///
  /// - Throws: ``StorageFault/busy`` as ``write(_:to:_:)`` does.
  package func updateAll(
    _ items: [StorageItem], in container: StorageContainer, of store: any TransactingStore,
    _ change: ([Data?]) throws(StorageFault) -> [StorageChange]?
  ) throws(StorageFault) {
    try encryption.withCurrentKeys(of: keyset) { (keys) throws(StorageFault) in
      let known = container.isKeychain ? try keys() : nil
      try store.updateAll(items, in: container) { (stored) throws(StorageFault) in
        let changes = try change(stored)
        for case .write(let bytes) in changes ?? [] {
          if let known { try check(bytes, known) } else { try check(bytes, try keys()) }
        }
        return changes
      }
    }
  }
}

extension StorageContainer {
  fileprivate var isKeychain: Bool {
    if case .keychain = self { true } else { false }
  }
}
