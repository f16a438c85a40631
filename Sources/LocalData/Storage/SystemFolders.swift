import Foundation

/// The folders that the system gives an app, on Apple; elsewhere, and where a test injects roots, there are none.
enum SystemFolders {
  /// Where application support lies below `StorageRoots.data`, which on Apple is that folder itself.
  static func support(of configuration: StorageConfiguration) -> [String] {
    areUsed(by: configuration) ? [] : ["support"]
  }

  static func areUsed(by configuration: StorageConfiguration) -> Bool {
    #if canImport(Darwin)
      configuration.roots == .standard(applicationName: configuration.applicationName)
    #else
      false
    #endif
  }

  static func documents(of configuration: StorageConfiguration) -> FolderLocation? {
    guard areUsed(by: configuration),
      let url = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
    else { return nil }
    return FolderLocation(root: StorageRoot(url), parts: [])
  }

  static func group(_ identifier: String) -> URL? {
    #if canImport(Darwin)
      FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: identifier)
    #else
      nil
    #endif
  }
}
