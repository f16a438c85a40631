import StorageVocabulary

/// What a router was told: configurations, registered keys, and what of it is in use already.
package struct RouterSetup: Sendable {
  package var storage: StorageConfiguration
  package var encryption = EncryptionConfiguration()
  package var files = FileStorageConfiguration()
  package var sync = SyncConfiguration()
  /// Shared by all copies: providers may come at any time.
  package let providers = KeyMaterialRegistry()
  var registry = KeyRegistry()
  /// The app's default keychain access group, once it was learned. Elsewhere than on Apple's platforms there is none.
  private(set) var defaultAccessGroup: String?
  var inUse: Set<Part> = []

  /// The parts that a configuration can change until they are used.
  enum Part: Sendable, Hashable {
    case storage, files, encryption
  }

  init(storage: StorageConfiguration) { self.storage = storage }

  /// Returns what the router does for a key.
  func plan(_ key: AnyStorageKey) throws(StorageError) -> KeyPlan {
    try KeyPlan(key, storage, defaultAccessGroup: defaultAccessGroup)
  }

  /// Adds the keys of a catalog, or none if one of them is refused.
  mutating func register(_ listing: KeyRegistry.Listing) throws(StorageError) {
    try registry.register(listing, storage, defaultAccessGroup: defaultAccessGroup)
  }

  /// Makes the default access group and no access group one address, also for the keys that are registered already.
  ///
  /// - Throws: ``StorageError/invalidCatalog(_:_:)`` if two of them are at one address now.
  mutating func adopt(defaultAccessGroup group: String) throws(StorageError) {
    guard group != defaultAccessGroup else { return }
    var registry = KeyRegistry()
    for listing in self.registry.listed { try registry.register(listing, storage, defaultAccessGroup: group) }
    self.registry = registry
    defaultAccessGroup = group
  }
}
