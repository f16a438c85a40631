public import LocalData
import LocalDataFoundation
public import LocalDataAudit

extension StorageKeyCatalog {
  /// The descriptors for an audit: those of a generated catalog, or else those of the keys and families.
  ///
  /// If the list of a generated catalog cannot be decoded, it was edited by hand. A debug build stops then. Other builds return
  /// no descriptors.
  public static var descriptors: [StorageKeyDescriptor] {
    [StorageKeyDescriptor](descriptorRows, allKeys, allFamilies)
  }

  /// The names that earlier releases used and that no key may use again.
  public static var reservedNames: [StorageReservedName] { reservedNameRows?.decoded() ?? [] }
}

extension KeyRegistry.Listing {
  /// The descriptors of the catalog.
  var descriptors: [StorageKeyDescriptor] { [StorageKeyDescriptor](descriptorRows(), keys, families) }

  /// The reserved names of the catalog.
  var reservedNames: [StorageReservedName] { reservedNameRows()?.decoded() ?? [] }
}

extension [StorageKeyDescriptor] {
  fileprivate init(_ rows: StorageCatalogRows?, _ keys: [AnyStorageKey], _ families: [StorageKeyFamily]) {
    self = rows?.decoded() ?? keys.map(\.descriptor) + families.map(\.descriptor)
  }
}

extension StorageCatalogRows {
  /// Creates the list of a catalog that is written in Swift.
  ///
  /// ```swift
  /// static var reservedNameRows: StorageCatalogRows? {
  ///   StorageCatalogRows([StorageReservedName(name: "session_v0", domain: .userDefaults(), deletesLeftovers: true)])
  /// }
  /// ```
  ///
  /// - Parameter reservedNames: The names that earlier releases used and that no key may use again.
  public init(_ reservedNames: [StorageReservedName]) { self.init(rows: reservedNames) }

  package init<Row: Encodable>(rows: [Row]) {
    do {
      self.init(json: String(decoding: try JSONEncoder().encode(rows), as: UTF8.self))
    } catch {
      assertionFailure("\(Row.self) is not encoded: \(error)")
      self.init(json: "[]")
    }
  }

  fileprivate func decoded<Row: Decodable>() -> [Row] {
    do {
      return try JSONDecoder().decode([Row].self, from: Data(json.utf8))
    } catch {
      assertionFailure("The generated catalog was changed by hand: \(error)")
      return []
    }
  }
}

extension AnyStorageKey {
  /// The description of the key for an audit. The owner and description of a generated key are in its catalog's
  /// descriptors, and are empty here.
  public var descriptor: StorageKeyDescriptor {
    StorageKeyDescriptor(
      member: declaredName, name: declaredName, valueType: valueType, domain: domain,
      security: security, serializer: serializer, owner: owner ?? "", description: prose ?? "",
      availability: availability, syncPolicy: syncPolicy, retention: options.retention, maxSize: options.maxSize,
      backup: options.isBackedUp, isLegacy: options.isLegacy,
      schema: Int(schema), isDecryptedForSync: options.isDecryptedForSync, onCorruption: options.onCorruption,
      dates: coding.dates)
  }
}

extension StorageKeyFamily {
  /// The descriptor of the family for audits. For a generated family, `owner` and `description` are empty: they are in the
  /// descriptors of its catalog.
  public var descriptor: StorageKeyDescriptor {
    StorageKeyDescriptor(
      member: name, name: name, valueType: valueType, domain: domain, security: security, serializer: serializer,
      owner: owner, description: prose,
      parameters: FamilyName(name).parameters.map { .init(name: $0, type: "String") })
  }
}
