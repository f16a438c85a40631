public import StorageVocabulary

/// The keys of an app, listed: for registration and for audits.
public protocol StorageKeyCatalog: Sendable {
  /// Every key.
  static var allKeys: [AnyStorageKey] { get }
  /// Every family; none unless said.
  static var allFamilies: [StorageKeyFamily] { get }
  /// What the audit says; made of the keys and families unless the catalog was generated.
  static var descriptors: [StorageKeyDescriptor] { get }
  /// Names that were used once; none unless said.
  static var reservedNames: [StorageReservedName] { get }
}

extension StorageKeyCatalog {
  /// None.
  public static var allFamilies: [StorageKeyFamily] { [] }

  /// None.
  public static var reservedNames: [StorageReservedName] { [] }

  /// Those of the keys and families.
  public static var descriptors: [StorageKeyDescriptor] {
    allKeys.map(\.descriptor) + allFamilies.map(\.descriptor)
  }
}
