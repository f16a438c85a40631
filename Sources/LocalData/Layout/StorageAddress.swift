package import StorageVocabulary

/// The address of one value. Configured defaults are filled in, so that two keys with the same address have the same value.
package struct StorageAddress: Hashable, Sendable {
  package var container: StorageContainer
  /// The stored name as declared, not yet a file name.
  package var name: String

  package init(container: StorageContainer, name: String) {
    self.container = container
    self.name = name
  }

  /// Creates an address that represents all values of a container.
  init(allOf container: StorageContainer) { self.init(container: container, name: "") }
}

/// A container of values: a suite, a keychain service or a folder.
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
  /// Creates the container of a domain. The configuration provides the parts that the domain does not name.
  ///
  /// - Parameter defaultAccessGroup: The app's default keychain access group. A domain that names it and one that names
  ///   none have one container.
  package init(
    _ domain: StorageDomain, _ configuration: borrowing StorageConfiguration, defaultAccessGroup: String? = nil
  ) throws(StorageFault) {
    switch domain {
    case .userDefaults(let suite): self = .preferences(suite: suite)
    case .appGroupUserDefaults(let identifier):
      self = .groupPreferences(identifier: try configuration.group(identifier))
    case .keychain(let service, let accessGroup, let synchronizable):
      let service = if let service { service } else { configuration.resolvedKeychainService }
      self = .keychain(
        service: service, accessGroup: accessGroup == defaultAccessGroup ? nil : accessGroup,
        synchronizable: synchronizable)
    case .fileSystem(let directory), .encryptedFileSystem(let directory): self = .directory(directory)
    case .appGroupFileSystem(let identifier, let directory):
      self = .groupDirectory(identifier: try configuration.group(identifier), directory)
    }
  }
}

extension StorageContainer {
  /// The keychain access group, if the container is in the keychain and names one.
  var accessGroup: String? {
    if case .keychain(_, let accessGroup, _) = self { accessGroup } else { nil }
  }
}

extension StorageConfiguration {
  /// Returns the app group that a domain names, or else the default one.
  fileprivate func group(_ identifier: String?) throws(StorageFault) -> String {
    guard let identifier = identifier ?? defaultAppGroupIdentifier else { throw .appGroupNotConfigured }
    try GroupRoots.check(identifier)
    return identifier
  }
}

extension StorageAddress {
  /// The address with a container that is not synchronizable. Whether an item is synchronizable is not part of its identity in
  /// the keystore on Linux.
  var item: StorageAddress {
    guard case .keychain(let service, let accessGroup, _) = container else { return self }
    return StorageAddress(
      container: .keychain(service: service, accessGroup: accessGroup, synchronizable: false), name: name)
  }

  /// Returns true if both addresses have the same value.
  func isSameItem(as other: StorageAddress) -> Bool {
    #if canImport(Darwin)
      // On Apple's platforms a synchronizable item and one that is not are two items.
      self == other
    #else
      item == other.item
    #endif
  }
}

/// The conditions under which a store keeps a value.
package struct StorageAttributes: Hashable, Sendable {
  /// The keychain accessibility. Other stores ignore it and the access control.
  package var accessibility: KeychainAccessibility
  package var accessControl: KeychainAccessControl?
  /// A Boolean value that indicates whether a file gets complete protection (Apple), as in `encryptedFileSystem`.
  package var isCompletelyProtected: Bool
  /// A Boolean value that indicates whether the device's backups contain the value.
  package var isBackedUp: Bool
  /// A Boolean value that indicates whether plain preferences keep the property list itself instead of its bytes, so that
  /// `@AppStorage` can read the value.
  package var isPropertyListValue: Bool
  /// A Boolean value that indicates whether plain preferences may contain the property list itself, because an earlier
  /// release may have stored it.
  package var mayBePropertyListValue: Bool
  /// A Boolean value that indicates whether an object of other code in plain preferences is read as bytes that do not decode,
  /// instead of as an error of the store.
  package var readsOtherObjects: Bool
  /// The maximum number of bytes that are read. A larger value is refused before it is loaded into memory.
  package var maxStoredSize: Int
  /// The maximum number of bytes that are read, decrypted and decoded on the thread of the caller. The default is for callers
  /// that other calls of the router wait for.
  package var maxPromptSize = 64 << 10
  /// The maximum number of bytes if only the caller waits: 1 MiB, and the bytes that an envelope adds.
  package static let largestPromptSize = (1 << 20) + (1 << 10)
  /// A Boolean value that indicates whether the bytes that are read are released soon, because they are only decrypted.
  package var areBytesTransient = false
  /// A Boolean value that indicates whether a replaced file keeps its time of modification, because the value is as old as
  /// before.
  package var keepsAge = false

  package init(
    accessibility: KeychainAccessibility = .whenUnlocked, accessControl: KeychainAccessControl? = nil,
    isCompletelyProtected: Bool = false, isBackedUp: Bool = true, isPropertyListValue: Bool = false,
    mayBePropertyListValue: Bool = false, readsOtherObjects: Bool = false, maxStoredSize: Int = 17 << 20
  ) {
    self.accessibility = accessibility
    self.accessControl = accessControl
    self.isCompletelyProtected = isCompletelyProtected
    self.isBackedUp = isBackedUp
    self.isPropertyListValue = isPropertyListValue
    self.mayBePropertyListValue = mayBePropertyListValue
    self.readsOtherObjects = readsOtherObjects
    self.maxStoredSize = maxStoredSize
  }
}

/// The keys that encrypt a container's values: the app's own, or those of an app group.
package enum KeysetID: Hashable, Sendable {
  case app
  case group(identifier: String)

  /// Creates the keyset of a container. Values in an app group are for all members of the group.
  package init(of container: StorageContainer) {
    self =
      switch container {
      case .groupPreferences(let identifier), .groupDirectory(let identifier, _): .group(identifier: identifier)
      case .preferences, .keychain, .directory: .app
      }
  }
}
