package import StorageVocabulary

/// Where one value lies, with every configured default filled in: two keys of one place are one value.
package struct StoragePlace: Hashable, Sendable {
  package var container: StorageContainer
  /// The stored name as declared, not yet a file name.
  package var name: String

  package init(container: StorageContainer, name: String) {
    self.container = container
    self.name = name
  }
}

/// What holds values: a suite, a keychain service, a folder.
///
/// `fileSystem` and `encryptedFileSystem` share their folders, so they are one container here.
package enum StorageContainer: Hashable, Sendable {
  /// `suite` is `nil` for the app's own preferences.
  case preferences(suite: String?)
  case groupPreferences(identifier: String)
  case keychain(service: String, accessGroup: String?, synchronizable: Bool)
  case directory(FileDirectory)
  case groupDirectory(identifier: String, FileDirectory)
}

/// What a store needs to know of a value to keep it as its key asks.
package struct StorageAttributes: Hashable, Sendable {
  /// Conditions of the keychain; what lies elsewhere ignores them.
  package var accessibility: KeychainAccessibility
  package var accessControl: KeychainAccessControl?
  /// Whether a file gets complete protection (Apple), as on `encryptedFileSystem`.
  package var isCompletelyProtected: Bool
  /// Whether a device's backup holds it.
  package var isBackedUp: Bool
  /// Whether plain preferences keep the property list itself instead of its bytes, so that `@AppStorage` sees the value.
  package var isPropertyListValue: Bool
  /// Whether plain preferences may hold the property list itself, as the key may once have been stored.
  package var mayBePropertyListValue: Bool
  /// The most bytes that are read: a larger value is refused before it is in memory.
  package var maxStoredSize: Int

  package init(
    accessibility: KeychainAccessibility = .whenUnlocked, accessControl: KeychainAccessControl? = nil,
    isCompletelyProtected: Bool = false, isBackedUp: Bool = true, isPropertyListValue: Bool = false,
    mayBePropertyListValue: Bool = false, maxStoredSize: Int = 17 << 20
  ) {
    self.accessibility = accessibility
    self.accessControl = accessControl
    self.isCompletelyProtected = isCompletelyProtected
    self.isBackedUp = isBackedUp
    self.isPropertyListValue = isPropertyListValue
    self.mayBePropertyListValue = mayBePropertyListValue
    self.maxStoredSize = maxStoredSize
  }
}
