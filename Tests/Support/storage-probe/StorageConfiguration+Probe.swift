import Foundation
import LocalData

extension StorageConfiguration {
  /// Creates the configuration of an app whose folders are all in one.
  ///
  /// Calls wait up to a minute, because a test machine's disk can be slow. Tests of the deadline give `timeout`.
  static func probe(
    in folder: String, version: String? = nil, platform: StoragePlatform = .current, timeout: Duration = .seconds(60),
    rootKeySource: RootKeySource = .keyFile
  ) -> StorageConfiguration {
    StorageConfiguration(
      applicationName: "Probe", applicationVersion: version, platform: platform,
      roots: StorageRoots(below: URL(fileURLWithPath: folder)), timeout: timeout, rootKeySource: rootKeySource)
  }
}
