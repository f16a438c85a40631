import LocalDataSystem
package import LocalDataVocabulary

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

// Names are compared by their bytes, as stores do.
extension StorageAddress {
  package static func == (one: StorageAddress, other: StorageAddress) -> Bool {
    one.name.hasSameBytes(as: other.name) && one.container == other.container
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

/// A container of values: a suite, a keychain service or a folder.
package struct StorageContainer: Hashable, Sendable {
  /// The domain of the values, with the app group and the service that the configuration provides.
  ///
  /// `fileSystem` and `encryptedFileSystem` share their folders, so they are one container, which has the domain `fileSystem`.
  package let domain: StorageDomain

  /// The store that has the values.
  package var store: StorageDomain.Kind.Store { domain.kind.store }

  /// The kinds of the domains whose values the container has. The one that protects its values more comes first.
  package var kinds: [StorageDomain.Kind] {
    StorageDomain.Kind.allCases.reversed().filter { $0.containerName == domain.kind.containerName }
  }

  /// The keychain access group, if the container is in the keychain and names one.
  var accessGroup: String? { if case .keychain(_, let group, _) = domain { group } else { nil } }

  /// The keychain service, if the container is in the keychain.
  package var keychainService: String? { if case .keychain(let service, _, _) = domain { service } else { nil } }

  /// The container of the same items that are not synchronizable, see ``StorageAddress/item``.
  package var item: StorageContainer {
    guard case .keychain(let service, let accessGroup, true) = domain else { return self }
    return StorageContainer(domain: .keychain(service: service, accessGroup: accessGroup))
  }
}

extension StorageDomain.Kind {
  /// The name of the containers of the kind in stored bytes.
  package var containerName: String {
    switch self {
    case .userDefaults: "preferences"
    case .appGroupUserDefaults: "groupPreferences"
    case .keychain: "keychain"
    case .fileSystem, .encryptedFileSystem: "directory"
    case .appGroupFileSystem: "groupDirectory"
    }
  }
}

extension StorageContainer {
  /// Creates the container of a domain. The configuration provides the parts that the domain does not name, and those that it
  /// names by ``StorageDomain/configured(_:like:)``.
  ///
  /// - Parameter defaultAccessGroup: The app's default keychain access group. A domain that names it and one that names
  ///   none have one container.
  package init(
    _ domain: StorageDomain, _ configuration: borrowing StorageConfiguration, defaultAccessGroup: String? = nil
  ) throws(StorageProblem) {
    switch domain {
    case .userDefaults(let suite): self = .preferences(suite: try configuration.container(suite))
    case .fileSystem: self.domain = domain
    case .appGroupUserDefaults(let identifier):
      self = .groupPreferences(identifier: try configuration.group(identifier))
    case .keychain(let service, let accessGroup, let synchronizable):
      let named = try configuration.container(service)
      let service = if let named { named } else { configuration.resolvedKeychainService }
      let accessGroup = try configuration.container(accessGroup)
      self = .keychain(
        service: service, accessGroup: accessGroup == defaultAccessGroup ? nil : accessGroup,
        synchronizable: synchronizable)
    case .encryptedFileSystem(let directory): self = .directory(directory)
    case .appGroupFileSystem(let identifier, let directory):
      self = .groupDirectory(identifier: try configuration.group(identifier), directory)
    }
  }

  /// Creates the container of fields that were stored, or returns `nil` if its kind is unknown or a part of it is missing.
  ///
  /// - Parameter name: The name of its kind, see ``StorageDomain/Kind/containerName``.
  package init?(_ name: String, _ fields: StorageDomain.Fields) {
    guard let kind = StorageDomain.Kind.allCases.first(where: { $0.containerName == name }),
      let domain = StorageDomain(kind, fields),
      fields.name != nil || !kind.isAppGroup && kind.store != .keychain
    else { return nil }
    self.domain = domain
  }

  /// `suite` is `nil` for the app's own preferences.
  package static func preferences(suite: String?) -> Self { Self(domain: .userDefaults(suite: suite)) }

  package static func groupPreferences(identifier: String) -> Self {
    Self(domain: .appGroupUserDefaults(identifier: identifier))
  }

  package static func keychain(service: String, accessGroup: String?, synchronizable: Bool) -> Self {
    Self(domain: .keychain(service: service, accessGroup: accessGroup, synchronizable: synchronizable))
  }

  package static func directory(_ directory: FileDirectory) -> Self { Self(domain: .fileSystem(directory: directory)) }

  package static func groupDirectory(identifier: String, _ directory: FileDirectory) -> Self {
    Self(domain: .appGroupFileSystem(identifier: identifier, directory: directory))
  }
}

extension StorageConfiguration {
  /// Returns the name of a container: the text itself, or the name that the app gives for it.
  ///
  /// - Throws: ``StorageProblem/Code/invalidName`` if the app gives no name, or one of another form.
  fileprivate func container(_ text: String?) throws(StorageProblem) -> String? {
    guard let configured = ConfiguredName(text: text) else { return text }
    guard let given = containers[configured.name], configured.accepts(given) else {
      throw .unnamedContainer(configured)
    }
    return given
  }

  /// The configured access group of keychain keys whose domain names none. There are no access groups on Linux.
  package var resolvedAccessGroup: String? {
    #if os(Linux)
      return nil
    #else
      return defaultKeychainAccessGroup
    #endif
  }

  /// Returns the app group that a domain names, or else the default one.
  package func group(_ identifier: String?) throws(StorageProblem) -> String {
    guard let identifier = try container(identifier) ?? defaultAppGroupIdentifier else { throw .appGroupNotConfigured }
    try GroupRoots.check(identifier)
    return identifier
  }
}

/// The keys that encrypt a container's values: the app's own, or those of an app group.
package enum KeysetID: Hashable, Sendable {
  case app
  case group(identifier: String)

  /// Creates the keyset of a container. Values in an app group are for all members of the group.
  package init(of container: StorageContainer) {
    let group = container.domain.kind.isAppGroup ? container.domain.fields.identifier : nil
    self = group.map { .group(identifier: $0) } ?? .app
  }

  /// The identifier of the app group, or `nil` for the keys of the app.
  package var group: String? { if case .group(let identifier) = self { identifier } else { nil } }

  /// Returns the container of a directory of the app or of the group.
  func container(_ directory: FileDirectory) -> StorageContainer {
    group.map { .groupDirectory(identifier: $0, directory) } ?? .directory(directory)
  }
}
