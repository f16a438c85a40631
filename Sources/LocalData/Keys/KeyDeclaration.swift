import LocalDataVocabulary

/// The declaration of a key, without the type of its value. It is a class, because keys are copied often.
final class KeyDeclaration: Sendable {
  let name: String
  let domain: StorageDomain
  let security: SecurityPolicy
  let availability: PlatformAvailability
  let syncPolicy: SyncPolicy
  let coding: any AnyKeyCoding
  let options: StorageKeyOptions
  /// `nil` for a generated key, whose catalog's descriptors have it.
  let owner: String?
  /// `nil` for a generated key, whose catalog's descriptors have it.
  let description: String?

  init(
    name: String, domain: StorageDomain, security: SecurityPolicy, availability: PlatformAvailability,
    syncPolicy: SyncPolicy, coding: any AnyKeyCoding, options: StorageKeyOptions, owner: String?, description: String?
  ) {
    self.name = name
    self.domain = domain
    self.security = security
    self.availability = availability
    self.syncPolicy = syncPolicy
    self.coding = coding
    self.options = options
    self.owner = owner
    self.description = description
  }

  /// Creates the declaration of a family's member by its stored name, for a value whose type is not known.
  convenience init(member name: String, of family: StorageKeyFamily) {
    self.init(
      name: name, domain: family.domain, security: family.security, availability: .all, syncPolicy: .never,
      coding: UnknownCoding(serializer: family.serializer, valueType: family.valueType),
      options: StorageKeyOptions(declaredName: family.name), owner: nil, description: nil)
  }

  /// Returns a copy with another coding or other options.
  func with(coding: any AnyKeyCoding, options: StorageKeyOptions) -> KeyDeclaration {
    KeyDeclaration(
      name: name, domain: domain, security: security, availability: availability, syncPolicy: syncPolicy,
      coding: coding, options: options, owner: owner, description: description)
  }
}
