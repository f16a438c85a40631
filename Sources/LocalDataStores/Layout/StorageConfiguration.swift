import LocalDataFoundation
public import LocalDataVocabulary

/// Information about the app, the folders of all files, and the defaults for keys.
public struct StorageConfiguration: Sendable, Hashable {
  /// The name of the app's folders on Linux. The default is the name of the executable. Other platforms use the bundle
  /// identifier, and this name only if there is none. Pass the name to the initializer: a later change of this property does
  /// not change ``roots``.
  public var applicationName: String
  /// The version of the running app, as dotted integers. If it is `nil`, the version of the bundle is used.
  /// On Linux there is none.
  public var applicationVersion: String?
  /// The platform of the process.
  public var platform: StoragePlatform
  /// The folders that contain all files.
  public var roots: StorageRoots
  /// The service of keychain keys whose domain names no service. If it is `nil`, the bundle identifier is used, and on Linux
  /// `applicationName`.
  public var defaultKeychainService: String?
  /// The access group of keychain keys whose domain names none. If it is `nil`, the system's default group of the app is used:
  /// the first one of its entitlements. It is recorded with the first item. Used on Apple's platforms only.
  public var defaultKeychainAccessGroup: String?
  /// The app group of keys whose domain names no group.
  public var defaultAppGroupIdentifier: String?
  /// The names of containers that differ by build, by the names that domains have in their place: those of suites, app groups,
  /// keychain services and access groups. Registration refuses a catalog with a name that is missing here.
  public var containers: [String: String]
  /// A Boolean value that indicates whether the use of an unregistered key stops a debug build, in addition to the error. It
  /// has no effect as long as no catalog is registered.
  public var assertsRegistration: Bool
  /// The time after which a waiting call throws ``StorageProblem/Code/busy``. A call may wait for other calls on its key, for
  /// other writers of its container, and for other processes. The default is 10 seconds.
  public var timeout: Duration
  /// The source of the key that encrypts the root keys of keystores on Linux. The default is a key file beside each keystore.
  public var rootKeySource: RootKeySource

  /// Creates a configuration. The defaults of omitted arguments come from the bundle, the process and the system.
  ///
  /// ```swift
  /// let configuration = StorageConfiguration(
  ///   applicationName: "notes", defaultAppGroupIdentifier: "group.com.example.notes", timeout: .seconds(5))
  /// ```
  ///
  /// A catalog names a container that differs by build as `{suite: {configured: statistics, like: "*.statistics"}}`. The app
  /// gives its name, for example with a prefix from its `Info.plist`:
  ///
  /// ```swift
  /// let prefix = Bundle.main.object(forInfoDictionaryKey: "StoragePrefix") as? String ?? "com.example"
  /// let configuration = StorageConfiguration(containers: ["statistics": "\(prefix).statistics"])
  /// try StorageRouter.shared.updateStorageConfiguration(configuration)
  /// ```
  ///
  /// - Parameters:
  ///   - applicationName: The name of the app's folders on Linux. The default is the name of the executable.
  ///   - applicationVersion: The version of the running app, for example `"2.1"`. If it is `nil`, the version of the bundle is
  ///     used.
  ///   - platform: The platform of the process.
  ///   - roots: The folders that contain all files. If it is `nil`, they are the standard folders of the system.
  ///   - defaultKeychainService: The service of keychain keys whose domain names no service. If it is `nil`, the bundle
  ///     identifier is used, and on Linux `applicationName`.
  ///   - defaultKeychainAccessGroup: The access group of keychain keys whose domain names none. If it is `nil`, the system's
  ///     default group of the app is used.
  ///   - defaultAppGroupIdentifier: The app group of keys whose domain names no group. If it is `nil`, these keys cannot be
  ///     used.
  ///   - containers: The names of the containers that differ by build.
  ///   - assertsRegistration: True if the use of an unregistered key stops a debug build, in addition to the error.
  ///   - timeout: The time after which a waiting call throws ``StorageProblem/Code/busy``. The default is 10 seconds.
  ///   - rootKeySource: The source of the key that encrypts the root keys of keystores on Linux. The default is a key file
  ///     beside each keystore.
  public init(
    applicationName: String? = nil, applicationVersion: String? = nil, platform: StoragePlatform = .current,
    roots: StorageRoots? = nil, defaultKeychainService: String? = nil, defaultKeychainAccessGroup: String? = nil,
    defaultAppGroupIdentifier: String? = nil, containers: [String: String] = [:], assertsRegistration: Bool = false,
    timeout: Duration = .seconds(10), rootKeySource: RootKeySource = .keyFile
  ) {
    let name = applicationName ?? ProcessInfo.processInfo.processName
    self.applicationName = name
    self.applicationVersion = applicationVersion
    self.platform = platform
    self.roots = roots ?? .standard(applicationName: name)
    self.defaultKeychainService = defaultKeychainService
    self.defaultKeychainAccessGroup = defaultKeychainAccessGroup
    self.defaultAppGroupIdentifier = defaultAppGroupIdentifier
    self.containers = containers
    self.assertsRegistration = assertsRegistration
    self.timeout = timeout
    self.rootKeySource = rootKeySource
  }
}

