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

  /// Sets the defaults of domains and the folders: before the first use of any key and the first registered catalog.
  public func updateStorageConfiguration(_ configuration: StorageConfiguration) async throws(StorageError) {
    try update(.storage) { setup in
      guard setup.registry.isEmpty || setup.storage == configuration else { return false }
      setup.storage = configuration
      return true
    }
  }

  /// Sets where the master key lies: before the first use of an encrypted key.
  public func updateEncryptionConfiguration(_ configuration: EncryptionConfiguration) async throws(StorageError) {
    try update(.encryption) { setup in
      setup.encryption = configuration
      return true
    }
  }

  /// Sets how files lie in the app's directories: before the first use of a file.
  public func updateFileStorageConfiguration(_ configuration: FileStorageConfiguration) async throws(StorageError) {
    try update(.files) { setup in
      setup.files = configuration
      return true
    }
  }

  /// Sets the limits of what is sent to the paired device.
  public func updateSyncConfiguration(_ configuration: SyncConfiguration) async throws(StorageError) {
    setup.withLock { $0.sync = configuration }
  }

  private func update(
    _ part: RouterSetup.Part, _ change: @Sendable (inout RouterSetup) -> Bool
  ) throws(StorageError) {
    try setup.withLock { (setup) throws(StorageError) in
      guard !setup.inUse.contains(part), change(&setup) else {
        throw .configurationConflict(.init(key: nil, domain: nil))
      }
    }
    dropServices()
  }
}
