import StorageSystem
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
  package init(allOf container: StorageContainer) { self.init(container: container, name: "") }
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

// Names are compared by their bytes, as stores do.
extension StorageAddress {
  package static func == (one: StorageAddress, other: StorageAddress) -> Bool {
    one.name.hasSameBytes(as: other.name) && one.container == other.container
  }
}

extension StorageContainer {
  package static func == (one: StorageContainer, other: StorageContainer) -> Bool {
    switch (one, other) {
    case (.preferences(let suite), .preferences(let otherSuite)): suite.hasSameBytes(as: otherSuite)
    case (.groupPreferences(let group), .groupPreferences(let otherGroup)): group.hasSameBytes(as: otherGroup)
    case (
      .keychain(let service, let access, let isSynchronizable),
      .keychain(let otherService, let otherAccess, let isOtherSynchronizable)
    ):
      service.hasSameBytes(as: otherService) && access.hasSameBytes(as: otherAccess)
        && isSynchronizable == isOtherSynchronizable
    case (.directory(let directory), .directory(let otherDirectory)): directory == otherDirectory
    case (.groupDirectory(let group, let directory), .groupDirectory(let otherGroup, let otherDirectory)):
      group.hasSameBytes(as: otherGroup) && directory == otherDirectory
    case (.preferences, _), (.groupPreferences, _), (.keychain, _), (.directory, _), (.groupDirectory, _): false
    }
  }
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
  /// The container of the same items that are not synchronizable, see ``StorageAddress/item``.
  package var item: StorageContainer {
    guard case .keychain(let service, let accessGroup, _) = self else { return self }
    return .keychain(service: service, accessGroup: accessGroup, synchronizable: false)
  }

  /// The keychain access group, if the container is in the keychain and names one.
  var accessGroup: String? {
    if case .keychain(_, let accessGroup, _) = self { accessGroup } else { nil }
  }

  /// The keychain service, if the container is in the keychain.
  package var keychainService: String? { if case .keychain(let service, _, _) = self { service } else { nil } }

  package var isKeychain: Bool { keychainService != nil }
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
  package var item: StorageAddress { StorageAddress(container: container.item, name: name) }

  /// Returns true if both addresses have the same value.
  package func isSameItem(as other: StorageAddress) -> Bool {
    #if canImport(Darwin)
      // On Apple's platforms a synchronizable item and one that is not are two items.
      self == other
    #else
      item == other.item
    #endif
  }
}
