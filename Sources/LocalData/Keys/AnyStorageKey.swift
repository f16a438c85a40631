public import StorageVocabulary

/// A key of any value, for catalogs.
public struct AnyStorageKey: Sendable {
  /// The stored name.
  public let name: String
  /// Where it lives.
  public let domain: StorageDomain

  /// The key without the type of its value.
  public static func key<Value>(_ key: StorageKey<Value>) -> AnyStorageKey {
    AnyStorageKey(name: key.name, domain: key.domain)
  }
}
