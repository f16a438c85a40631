import Foundation

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
