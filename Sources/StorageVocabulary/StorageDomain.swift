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
  /// The keychain: an item is found by access group, service and the key's stored name.
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
  /// A Boolean value that indicates whether values are files.
  public var isFile: Bool {
    switch self {
    case .fileSystem, .encryptedFileSystem, .appGroupFileSystem: true
    case .userDefaults, .appGroupUserDefaults, .keychain: false
    }
  }

  /// A Boolean value that indicates whether values are stored in the container of an app group.
  public var isAppGroup: Bool {
    switch self {
    case .appGroupUserDefaults, .appGroupFileSystem: true
    case .userDefaults, .keychain, .fileSystem, .encryptedFileSystem: false
    }
  }

  /// A Boolean value that indicates whether values are stored in UserDefaults, its own or that of an app group.
  package var isPreferences: Bool {
    switch self {
    case .userDefaults, .appGroupUserDefaults: true
    case .keychain, .fileSystem, .encryptedFileSystem, .appGroupFileSystem: false
    }
  }

  /// A Boolean value that indicates whether no value is stored as it is.
  package var protectsEveryValue: Bool {
    switch self {
    case .keychain, .encryptedFileSystem: true
    case .userDefaults, .appGroupUserDefaults, .fileSystem, .appGroupFileSystem: false
    }
  }

  /// The most bytes that a serialized value may have where its key does not say: 16 MiB in files, 1 MiB elsewhere.
  public var defaultMaxSize: Int { isFile ? 16 << 20 : 1 << 20 }
}
