package import LocalData
package import LocalDataVocabulary

extension StorageConfiguration {
  /// Creates a configuration whose calls wait for ten minutes. The suite starts more tasks than the machine has threads: a
  /// call may need a turn that an earlier task gets late. Tests of the deadline give `timeout`.
  package init(
    applicationName: String? = nil, applicationVersion: String? = nil, platform: StoragePlatform = .current,
    roots: StorageRoots? = nil, defaultKeychainService: String? = nil, defaultAppGroupIdentifier: String? = nil,
    assertsRegistration: Bool = false, rootKeySource: RootKeySource = .keyFile
  ) {
    self.init(
      applicationName: applicationName, applicationVersion: applicationVersion, platform: platform, roots: roots,
      defaultKeychainService: defaultKeychainService, defaultAppGroupIdentifier: defaultAppGroupIdentifier,
      assertsRegistration: assertsRegistration, timeout: .seconds(600), rootKeySource: rootKeySource)
  }
}
