import LocalDataFoundation
import LocalDataStores

extension StorageServices {
  /// Creates the services of an app, with the folders of its configuration.
  ///
  /// If folders overlap, every call throws ``StorageProblem/overlappingRoots``. If the environment has changed since the values
  /// were stored, every call throws ``StorageProblem/locationChanged(from:)``.
  @Sendable package static func live(_ setup: RouterSetup) -> StorageServices {
    let locations = StorageLocations(setup.storage, setup.files)
    guard !locations.isOverlapping else { return refusing(setup, .overlappingRoots) }
    #if os(Linux)
      let roots = setup.storage.roots
      if let name = roots.standardName,
        let earlier = LinuxHome.earlierFolder(named: name, insteadOf: roots.dataFolder.path)
      {
        return refusing(setup, .locationChanged(from: earlier))
      }
    #endif
    let preferences = UserDefaultsHelper(locations)
    let keystores = Deferred { Keystores(locations, setup) }
    let encryption = Deferred { makeEncryption(setup, locations, preferences, keystores) }
    var services = StorageServices(
      preferences: preferences, keychain: keystores.value.app,
      files: FileStorageHelper(locations, LocationCheck(.files(setup.files), named: "files", in: locations)),
      encryption: encryption.value, migrationLog: migrationLogs(locations),
      lock: {
        encryption.value.lock()
        keystores.value.lock()
      })
    services.changeRootKey = { (keyset, old) throws(StorageProblem) in
      try keystores.value.changeRootKey(of: keyset, from: old)
    }
    services.openKeystore = { (keyset) throws(StorageProblem) in try keystores.value.keystore(of: keyset).prepare() }
    services.locations = locations
    services.features = FeatureStorage(.success(locations))
    services.records = FeatureStorage(.success(locations))
    services.quarantine = Quarantine(locations)
    services.deferredInstallation = Deferred {
      Installation(
        marker: FileLocation(folder: locations.appFolder, name: ".local-data.installed"), keychain: keystores.value.app,
        service: setup.encryption.masterKeyService,
        account: setup.encryption.masterKeyAccount + Installation.infix
          + (StorageConfiguration.bundleIdentifier ?? setup.storage.applicationName),
        accessGroup: nil)
    }
    return services
  }

  private static func makeEncryption(
    _ setup: RouterSetup, _ locations: StorageLocations, _ preferences: UserDefaultsHelper,
    _ keystores: Deferred<Keystores>
  ) -> EncryptionHelper {
    let vault = KeysetVault(
      configuration: setup.encryption,
      LocationCheck(.masterKey(setup.encryption), named: "master-key", in: locations, checksEveryWrite: true)
    ) { (keyset) throws(StorageProblem) in try keystores.value.keystore(of: keyset) }
    let scan = SealedValueScan(
      locations, preferences: preferences, keychain: keystores.value.app,
      fileLocation: .files(setup.files), accessGroups: setup.encryption.masterKeyAccessGroup.map { [$0] } ?? [],
      defaultService: setup.storage.resolvedKeychainService
    ) { [registry = setup.latestRegistry, platform = setup.storage.platform] in
      registry.withLock { $0.keychainContainers(on: platform) }
    } recordKeys: { [registry = setup.latestRegistry] database in
      registry.withLock { $0.recordKeys }?(database) ?? RefusingStore(.unregistered)
    }
    return EncryptionHelper(
      configuration: setup.encryption, vault: vault, providers: setup.providers, stretching: setup.stretching,
      files: KeysetFiles(locations), values: scan
    ) { (keyset) throws(StorageProblem) in try scan.finds(keyset) }
  }
}

extension StorageServices {
  /// Creates services that refuse every call.
  private static func refusing(_ setup: RouterSetup, _ fault: StorageProblem) -> StorageServices {
    let store = RefusingStore(fault)
    var services = StorageServices(over: store, setup)
    services.features = FeatureStorage(.failure(fault))
    services.records = FeatureStorage(.failure(fault))
    services.migrationLog = { _ throws(StorageProblem) in throw fault }
    return services
  }
}

/// Returns the log of each keyset. There is one for each file, because it caches the content of the file.
///
/// They are in a list, because they are few: the first use of a dictionary takes 0.1 ms of a launch.
private func migrationLogs(
  _ locations: StorageLocations
) -> @Sendable (KeysetID) throws(StorageProblem) -> MigrationLog {
  let logs = Lock<[(keyset: KeysetID, log: MigrationLog)]>([])
  return { (keyset) throws(StorageProblem) in
    if let known = logs.withLock({ $0.first { $0.keyset == keyset } }) { return known.log }
    let made = MigrationLog(in: try locations.migrationLog(of: keyset))
    return logs.withLock { logs in
      if let known = logs.first(where: { $0.keyset == keyset }) { return known.log }
      logs.append((keyset, made))
      return made
    }
  }
}
