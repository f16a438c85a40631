/// A list of an app's keys, for registration and for audits.
public protocol StorageKeyCatalog: Sendable {
  /// The keys of the catalog.
  static var allKeys: [AnyStorageKey] { get }
  /// The families of the catalog. The default is none.
  static var allFamilies: [StorageKeyFamily] { get }
  /// The descriptors of a generated catalog, for audits. The default is `nil`: audits describe the keys and families.
  static var descriptorRows: StorageCatalogRows? { get }
  /// The names that earlier releases used and that no key may use again, for maintenance. The default is none.
  static var reservedNameRows: StorageCatalogRows? { get }
  /// The parts of the library that the keys of the catalog need. The default is none.
  static var features: [StorageFeature] { get }
  /// The databases of the catalog. The default is none.
  static var parts: [StorageCatalogPart] { get }
}

extension StorageKeyCatalog {
  /// No families.
  public static var allFamilies: [StorageKeyFamily] { [] }

  /// No list.
  public static var descriptorRows: StorageCatalogRows? { nil }

  /// No names.
  public static var reservedNameRows: StorageCatalogRows? { nil }

  /// No features.
  public static var features: [StorageFeature] { [] }

  /// No databases.
  public static var parts: [StorageCatalogPart] { [] }
}

/// A list of a catalog that only audits and maintenance need, as JSON. LocalDataMaintenance decodes it.
public struct StorageCatalogRows: Sendable {
  package let json: String

  package init(json: String) { self.json = json }
}

/// The version of the interface between generated code and the runtime.
///
/// Generated code contains the version that it was generated for. It does not compile with a runtime that no longer supports
/// this version.
@_spi(Generated) public enum GeneratedFormat: Sendable {
  case version1

  /// Returns a list of a generated catalog.
  public func rows(_ json: String) -> StorageCatalogRows { StorageCatalogRows(json: json) }
}
