public import Foundation
import StorageVocabulary

/// Functions for the keys that encrypt keystores (Linux).
extension Maintenance {
  /// Encrypts the root keys of keystores with the configured source instead of an earlier one: the keystore of the app, and
  /// those of the app groups of registered keys.
  ///
  /// ```swift
  /// try router.updateStorageConfiguration(StorageConfiguration(rootKeySource: .systemdCredential(name: "keystore")))
  /// print(try await router.maintenance.changeRootKeySource(from: .keyFile))   // 1
  /// ```
  ///
  /// The old source must still give its key. Each keystore is changed in one commit: if the process is killed, the old source
  /// opens it or the new one does, and another call does the rest. A key file is removed once it is not needed. Keys of the old
  /// source outside of the library's folders stay, because a backup may need them.
  ///
  /// To change a passphrase, register the provider of the new one for another ``KeyMaterialSource``.
  ///
  /// The root key itself stays the same: someone who has an old copy of the keystore and its old key can decrypt what is
  /// stored later, until ``abandonKeystores()``.
  ///
  /// - Parameter old: The source that the keystores record.
  /// - Returns: The number of keystores that were changed. Keystores of the configured source are not counted.
  /// - Throws: ``StorageError/rootKeySourceConflict(_:recorded:)`` if a keystore records neither source,
  ///   ``StorageError/wrongRootKey(_:)`` if the old source gives another key, and what keeps either source from giving one.
  ///   ``StorageError/busy(_:)`` if other processes write or read for too long. Keystores that were not reached are unchanged.
  @discardableResult
  public func changeRootKeySource(from old: RootKeySource) async throws(StorageError) -> Int {
    let services = router.values(for: nil).services
    var count = 0
    for keyset in router.setup.withLock(\.registry.keysets) {
      do throws(StorageFault) {
        let isChanged = try await services.run { () throws(StorageFault) in
          try services.changeRootKey(keyset, old)
        }
        if isChanged { count += 1 }
      } catch {
        throw StorageError(error, .keystore, limit: 0, .write)
      }
    }
    return count
  }

  /// Moves the keystores aside whose root key is lost: the key file, the credential or the keyring's key does not exist or is
  /// another one, the passphrase is forgotten, or the encrypted root key is damaged.
  ///
  /// A keystore that can be opened stays. The key of a source must therefore be configured correctly, and a provider must
  /// answer: with a mistyped passphrase, this function takes the keystore for lost. The files are kept, under names that end
  /// in `.damaged-` and an identifier, until ``removeSetAsideFiles(_:)`` removes them.
  ///
  /// The values of the keychain are absent then. Encrypted values throw ``StorageError/keyMaterialMissing(_:)`` until
  /// ``abandonEncryptedData(includingDamaged:progress:)`` was called:
  ///
  /// ```swift
  /// print(try await router.maintenance.abandonKeystores())         // [file:///…/.keystore.db.damaged-…]
  /// print(try await router.maintenance.abandonEncryptedData().keys)
  /// ```
  ///
  /// - Returns: The new names of the databases. On platforms without keystores it is empty.
  /// - Throws: What keeps a keystore from being opened for another reason, for example ``StorageError/locked(_:)``, or from being
  ///   moved. That keystore is where it was.
  @discardableResult
  public func abandonKeystores() async throws(StorageError) -> [URL] {
    let services = router.values(for: nil).services
    var files: [URL] = []
    for keyset in router.setup.withLock(\.registry.keysets) {
      do throws(StorageFault) {
        let file = try await services.run { () throws(StorageFault) in
          try services.abandonKeystore(of: keyset)
        }
        if let file { files.append(URL(fileURLWithPath: file.path)) }
      } catch {
        throw StorageError(error, .keystore, limit: 0, .write)
      }
    }
    return files
  }
}

extension StorageServices {
  /// Moves a keystore aside if the key of its root key is lost. Returns the new name of the database.
  fileprivate func abandonKeystore(of keyset: KeysetID) throws(StorageFault) -> FileLocation? {
    do throws(StorageFault) {
      try openKeystore(keyset)
      return nil
    } catch {
      guard [.wrongRootKey, .keyMaterialMissing, .keyMaterialDamaged].contains(error) else { throw error }
    }
    #if os(Linux)
      guard let locations else { return nil }
      let file = try LibraryFiles(locations: locations).setAsideKeystore(of: keyset)
      // The old root key, and the master key that it protects, are in memory.
      lock()
      return file
    #else
      return nil
    #endif
  }
}

extension StorageError.Subject {
  fileprivate static let keystore = StorageError.Subject(key: nil, domain: .keychain)
}
