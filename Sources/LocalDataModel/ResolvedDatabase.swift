package import LocalDataVocabulary

/// A database of `databases:`.
package struct ResolvedDatabase: Sendable, Hashable {
  /// The name in the catalog.
  package var member: String
  /// The name of the file, without `.db`.
  package var name: String
  @NotCompared package var line: Int
  package var owner: String
  package var description: String
  package var access: AccessLevel
  package var domain: StorageDomain
  package var protection = Protection.untilFirstUnlock
  /// The encryption of the key that seals encrypted fields.
  package var sealing = SecurityPolicy.recommended
  package var isInBackup = true
  /// The addresses of earlier releases, the latest one first.
  package var movedFrom: [Address] = []

  package struct Address: Sendable, Hashable {
    package var name: String
    package var domain: StorageDomain

    package init(name: String, domain: StorageDomain) {
      self.name = name
      self.domain = domain
    }
  }

  package typealias Protection = StorageFileProtection

  /// The name of the emitted type, for example `WalletDatabase`.
  package var typeName: String { Self.typeName(of: member) }

  package static func typeName(of member: String) -> String {
    member.prefix(1).uppercased() + member.dropFirst() + "Database"
  }

  package init(
    member: String, name: String, line: Int, owner: String, description: String, access: AccessLevel,
    domain: StorageDomain
  ) {
    self.member = member
    self.name = name
    self.line = line
    self.owner = owner
    self.description = description
    self.access = access
    self.domain = domain
  }
}
