package import LocalDataVocabulary

/// Every domain with every kind of security that it takes.
package let addresses: [(StorageDomain, SecurityPolicy)] = [
  (.userDefaults(), .none), (.userDefaults(suite: "other"), .recommended),
  (.appGroupUserDefaults(identifier: "group.tests"), .none),
  (.appGroupUserDefaults(identifier: "group.tests"), .recommended),
  (.keychain(), .keychain(accessibility: .afterFirstUnlock, accessControl: .biometryAny)),
  (.keychain(service: "s", accessGroup: "g"), .recommended),
  (.fileSystem(directory: .documents), .none), (.fileSystem(directory: .custom("a/b")), .recommended),
  (.encryptedFileSystem(directory: .applicationSupport), .encrypted(.aes256GCM())),
  (.appGroupFileSystem(identifier: "group.tests", directory: .caches), .none),
  (.appGroupFileSystem(identifier: "group.tests", directory: .custom("c")), .encrypted(.chaCha20Poly1305())),
]
