import SmallFoundation
public import StorageVocabulary

/// A list of an app's keys, for registration and for audits.
public protocol StorageKeyCatalog: Sendable {
  /// The keys of the catalog.
  static var allKeys: [AnyStorageKey] { get }
  /// The families of the catalog. The default is none.
  static var allFamilies: [StorageKeyFamily] { get }
  /// The descriptors for an audit. The default is the descriptors of the keys and families.
  static var descriptors: [StorageKeyDescriptor] { get }
  /// The names that earlier releases used and that no key may use again. The default is none.
  static var reservedNames: [StorageReservedName] { get }
  /// The parts of the library that the keys of the catalog need. The default is none.
  static var features: [StorageFeature] { get }
  /// The databases of the catalog. The default is none.
  static var parts: [StorageCatalogPart] { get }
}

extension StorageKeyCatalog {
  /// No families.
  public static var allFamilies: [StorageKeyFamily] { [] }

  /// No names.
  public static var reservedNames: [StorageReservedName] { [] }

  /// No features.
  public static var features: [StorageFeature] { [] }

  /// No databases.
  public static var parts: [StorageCatalogPart] { [] }

  /// The descriptors of the keys and families.
  public static var descriptors: [StorageKeyDescriptor] {
    allKeys.map(\.descriptor) + allFamilies.map(\.descriptor)
  }
}

/// The version of the interface between generated code and the runtime.
///
/// Generated code contains the version that it was generated for. It does not compile with a runtime that no longer supports
/// this version.
@_spi(Generated) public enum GeneratedFormat: Sendable {
  case version1

  /// Returns the descriptors of a generated catalog from its JSON.
  ///
  /// If the JSON cannot be decoded, it was edited by hand. A debug build stops then. Other builds return no descriptors.
  public func descriptors(_ json: String) -> [StorageKeyDescriptor] { decode(json) }

  /// Returns the reserved names of a generated catalog from its JSON.
  public func reservedNames(_ json: String) -> [StorageReservedName] { decode(json) }

  private func decode<Row: Decodable>(_ json: String) -> [Row] {
    do {
      return try JSONDecoder().decode([Row].self, from: Data(json.utf8))
    } catch {
      assertionFailure("The generated catalog was changed by hand: \(error)")
      return []
    }
  }
}
