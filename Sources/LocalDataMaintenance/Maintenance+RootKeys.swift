public import Foundation
public import LocalData
import LocalDataFoundation

/// Functions for the keys that encrypt keystores (Linux).
extension Maintenance {
  /// Encrypts the root keys of keystores with the configured source instead of an earlier one. It changes the keystore of the
  /// app, and the keystores of the app groups of registered keys.
  ///
  /// ```swift
  /// try router.updateStorageConfiguration(StorageConfiguration(rootKeySource: .systemdCredential(name: "keystore")))
  /// print(try await router.maintenance.changeRootKeySource(from: .keyFile))   // 1
  /// ```
  ///
  /// The old source must still be able to give its key. Each keystore is changed in one commit. If the process is killed, a
  /// keystore is encrypted with the old source or with the new one, and the next call completes the change. A key file that is
  /// not needed any more is removed. Keys of the old source outside of the library's folders stay, because a backup may need
  /// them.
  ///
  /// To change a passphrase, register the provider of the new one for another ``KeyMaterialSource``.
  ///
  /// The root key itself does not change. Someone who has an old copy of the keystore and its old key can also decrypt later
  /// copies, until ``abandonKeystores(progress:)`` is called.
  ///
  /// - Parameters:
  ///   - old: The source that the keystores have recorded.
  ///   - progress: Called after each keystore.
  /// - Returns: The number of keystores that were changed. Keystores of the configured source are not counted.
  /// - Throws: ``StorageProblem/Code/rootKeySourceConflict`` if a keystore records neither source,
  ///   ``StorageProblem/Code/wrongRootKey`` if the old source gives a wrong key, ``StorageProblem/Code/busy`` if other processes
  ///   write or read for too long, and every other ``StorageError`` if a source cannot give its key. After an error the
  ///   remaining keystores have not changed.
  @discardableResult
  @concurrent public func changeRootKeySource(
    from old: RootKeySource, progress: @Sendable (Progress) -> Void = { _ in }
  ) async throws(StorageError) -> Int {
    let services = router.values(for: nil).services
    let keysets = router.setup.withLock(\.registry.keysets)
    var count = 0
    var done = Progress(completed: 0, total: keysets.count)
    for keyset in keysets {
      do throws(StorageProblem) {
        let isChanged = try await services.run { () throws(StorageProblem) in
          try services.changeRootKey(keyset, old)
        }
        if isChanged { count += 1 }
      } catch {
        throw StorageError(error, .keystore, .write)
      }
      done.completed += 1
      progress(done)
    }
    return count
  }

  /// Moves the keystores aside whose root key is lost. The root key is lost if the key file, the credential or the key in the
  /// keyring is missing or wrong, if the passphrase is forgotten, or if the encrypted root key is damaged.
  ///
  /// A keystore that can be opened stays. Make sure that the source is configured correctly and that a provider gives the
  /// correct passphrase: with a wrong passphrase, this function moves a usable keystore aside. The files are kept until
  /// ``removeSetAsideFiles(_:progress:)`` removes them. Their names end in `.damaged-` and an identifier.
  ///
  /// After that, the values of the keychain are absent. Calls on encrypted values throw
  /// ``StorageProblem/Code/keyMaterialMissing`` until ``abandonEncryptedData(includingDamaged:progress:)`` is called:
  ///
  /// ```swift
  /// print(try await router.maintenance.abandonKeystores())         // [file:///…/.keystore.db.damaged-…]
  /// print(try await router.maintenance.abandonEncryptedData().keys)
  /// ```
  ///
  /// - Parameter progress: Called after each keystore.
  /// - Returns: The new locations of the databases. On platforms without keystores the array is empty.
  /// - Throws: A ``StorageError`` if a keystore cannot be opened for another reason, for example ``StorageProblem/Code/locked``,
  ///   or cannot be moved. This keystore has not changed then.
  @discardableResult
  @concurrent public func abandonKeystores(
    progress: @Sendable (Progress) -> Void = { _ in }
  ) async throws(StorageError) -> [URL] {
    let services = router.values(for: nil).services
    let keysets = router.setup.withLock(\.registry.keysets)
    var files = [URL]()
    var done = Progress(completed: 0, total: keysets.count)
    for keyset in keysets {
      do throws(StorageProblem) {
        let file = try await services.run { () throws(StorageProblem) in
          try services.abandonKeystore(of: keyset)
        }
        if let file { files.append(URL(fileURLWithPath: file.path)) }
      } catch {
        throw StorageError(error, .keystore, .write)
      }
      done.completed += 1
      progress(done)
    }
    return files
  }
}

extension StorageServices {
  /// Moves a keystore aside if the key of its root key is lost. Returns the new name of the database.
  fileprivate func abandonKeystore(of keyset: KeysetID) throws(StorageProblem) -> FileLocation? {
    do throws(StorageProblem) {
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
