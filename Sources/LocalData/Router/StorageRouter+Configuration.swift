import LocalDataFoundation
import LocalDataStores

extension StorageRouter {
  /// Registers the keys and families of a catalog. If one of them is refused, none is registered.
  ///
  /// ```swift
  /// let router = StorageRouter.shared
  /// try router.registerCatalog(AccountCatalog.self)
  /// print(try await router.get(.theme))   // system
  /// ```
  ///
  /// From then on, calls with a key of no registered catalog throw ``StorageProblem/Code/unregistered``.
  ///
  /// - Parameter catalog: The catalog.
  /// - Throws: ``StorageProblem/Code/invalidCatalog`` if the catalog is registered already, or a key has a
  ///   ``StorageError/CatalogProblem``, for example the same address as a key of another catalog.
  ///   ``StorageProblem/Code/invalidName``, ``StorageProblem/Code/appGroupNotConfigured`` and
  ///   ``StorageProblem/Code/invalidAppGroupIdentifier`` if a key has no valid address.
  public nonisolated func registerCatalog(_ catalog: (some StorageKeyCatalog).Type) throws(StorageError) {
    let listing = KeyRegistry.Listing(catalog)
    // Two keys may name the same address in two ways. If the keychain cannot answer now, the first use of such a key checks
    // this.
    if let accessGroup, listing.namesAccessGroup { try accessGroup.learnIfPossible(setup) }
    try setup.withLock { [clock] (setup) throws(StorageError) in try setup.register(listing, clock) }
  }

  /// Sets the defaults for keys and the folders of all files.
  ///
  /// Call it before the first use of any key and the first registered catalog, for example in `App.init`:
  ///
  /// ```swift
  /// try StorageRouter.shared.updateStorageConfiguration(
  ///   StorageConfiguration(defaultAppGroupIdentifier: "group.com.example.app"))
  /// ```
  ///
  /// - Parameter configuration: The configuration, whole.
  /// - Throws: ``StorageProblem/Code/configurationConflict`` if a key was used or a catalog registered before, and
  ///   ``StorageProblem/Code/overlappingRoots`` if two of the folders contain the same files.
  public nonisolated func updateStorageConfiguration(_ configuration: StorageConfiguration) throws(StorageError) {
    guard !StorageLocations(configuration, FileStorageConfiguration()).isOverlapping else {
      throw StorageError(.overlappingRoots, .init(key: nil, domain: nil))
    }
    try setup.update(.storage, if: { $0.registry.isEmpty || $0.storage == configuration }) {
      $0.storage = configuration
    }
  }

  /// Sets the address and the accessibility of the master key.
  ///
  /// - Parameter configuration: The configuration, whole.
  /// - Throws: ``StorageProblem/Code/configurationConflict`` if a key that is encrypted was used before.
  public nonisolated func updateEncryptionConfiguration(_ configuration: EncryptionConfiguration) throws(StorageError) {
    try setup.update(.encryption) { $0.encryption = configuration }
  }

  /// Sets the sub-directory of files in the app's directories.
  ///
  /// - Parameter configuration: The configuration, whole.
  /// - Throws: ``StorageProblem/Code/configurationConflict`` if a key that is stored in a file was used before.
  public nonisolated func updateFileStorageConfiguration(
    _ configuration: FileStorageConfiguration
  ) throws(StorageError) {
    try setup.update(.files) { $0.files = configuration }
  }

  /// Sets the limits of values that are sent to the paired device. They can be changed at any time.
  ///
  /// - Parameter configuration: The configuration, whole.
  public nonisolated func updateSyncConfiguration(_ configuration: SyncConfiguration) {
    setup.withLock { $0.sync = configuration }
  }

  /// Sets the function that logs calls on this router and migrations. If it is `nil`, which is the default, nothing is logged.
  ///
  /// ```swift
  /// router.setLogger { entry in logger.debug("\(entry)") }   // get 'theme' in userDefaults: 8 bytes, 0.1 ms
  /// ```
  ///
  /// An entry contains the verb, the declared key, the number of stored bytes, the duration and the error. It never contains a
  /// value or a parameter of a family.
  ///
  /// - Parameter logger: Called at the end of each call and each migration, on any thread. It must be quick.
  public nonisolated func setLogger(_ logger: (@Sendable (StorageLogEntry) -> Void)?) { log.set(logger) }
}

extension Lock where Value == RouterSetup {
  /// Changes a part of the configuration, or throws if it is in use already, or if `isAllowed` returns false.
  fileprivate func update(
    _ part: RouterSetup.Part, if isAllowed: @Sendable (RouterSetup) -> Bool = { _ in true },
    _ change: @Sendable (inout RouterSetup) -> Void
  ) throws(StorageError) {
    guard withLock({ isAllowed($0) && $0.configure(part, change) }) else {
      throw StorageError(.configurationConflict, .init(key: nil, domain: nil))
    }
  }
}
