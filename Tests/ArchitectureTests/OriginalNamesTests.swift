import Testing

/// The names of the documents that the library was designed from, and what has each name's place today.
@Suite struct OriginalNamesTests {
  /// An original name with the declaration that a user finds today.
  struct Counterpart: Sendable {
    let original: String
    let declaration: String

    init(_ original: String, _ declaration: String) { (self.original, self.declaration) = (original, declaration) }
  }

  static let counterparts: [Counterpart] = [
    // Types.
    .init("StorageKey", "public struct StorageKey<"), .init("AnyStorageKey", "public struct AnyStorageKey"),
    .init("StorageKeyCatalog", "public protocol StorageKeyCatalog"),
    .init("StorageKeyDescriptor", "public struct StorageKeyDescriptor"),
    .init("StorageRouter", "public actor StorageRouter"),
    .init("StorageProviding", "public protocol StorageProviding"),
    .init("StorageDomain", "public enum StorageDomain"), .init("SecurityPolicy", "public enum SecurityPolicy"),
    .init("SecurityPolicy.EncryptionPolicy", "public struct EncryptionPolicy"),
    .init("Serializer", "public struct Serializer<"), .init("SyncPolicy", "public enum SyncPolicy"),
    .init("PlatformAvailability", "public enum PlatformAvailability"),
    .init("KeychainAccessibility", "public enum KeychainAccessibility"),
    .init("KeychainAccessControl", "public enum KeychainAccessControl"),
    .init("FileDirectory", "public enum FileDirectory"), .init("StorageError", "public struct StorageError"),
    .init("AnyCodable", "public enum AnyCodable"), .init("KeyMaterialSource", "public struct KeyMaterialSource"),
    .init("KeyMaterialProviding", "public protocol KeyMaterialProviding"),
    .init("StorageAuditReport.renderText", "public static func renderText("),
    // Configuration, synchronous since it is done in `App.init`.
    .init("StorageConfiguration", "public struct StorageConfiguration"),
    .init("EncryptionConfiguration", "public struct EncryptionConfiguration"),
    .init("FileStorageConfiguration", "public struct FileStorageConfiguration"),
    .init("SyncConfiguration", "public struct SyncConfiguration"),
    .init("updateStorageConfiguration", "public nonisolated func updateStorageConfiguration("),
    .init("updateEncryptionConfiguration", "public nonisolated func updateEncryptionConfiguration("),
    .init("updateFileStorageConfiguration", "public nonisolated func updateFileStorageConfiguration("),
    .init("updateSyncConfiguration", "public nonisolated func updateSyncConfiguration("),
    .init("registerCatalog", "public nonisolated func registerCatalog("),
    .init("registerKeyMaterialProvider", "public nonisolated func registerKeyMaterialProvider("),
    .init("KeyMaterialProviding.keyMaterial(for:)", "func keyMaterial(for keyName: String)"),
    // The verbs.
    .init("get(_:)", "public func get<Value>("), .init("set(_:for:)", "public func set<Value>("),
    .init("remove(_:)", "public func remove<Value>("), .init("exists(_:)", "public func exists<Value>("),
    // What a key says.
    .init("StorageKey.name", "public var name: String"), .init("StorageKey.domain", "public var domain: StorageDomain"),
    .init("StorageKey.security", "public var security: SecurityPolicy"),
    .init("StorageKey.serializer", "public var serializer: SerializerKind"),
    .init("StorageKey.owner", "public var owner: String?"),
    .init("StorageKey.description", "public var description: String?"),
    .init("StorageKey.availability", "public var availability: PlatformAvailability"),
    .init("StorageKey.syncPolicy", "public var syncPolicy: SyncPolicy"),
    // Migrations.
    .init("StorageMigration", "public protocol StorageMigration"),
    .init("AnyStorageMigration", "public struct AnyStorageMigration"),
    .init("SimpleLegacyMigration", "public struct SimpleLegacyMigration"),
    .init("TransformingMigration", "public struct TransformingMigration"),
    .init("AggregatingMigration", "public struct AggregatingMigration"),
    .init("AppVersionConditionalMigration", "public struct AppVersionConditionalMigration"),
    .init("MigrationContext", "public struct MigrationContext"),
    .init("MigrationResult", "public struct MigrationResult"),
    .init("forceMigration(for:)", "public func forceMigration<Value>(for "),
    .init("registerCatalog(_:migrateImmediately:)", "migrateImmediately: Bool"),
    // Helpers, which are not public: an app uses the router.
    .init("KeychainHelper", "package final class KeychainHelper"),
    .init("UserDefaultsHelper", "package final class UserDefaultsHelper"),
    .init("FileStorageHelper", "package final class FileStorageHelper"),
    .init("EncryptionHelper", "package final class EncryptionHelper"),
    .init("SyncHelper", "public struct StorageSync"),
  ]

  private static func sources() throws -> String {
    try SwiftFile.runtime.flatMap { try SwiftFile.all(in: $0) }.flatMap(\.lines).joined(separator: "\n")
  }

  @Test func everyNameHasItsCounterpart() throws {
    let sources = try Self.sources()
    for counterpart in Self.counterparts {
      #expect(
        sources.contains(counterpart.declaration), "'\(counterpart.original)' has no '\(counterpart.declaration)'")
    }
  }
}
