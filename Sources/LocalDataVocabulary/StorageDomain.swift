/// The storage of a value.
///
/// If a suite, identifier or service is `nil`, the one that is configured for the whole app is used.
public enum StorageDomain: Sendable, Hashable {
  /// Preferences of the app. A `nil` suite is the app's own.
  ///
  /// Preferences are for small values. On Apple's platforms all values of a suite together have at most 3.5 MiB, and 896 KiB on
  /// watchOS, because UserDefaults loses values beyond 4 MiB, and watchOS ends the app beyond 1 MiB.
  ///
  /// A value that UserDefaults shows without storing it is not a value of the key: a default that the app has registered, a
  /// launch argument such as `-theme dark`, and a value of the user's global domain.
  case userDefaults(suite: String? = nil)
  /// Preferences that every member of an app group reads and writes. They have the limits of other preferences.
  case appGroupUserDefaults(identifier: String? = nil)
  /// The keychain: an item is found by access group, service and account, which is the key's stored name.
  ///
  /// An empty service is that of an item without a service, and an empty stored name that of an item without an account. Such items
  /// are often those of other code of the app:
  ///
  /// ```swift
  /// .keychain(service: "")   // an item that was added without kSecAttrService
  /// ```
  case keychain(service: String? = nil, accessGroup: String? = nil, synchronizable: Bool = false)
  /// A file in the app's own directories.
  case fileSystem(directory: FileDirectory)
  /// A file in the app's own directories, under complete file protection, whose value is always sealed.
  case encryptedFileSystem(directory: FileDirectory)
  /// A file in the container of an app group.
  case appGroupFileSystem(identifier: String? = nil, directory: FileDirectory)

  /// The cases without their payload.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    case userDefaults, appGroupUserDefaults, keychain, fileSystem, encryptedFileSystem, appGroupFileSystem
  }

  /// Which case this is.
  public var kind: Kind {
    switch self {
    case .userDefaults: .userDefaults
    case .appGroupUserDefaults: .appGroupUserDefaults
    case .keychain: .keychain
    case .fileSystem: .fileSystem
    case .encryptedFileSystem: .encryptedFileSystem
    case .appGroupFileSystem: .appGroupFileSystem
    }
  }
}

extension StorageDomain.Kind {
  /// The kinds of stores.
  package enum Store { case preferences, keychain, files }

  /// The properties that all domains of a kind share. The others follow from these.
  private var traits: (store: Store, isAppGroup: Bool, protectsEveryValue: Bool) {
    switch self {
    case .userDefaults: (.preferences, false, false)
    case .appGroupUserDefaults: (.preferences, true, false)
    case .keychain: (.keychain, false, true)
    case .fileSystem: (.files, false, false)
    case .encryptedFileSystem: (.files, false, true)
    case .appGroupFileSystem: (.files, true, false)
    }
  }

  /// The store that has the values.
  package var store: Store { traits.store }

  /// A Boolean value that indicates whether values are files.
  public var isFile: Bool { store == .files }

  /// A Boolean value that indicates whether values are stored in the container of an app group.
  public var isAppGroup: Bool { traits.isAppGroup }

  /// A Boolean value that indicates whether values are stored in UserDefaults, its own or that of an app group.
  package var isPreferences: Bool { store == .preferences }

  /// A Boolean value that indicates whether no value is stored as it is.
  package var protectsEveryValue: Bool { traits.protectsEveryValue }

  /// The most bytes that a serialized value may have where its key does not say: 16 MiB in files, 1 MiB elsewhere.
  public var defaultMaxSize: Int { isFile ? 16 << 20 : 1 << 20 }
}

extension StorageDomain {
  /// The parts of a domain, under the names of its fields in a catalog. Each kind has only some of them.
  package struct Fields: Sendable, Equatable {
    package var suite: String?
    package var identifier: String?
    package var service: String?
    package var accessGroup: String?
    /// `nil` means `false`.
    package var synchronizable: Bool?
    package var directory: FileDirectory?

    /// Creates fields whose suite, app group and service have the same name.
    package init(named name: String? = nil) {
      suite = name
      identifier = name
      service = name
    }

    /// The suite, the app group or the service, whichever a domain has.
    package var name: String? { suite ?? identifier ?? service }
  }

  /// The parts of the domain. `synchronizable` is `true` or `nil`.
  package var fields: Fields {
    var fields = Fields()
    switch self {
    case .userDefaults(let suite): fields.suite = suite
    case .appGroupUserDefaults(let identifier): fields.identifier = identifier
    case .keychain(let service, let accessGroup, let synchronizable):
      fields.service = service
      fields.accessGroup = accessGroup
      if synchronizable { fields.synchronizable = true }
    case .fileSystem(let directory), .encryptedFileSystem(let directory): fields.directory = directory
    case .appGroupFileSystem(let identifier, let directory):
      fields.identifier = identifier
      fields.directory = directory
    }
    return fields
  }

  /// Creates the domain of a kind. Fields that the kind does not have are ignored. The result is `nil` for a kind of file without
  /// a directory.
  package init?(_ kind: Kind, _ fields: Fields) {
    let domain: StorageDomain? =
      switch kind {
      case .userDefaults: .userDefaults(suite: fields.suite)
      case .appGroupUserDefaults: .appGroupUserDefaults(identifier: fields.identifier)
      case .keychain:
        .keychain(
          service: fields.service, accessGroup: fields.accessGroup, synchronizable: fields.synchronizable ?? false)
      case .fileSystem: fields.directory.map { .fileSystem(directory: $0) }
      case .encryptedFileSystem: fields.directory.map { .encryptedFileSystem(directory: $0) }
      case .appGroupFileSystem:
        fields.directory.map { .appGroupFileSystem(identifier: fields.identifier, directory: $0) }
      }
    guard let domain else { return nil }
    self = domain
  }
}
