public import LocalDataVocabulary

// Names of the documents that the library was designed from. The compiler says what to write in their place.

/// The namespace of keys in earlier documents.
@available(
  *, unavailable,
  message: "Declare the key in a catalog, or in an extension of StorageKey: static let token: Self = StorageKey(…)"
)
public enum StorageKeys {}

/// The audit, which is part of another product.
@available(*, unavailable, message: "Add 'import LocalDataMaintenance', the product that has the audit")
public enum StorageAuditReport {
  /// Returns no text.
  public static func renderText(for catalog: (some StorageKeyCatalog).Type) -> String { "" }
}

extension StorageDomain {
  /// The container of an app group, by its earlier name.
  @available(*, unavailable, renamed: "appGroupFileSystem(identifier:directory:)")
  public static func appGroupFileSystem(id: String?, directory: FileDirectory) -> StorageDomain {
    .appGroupFileSystem(identifier: id, directory: directory)
  }
}

extension Serializer where Value: Codable {
  /// The property list, by its earlier name.
  @available(*, unavailable, renamed: "propertyList")
  public static var plist: Self { .propertyList }
}

extension StorageRouter {
  /// Registers no catalog: its type is registered.
  @available(*, unavailable, message: "Pass the type of the catalog, for example registerCatalog(AccountCatalog.self)")
  public nonisolated func registerCatalog(_ catalog: some StorageKeyCatalog, migrateImmediately: Bool = false) {}
}

extension AnyCodable {
  /// Creates no value: a value is written as a literal or a case.
  @available(*, unavailable, message: "Write a literal, or a case with the value, for example .integer(3)")
  public init(_ value: Any) { self = .null }

  /// The value without its type.
  @available(*, unavailable, message: "Switch over the cases, for example if case .string(let text) = value")
  public var value: Any { self }
}
