import Foundation
import StorageVocabulary

extension StorageServices {
  /// The services of an app, over the folders that its configuration names.
  @Sendable package static func live(_ setup: RouterSetup) -> StorageServices {
    let locations = StorageLocations(setup.storage, setup.files)
    let preferences = UserDefaultsHelper(locations)
    let keychain = KeychainHelper(in: locations.appFolder)
    let files = FileStorageHelper(locations)
    #if os(Linux)
      let foundation = FoundationDefaults(in: locations.foundationDefaults)
    #else
      // There is one UserDefaults.
      let foundation = preferences
    #endif

    let vault = KeysetVault(configuration: setup.encryption) { (keyset) throws(StorageFault) in
      let keystore = keyset == .app ? keychain : KeychainHelper(in: try locations.keystore(of: keyset).folder)
      return LocationCheckedStore(keystore, .masterKey(setup.encryption)) { _ throws(StorageFault) in
        try locations.record("master-key", of: keyset)
      }
    }
    let encryption = EncryptionHelper(configuration: setup.encryption, vault: vault, providers: setup.providers) {
      (keyset) throws(StorageFault) in
      try SealedValueScan(
        locations, preferences: preferences, keychain: keychain, files: files,
        accessGroups: setup.encryption.masterKeyAccessGroup.map { [$0] } ?? []
      ).finds(keyset)
    }
    return StorageServices(
      preferences: preferences, keychain: keychain,
      files: LocationCheckedStore(files, .files(setup.files)) { (place) throws(StorageFault) in
        // A place that cannot be one leaves no record either.
        _ = try locations.file(of: place)
        return try locations.record("files", of: KeysetID(of: place.container))
      },
      encryption: encryption, foundation: foundation, migrationLog: migrationLogs(locations),
      syncRecords: SyncRecordFiles { (keyset) throws(StorageFault) in try locations.syncFolder(of: keyset) },
      lock: {
        encryption.lock()
        keychain.lock()
      })
  }
}

/// The log of each keyset: one object a file, since it keeps what it has read.
private func migrationLogs(
  _ locations: StorageLocations
) -> @Sendable (KeysetID) throws(StorageFault) -> any MigrationLog {
  let logs = Lock<[KeysetID: FileMigrationLog]>([:])
  return { (keyset) throws(StorageFault) in
    let log = FileMigrationLog(location: try locations.migrationLog(of: keyset))
    return logs.withLock { logs in
      logs[keyset] = logs[keyset] ?? log
      return logs[keyset] ?? log
    }
  }
}
