package import LocalData

/// A domain with a policy. Its name describes it to a probe. These are all that probes know.
package enum ProbeAddress: String, Sendable, CaseIterable {
  case preferences, sealedPreferences, groupPreferences, keychain, files, encryptedFiles, groupFiles

  package var domain: StorageDomain {
    switch self {
    case .preferences, .sealedPreferences: .userDefaults()
    case .groupPreferences: .appGroupUserDefaults(identifier: "group.probe")
    case .keychain: .keychain()
    case .files: .fileSystem(directory: .documents)
    case .encryptedFiles: .encryptedFileSystem(directory: .documents)
    case .groupFiles: .appGroupFileSystem(identifier: "group.probe", directory: .documents)
    }
  }

  /// The domain in which a release stored plain values at the same addresses.
  var plainDomain: StorageDomain { self == .encryptedFiles ? ProbeAddress.files.domain : domain }

  package var security: SecurityPolicy {
    switch self {
    case .preferences, .files: .none
    case .keychain: .keychain()
    case .encryptedFiles: .encrypted(.aes256GCM())
    case .sealedPreferences, .groupPreferences, .groupFiles: .recommended
    }
  }
}

extension ProbeAddress {
  /// The key of a text that is kept for a year. Each place has another name.
  package var retained: StorageKey<String?> {
    StorageKey<String?>(
      name: "retained_\(rawValue)", domain: domain, security: security, owner: "Tests",
      description: "A text that is kept for a year.",
      options: StorageKeyOptions(retention: .maxAge(seconds: 365 * 86_400)))
  }
}
