import StorageVocabulary

extension StorageRouter {
  /// Adds the keys of a catalog to those that may be used. All of them, or none where one is refused.
  ///
  /// - Throws: ``StorageError/invalidCatalog(_:_:)`` where two keys share one physical place, across catalogs too, or one's
  ///   file would be a folder on the way to another's, where a hand-written key has no owner or description, and where the catalog is registered already.
  public nonisolated func registerCatalog(_ catalog: (some StorageKeyCatalog).Type) throws(StorageError) {
    let listing = KeyRegistry.Listing(catalog)
    // Two keys may name one address in two ways. If the keychain cannot answer now, the first use of such a key asks.
    if listing.namesAccessGroup { try learnAccessGroupIfPossible() }
    try setup.withLock { (setup) throws(StorageError) in try setup.register(listing) }
  }

  /// Sets the defaults of domains and the folders.
  ///
  /// Call it before the first use of any key and the first registered catalog, for example in `App.init`:
  ///
  /// ```swift
  /// try StorageRouter.shared.updateStorageConfiguration(
  ///   StorageConfiguration(defaultAppGroupIdentifier: "group.com.example.app"))
  /// ```
  ///
  /// - Parameter configuration: The configuration, whole.
  /// - Throws: ``StorageError/configurationConflict(_:)`` if a key was used or a catalog registered before.
  public nonisolated func updateStorageConfiguration(_ configuration: StorageConfiguration) throws(StorageError) {
    try update(.storage) { setup in
      guard setup.registry.isEmpty || setup.storage == configuration else { return false }
      setup.storage = configuration
      return true
    }
  }

  /// Sets where the master key is stored.
  ///
  /// - Parameter configuration: The configuration, whole.
  /// - Throws: ``StorageError/configurationConflict(_:)`` if an encrypted key was used before.
  public nonisolated func updateEncryptionConfiguration(
    _ configuration: EncryptionConfiguration
  ) throws(StorageError) {
    try update(.encryption) { setup in
      setup.encryption = configuration
      return true
    }
  }

  /// Sets where files are stored in the app's directories.
  ///
  /// - Parameter configuration: The configuration, whole.
  /// - Throws: ``StorageError/configurationConflict(_:)`` if a file was used before.
  public nonisolated func updateFileStorageConfiguration(
    _ configuration: FileStorageConfiguration
  ) throws(StorageError) {
    try update(.files) { setup in
      setup.files = configuration
      return true
    }
  }

  /// Sets the limits of what is sent to the paired device. They may change at any time.
  ///
  /// - Parameter configuration: The configuration, whole.
  public nonisolated func updateSyncConfiguration(_ configuration: SyncConfiguration) {
    setup.withLock { $0.sync = configuration }
  }

  private nonisolated func update(
    _ part: RouterSetup.Part, _ change: @Sendable (inout RouterSetup) -> Bool
  ) throws(StorageError) {
    guard setup.withLock({ $0.configure(part, change) }) else {
      throw .configurationConflict(.init(key: nil, domain: nil))
    }
  }
}
