internal import Foundation
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

extension StoragePlatform {
  /// The platform of this process: the watch on watchOS, the phone elsewhere.
  public static var current: StoragePlatform {
    #if os(watchOS)
      .watch
    #else
      .phone
    #endif
  }
}
