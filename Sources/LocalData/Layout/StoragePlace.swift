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

extension StorageContainer {
  /// The container of a domain; what it leaves open comes from the configuration.
  ///
  /// - Parameter defaultAccessGroup: The app's default keychain access group. A domain that names it is the one that names
  ///   none: both have one address.
  package init(
    _ domain: StorageDomain, _ configuration: StorageConfiguration, defaultAccessGroup: String? = nil
  ) throws(StorageFault) {
    func group(_ identifier: String?) throws(StorageFault) -> String {
      guard let identifier = identifier ?? configuration.defaultAppGroupIdentifier else {
        throw .appGroupNotConfigured
      }
      try GroupRoots.check(identifier)
      return identifier
    }
    switch domain {
    case .userDefaults(let suite): self = .preferences(suite: suite)
    case .appGroupUserDefaults(let identifier): self = .groupPreferences(identifier: try group(identifier))
    case .keychain(let service, let accessGroup, let synchronizable):
      self = .keychain(
        service: service ?? configuration.resolvedKeychainService,
        accessGroup: accessGroup == defaultAccessGroup ? nil : accessGroup, synchronizable: synchronizable)
    case .fileSystem(let directory), .encryptedFileSystem(let directory): self = .directory(directory)
    case .appGroupFileSystem(let identifier, let directory):
      self = .groupDirectory(identifier: try group(identifier), directory)
    }
  }
}

extension StoragePlace {
  /// The place, whether synchronizable or not: in Linux's keystore that is no part of an item's identity.
  var item: StoragePlace {
    guard case .keychain(let service, let accessGroup, _) = container else { return self }
    return StoragePlace(
      container: .keychain(service: service, accessGroup: accessGroup, synchronizable: false), name: name)
  }

  /// Whether what lies at one place is what lies at the other.
  func isSameItem(as other: StoragePlace) -> Bool {
    #if canImport(Darwin)
      // There a synchronizable item lies beside one that is not.
      self == other
    #else
      item == other.item
    #endif
  }
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

/// Which keys seal a value: the app's own, or an app group's.
package enum KeysetID: Hashable, Sendable {
  case app
  case group(identifier: String)

  /// The keyset of what lies in a container: what lies in an app group is for all its members.
  package init(of container: StorageContainer) {
    self =
      switch container {
      case .groupPreferences(let identifier), .groupDirectory(let identifier, _): .group(identifier: identifier)
      case .preferences, .keychain, .directory: .app
      }
  }
}
