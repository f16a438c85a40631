import Foundation
package import LocalData
package import LocalDataVocabulary

/// A domain with a security, and the policies that its keys can have.
package struct CorruptionAddress: Sendable, CustomStringConvertible {
  package let name: String
  package let domain: StorageDomain
  package let security: SecurityPolicy

  package init(name: String, domain: StorageDomain, security: SecurityPolicy) {
    (self.name, self.domain, self.security) = (name, domain, security)
  }

  package var description: String { name }

  private static let group = "group.tests"

  package static let all: [CorruptionAddress] = [
    .init(name: "preferences", domain: .userDefaults(), security: .none),
    .init(name: "sealed preferences", domain: .userDefaults(), security: .recommended),
    .init(name: "group preferences", domain: .appGroupUserDefaults(identifier: group), security: .none),
    .init(name: "sealed group preferences", domain: .appGroupUserDefaults(identifier: group), security: .recommended),
    .init(name: "keychain", domain: .keychain(), security: .keychain()),
    .init(name: "sealed item", domain: .keychain(), security: .encrypted(.aes256GCM())),
    .init(name: "files", domain: .fileSystem(directory: .documents), security: .none),
    .init(name: "custom files", domain: .fileSystem(directory: .custom("a/b")), security: .none),
    .init(name: "encrypted files", domain: .encryptedFileSystem(directory: .documents), security: .recommended),
    .init(
      name: "group files", domain: .appGroupFileSystem(identifier: group, directory: .caches), security: .recommended),
  ]

  package static let unsecured = all.filter { $0.security == .none }
  package static let quarantining = all.filter { $0.security.kind != .keychain }
  package static let sealed = quarantining.filter { $0.security != .none }
  package static let preferences = unsecured.filter { $0.domain.kind.rawValue.hasSuffix("serDefaults") }

  /// The key of an earlier release.
  package func old(_ name: String = "value", schema: Bool = false) -> StorageKey<String?> {
    let key = StorageKey<String?>(
      name: name, domain: domain, security: security, owner: "Tests", description: "A text.")
    return schema ? key.upgrading(by: SchemaUpgrades(decoding: .json) { (number: Int) in String(number) }) : key
  }

  /// Today's key, which does not decode what the earlier release stored.
  package func key(
    _ policy: CorruptionPolicy, _ name: String = "value", maxSize: Int? = nil, declaredName: String? = nil
  ) -> StorageKey<Int> {
    StorageKey<Int>(
      name: name, domain: domain, security: security, default: 7, owner: "Tests", description: "A number.",
      options: StorageKeyOptions(declaredName: declaredName, maxSize: maxSize, onCorruption: policy))
  }

  package func optional(_ policy: CorruptionPolicy, _ name: String = "value") -> StorageKey<Int?> {
    StorageKey<Int?>(
      name: name, domain: domain, security: security, owner: "Tests", description: "A number.",
      options: StorageKeyOptions(onCorruption: policy))
  }

  package var subject: StorageError.Subject { .init(key: "value", domain: domain.kind) }
}
