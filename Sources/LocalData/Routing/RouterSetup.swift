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
  var inUse: Set<Part> = []

  /// The parts that a configuration can change until they are used.
  enum Part: Sendable, Hashable {
    case storage, files, encryption
  }

  init(storage: StorageConfiguration) { self.storage = storage }
}
