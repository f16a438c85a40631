import StorageVocabulary

/// What a router works with: a store for each kind of container, and the cipher.
package struct StorageServices: Sendable {
  package var preferences: any ValueStore
  package var keychain: any ValueStore
  package var files: any ValueStore
  package var encryption: EncryptionHelper
  /// Drops every key that is held in memory.
  package var lock: @Sendable () -> Void

  package init(
    preferences: any ValueStore, keychain: any ValueStore, files: any ValueStore, encryption: EncryptionHelper,
    lock: @escaping @Sendable () -> Void
  ) {
    self.preferences = preferences
    self.keychain = keychain
    self.files = files
    self.encryption = encryption
    self.lock = lock
  }

  /// The store of a container.
  func store(of container: StorageContainer) -> any ValueStore {
    switch container {
    case .preferences, .groupPreferences: preferences
    case .keychain: keychain
    case .directory, .groupDirectory: files
    }
  }
}
