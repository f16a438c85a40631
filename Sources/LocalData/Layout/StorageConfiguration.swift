import Foundation
public import StorageVocabulary

/// What the library cannot know of an app, and the defaults of its keys.
public struct StorageConfiguration: Sendable, Hashable {
  /// Names the app's folders on Linux; the executable's name unless set. Elsewhere the bundle says.
  public var applicationName: String
  /// The running app's version, dotted integers; asked of the bundle where this is `nil`.
  public var applicationVersion: String?
  /// What the process counts as.
  public var platform: StoragePlatform
  /// The folders that everything lies in.
  public var roots: StorageRoots
  /// The service of keychain keys that name none; the bundle's identifier, on Linux `applicationName`, where `nil`.
  public var defaultKeychainService: String?
  /// The app group of keys that name none.
  public var defaultAppGroupIdentifier: String?
  /// Whether an unregistered key also stops a debug build, once a catalog is registered.
  public var assertsRegistration: Bool

  /// A configuration; what is left out is found out.
  public init(
    applicationName: String? = nil, applicationVersion: String? = nil, platform: StoragePlatform = .current,
    roots: StorageRoots? = nil, defaultKeychainService: String? = nil, defaultAppGroupIdentifier: String? = nil,
    assertsRegistration: Bool = false
  ) {
    let name = applicationName ?? ProcessInfo.processInfo.processName
    self.applicationName = name
    self.applicationVersion = applicationVersion
    self.platform = platform
    self.roots = roots ?? .standard(applicationName: name)
    self.defaultKeychainService = defaultKeychainService
    self.defaultAppGroupIdentifier = defaultAppGroupIdentifier
    self.assertsRegistration = assertsRegistration
  }
}

extension StorageConfiguration {
  /// The service of keychain keys that name none.
  var resolvedKeychainService: String {
    if let defaultKeychainService { return defaultKeychainService }
    #if os(Linux)
      return applicationName
    #else
      return Bundle.main.bundleIdentifier ?? applicationName
    #endif
  }

  /// The running app's version, if anybody knows it.
  var resolvedApplicationVersion: String? {
    applicationVersion ?? Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String
  }
}

/// Where the master key lies in the keychain.
public struct EncryptionConfiguration: Sendable, Hashable {
  /// The keychain service of the master key.
  public var masterKeyService: String
  /// The keychain account of the master key.
  public var masterKeyAccount: String
  /// Bytes of the master key. Only 32 is taken, the key length of both ciphers.
  public var masterKeyLength: Int
  /// When the keychain gives the master key out.
  public var masterKeyAccessibility: KeychainAccessibility
  /// The access group of the master key, so that extensions can share it; on Apple only.
  public var masterKeyAccessGroup: String?

  /// A configuration; what is left out is the library's own.
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
public struct FileStorageConfiguration: Sendable, Hashable {
  /// A relative path below each directory that ``StorageRoots`` gives; `nil` for the directory itself.
  public var subDirectory: String?

  /// A configuration by its sub-directory.
  public init(subDirectory: String? = nil) { self.subDirectory = subDirectory }
}

/// Limits of what is sent to the paired device, and taken from it.
public struct SyncConfiguration: Sendable, Hashable {
  /// The most bytes of a value as serialized that is sent, by itself or when asked, and that is taken; 100,000 unless
  /// set. What is sent together has at most 245,760 bytes, whatever this says.
  public var maxAutoSyncSize: Int

  /// A configuration by its limit.
  public init(maxAutoSyncSize: Int = 100_000) { self.maxAutoSyncSize = maxAutoSyncSize }
}
