import StorageVocabulary

/// What a router works with: a store for each kind of container, and the cipher.
package struct StorageServices: Sendable {
  package var preferences: any ValueStore
  package var keychain: any ValueStore
  package var files: any ValueStore
  package var encryption: EncryptionHelper
  /// What Foundation's own UserDefaults wrote: only read.
  package var foundation: any ValueStore
  /// What was migrated, of the app or of a group.
  package var migrationLog: @Sendable (KeysetID) throws(StorageFault) -> any MigrationLog
  /// Drops every key that is held in memory.
  package var lock: @Sendable () -> Void

  package init(
    preferences: any ValueStore, keychain: any ValueStore, files: any ValueStore, encryption: EncryptionHelper,
    foundation: any ValueStore,
    migrationLog: @escaping @Sendable (KeysetID) throws(StorageFault) -> any MigrationLog,
    lock: @escaping @Sendable () -> Void
  ) {
    self.preferences = preferences
    self.keychain = keychain
    self.files = files
    self.encryption = encryption
    self.foundation = foundation
    self.migrationLog = migrationLog
    self.lock = lock
  }

  /// The store of a container.
  func store(of plan: KeyPlan) -> any ValueStore {
    if plan.isFoundation { return foundation }
    return switch plan.place.container {
    case .preferences, .groupPreferences: preferences
    case .keychain: keychain
    case .directory, .groupDirectory: files
    }
  }
}
