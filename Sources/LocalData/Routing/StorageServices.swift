import StorageVocabulary

/// What a router works with: a store for each kind of container, and the cipher.
package struct StorageServices: Sendable {
  package var preferences: any ValueStore
  package var keychain: any ValueStore
  package var files: any ValueStore
  package var encryption: EncryptionHelper

  package init(
    preferences: any ValueStore, keychain: any ValueStore, files: any ValueStore, encryption: EncryptionHelper
  ) {
    self.preferences = preferences
    self.keychain = keychain
    self.files = files
    self.encryption = encryption
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
