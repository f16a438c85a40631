import Foundation
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

/// The version of what generated code and the runtime agree on.
///
/// Generated code names the version that it was written for, so that it no longer compiles against a runtime that has
/// dropped it.
@_spi(Generated) public enum GeneratedFormat: Sendable {
  case version1

  /// The descriptors of a generated catalog, from the JSON that stands in it.
  ///
  /// A catalog is written whole by the generator; a list that does not decode was edited by hand, and is empty outside
  /// debug builds, where it stops the program.
  public func descriptors(_ json: String) -> [StorageKeyDescriptor] { decode(json) }

  /// The reserved names of a generated catalog, from the JSON that stands in it.
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

extension StorageAuditReport {
  /// The text audit of a catalog: every key it declares, whether anything is stored or not.
  ///
  ///     print(StorageAuditReport.renderText(for: AccountCatalog.self))
  public static func renderText(for catalog: (some StorageKeyCatalog).Type) -> String {
    renderText(for: catalog.descriptors, reserved: catalog.reservedNames)
  }

  /// The text audit of a catalog, and below it what was migrated on this device.
  ///
  ///     print(StorageAuditReport.renderText(for: AccountCatalog.self, history: try await router.migrations.history()))
  public static func renderText(
    for catalog: (some StorageKeyCatalog).Type, history: [MigrationRecord]
  ) -> String {
    let records = history.map { "  \($0)\n" }.joined()
    return renderText(for: catalog) + "\nMigrated on this device\n" + (records.isEmpty ? "  nothing\n" : records)
  }
}
