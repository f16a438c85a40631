import LocalDataStores

extension StorageRouter {
  /// Creates a router that keeps all values in memory, for tests and previews. It serializes, encrypts and checks values like
  /// any other router.
  ///
  /// - Parameter configuration: The configuration. By default calls wait for up to ten minutes, because tests that run side
  ///   by side may start more tasks than the machine has threads.
  public static func inMemory(
    configuration: StorageConfiguration = StorageConfiguration(timeout: .seconds(600))
  ) -> StorageRouter {
    let memory = MemoryStore()
    let log = MigrationLog()
    let quarantine = Quarantine()
    let features = FeatureStorage()
    let records = FeatureStorage()
    return StorageRouter(configuration: configuration) { setup in
      var services = StorageServices(over: memory, setup)
      // A later change of the configuration makes the services again. They must keep the log and the other records.
      services.migrationLog = { _ in log }
      services.quarantine = quarantine
      services.features = features
      services.records = records
      return services
    }
  }
}

extension StorageServices {
  /// Creates services over one store for all containers. The store also contains the keysets of groups.
  package init(over store: any ValueStore, _ setup: RouterSetup) {
    let vault = KeysetVault(configuration: setup.encryption) { _ in store }
    let log = MigrationLog()
    let encryption = EncryptionHelper(
      configuration: setup.encryption, vault: vault, providers: setup.providers, holdsSealedValues: { _ in false })
    self.init(
      preferences: store, keychain: store, files: store, encryption: encryption, migrationLog: { _ in log },
      lock: { encryption.lock() })
  }
}