extension StorageConfiguration {
  /// The service of keychain keys whose domain names no service.
  package var resolvedKeychainService: String { defaultKeychainService ?? Self.bundleIdentifier ?? applicationName }

  /// The identifier of the app's bundle. Programs on Linux have no bundle.
  package static var bundleIdentifier: String? {
    #if os(Linux)
      return nil
    #else
      return Bundle.main.bundleIdentifier
    #endif
  }

  /// The running app's version, if it is known.
  package var resolvedApplicationVersion: String? {
    #if os(Linux)
      return applicationVersion
    #else
      return applicationVersion ?? Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String
    #endif
  }
}

/// The address of the master key in the keychain.
public struct EncryptionConfiguration: Sendable, Hashable {
  /// The keychain service of the master key.
  public var masterKeyService: String
  /// The keychain account of the master key.
  public var masterKeyAccount: String
  /// The number of bytes of the master key. Only 32 is accepted, which is the key length of both ciphers. With another number,
  /// calls on encrypted keys throw ``StorageProblem/Code/configurationConflict``.
  public var masterKeyLength: Int
  /// The keychain accessibility of the master key.
  public var masterKeyAccessibility: KeychainAccessibility
  /// The access group of the master key, so that extensions can share it. Used on Apple's platforms only.
  public var masterKeyAccessGroup: String?

  /// Creates a configuration. Omitted arguments have the library's defaults.
  ///
  /// - Parameters:
  ///   - masterKeyService: The keychain service of the master key.
  ///   - masterKeyAccount: The keychain account of the master key.
  ///   - masterKeyLength: The number of bytes of the master key. Only 32 is accepted.
  ///   - masterKeyAccessibility: The keychain accessibility of the master key.
  ///   - masterKeyAccessGroup: The access group of the master key on Apple's platforms. If it is `nil`, the master key is in
  ///     the app's default access group.
  public init(
    masterKeyService: String = "LocalData", masterKeyAccount: String = "MasterKey", masterKeyLength: Int = 32,
    masterKeyAccessibility: KeychainAccessibility = .afterFirstUnlock, masterKeyAccessGroup: String? = nil
  ) {
    self.masterKeyService = masterKeyService
    self.masterKeyAccount = masterKeyAccount
    self.masterKeyLength = masterKeyLength
    self.masterKeyAccessibility = masterKeyAccessibility
    self.masterKeyAccessGroup = masterKeyAccessGroup
  }
}

/// The location of the library's files in each directory.
///
/// The location is recorded with the first file. If it differs later, every call on a file throws
/// ``StorageProblem/Code/configurationConflict``, because it would find no values. To change it for stored files, move them by
/// hand:
///
/// 1. Stop every process that uses the files, extensions included. An app can do this itself, before its first use of LocalData.
/// 2. In the folders of documents, application support and caches, copy everything in the old sub-directory to the new one,
///    with the folders in it. Leave out the new sub-directory itself, and names that begin with a dot.
/// 3. Delete `.files.location` in the app's folder of data. Do this last: without it, the files in the old sub-directory are
///    absent.
/// 4. Repeat steps 2 and 3 in the folder of each app group, which contains `documents`, `support`, `caches` and its own
///    `.files.location`.
/// 5. Start the app with the new configuration, and delete the old files when it reads the values.
///
/// `Durability.md` lists the folders.
public struct FileStorageConfiguration: Sendable, Hashable {
  /// A relative path below each directory of ``StorageRoots``; `nil` for the directory itself.
  public var subDirectory: String?

  /// Creates a configuration.
  public init(subDirectory: String? = nil) { self.subDirectory = subDirectory }
}

/// The limits of values that are sent to the paired device and received from it.
public struct SyncConfiguration: Sendable, Hashable {
  /// The maximum number of bytes of a serialized value that is sent or received. The default is 100,000. All values of a
  /// payload together have at most 245,760 bytes.
  public var maxAutoSyncSize: Int

  /// Creates a configuration.
  public init(maxAutoSyncSize: Int = 100_000) { self.maxAutoSyncSize = maxAutoSyncSize }
}
