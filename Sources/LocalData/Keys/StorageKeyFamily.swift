public import StorageVocabulary

/// A family of keys: one declaration, a value for each combination of its parameters.
public struct StorageKeyFamily: Sendable, Hashable {
  /// The stored name with `{parameter}` for each parameter.
  public let name: String
  /// Where its values live.
  public let domain: StorageDomain
  /// How they are secured.
  public let security: SecurityPolicy

  /// A family by its declaration.
  public init(name: String, domain: StorageDomain, security: SecurityPolicy = .recommended) {
    self.name = name
    self.domain = domain
    self.security = security
  }
}
