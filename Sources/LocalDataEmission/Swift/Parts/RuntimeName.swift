/// The names of the runtime that generated code uses. The cases of the vocabulary are not here: their raw values are used.
///
/// A rename in the runtime is a change in this file only, and a test compiles the generated code.
package enum RuntimeName {
  package static var module: StaticString { "LocalData" }
  static var syncModule: StaticString { "LocalDataSync" }
  static var recordsModule: StaticString { "LocalDataRecords" }
  static var signingModule: StaticString { "LocalDataSigning" }
  static var importModule: StaticString { "LocalDataImport" }
  static var backupModule: StaticString { "LocalDataBackup" }
  static var generatedInterface: StaticString { "@_spi(Generated) " }

  // Types.
  static var key: StaticString { "StorageKey" }
  static var keyValue: StaticString { "Value" }
  static var plainKey: StaticString { "PlainPreferenceKey" }
  static var family: StaticString { "StorageKeyFamily" }
  static var typedFamily: StaticString { "StorageFamily" }
  static var familyParameters: StaticString { "Parameters" }
  static var catalog: StaticString { "StorageKeyCatalog" }
  static var feature: StaticString { "StorageFeature" }
  static var anyKey: StaticString { "AnyStorageKey" }
  static var catalogRows: StaticString { "StorageCatalogRows" }
  package static var anyValue: StaticString { "AnyCodable" }
  package static var anyValueSample: StaticString { "AnyCodable.string(\"a\")" }
  static var migration: StaticString { "AnyStorageMigration" }
  static var simpleMigration: StaticString { "SimpleLegacyMigration" }
  static var transformingMigration: StaticString { "TransformingMigration" }
  static var aggregatingMigration: StaticString { "AggregatingMigration" }
  static var conditionalMigration: StaticString { "AppVersionConditionalMigration" }

  static var signingKey: StaticString { "StorageSigningKey" }

  // Types of records.
  static var router: StaticString { "StorageRouter" }
  static var catalogPart: StaticString { "StorageCatalogPart" }
  static var record: StaticString { "StorageRecord" }
  static var records: StaticString { "Records" }
  static var recordTransaction: StaticString { "RecordTransaction" }
  static var transactionRecords: StaticString { "TransactionRecords" }
  static var recordDatabase: StaticString { "RecordDatabase" }
  static var recordDatabaseDeclaration: StaticString { "RecordDatabaseDeclaration" }
  static var recordDeclaration: StaticString { "RecordDeclaration" }
  static var recordColumn: StaticString { "RecordColumn" }
  static var blindColumn: StaticString { "BlindColumn" }
  static var recordValue: StaticString { "RecordValue" }
  static var recordRow: StaticString { "RecordRow" }
  static var recordWriter: StaticString { "RecordWriter" }
  static var problem: StaticString { "StorageProblem" }
  static var expiringRecord: StaticString { "ExpiringRecord" }
  static var debugDescribedRecord: StaticString { "DebugDescribedRecord" }
  static var recordExpiry: StaticString { "RecordExpiry" }
  static var recordUnknownFields: StaticString { "RecordUnknownFields" }
  static var wireReader: StaticString { "WireReader" }
  static var wireWriter: StaticString { "WireWriter" }

  // Types of imports.
  static var importedTable: StaticString { "ImportedTable" }
  static var importedRow: StaticString { "ImportedRow" }
  static var importedPlace: StaticString { "ImportedPlace" }
  static var recordImport: StaticString { "RecordImport" }
  static var backup: StaticString { "StorageBackup" }

  // Types and modules that tests use.
  package static var testingModule: StaticString { "LocalDataTesting" }
  package static var testLibrary: StaticString { "Testing" }
  package static var fixtures: StaticString { "StorageFixtures" }
  package static var fixture: StaticString { "StorageFixture" }
  package static var fixtureValues: StaticString { "StorageFixtureValues" }

  // Members of a catalog.
  static var allKeys: StaticString { "allKeys" }
  static var allFamilies: StaticString { "allFamilies" }
  static var descriptors: StaticString { "descriptorRows" }
  static var reservedNames: StaticString { "reservedNameRows" }
  static var features: StaticString { "features" }
  static var syncFeature: StaticString { ".sync" }
  static var anyKeyOf: StaticString { ".key" }
  static var anySigningKeyOf: StaticString { ".signingKey" }
  static var protected: StaticString { ".protected(." }
  static var keptAtSignOut: StaticString { ".keptAtSignOut()" }

  /// The version of the interface between generated code and the runtime. The code does not compile with a runtime that
  /// no longer has this version.
  static var format: StaticString { "GeneratedFormat.version1" }
  static var rows: StaticString { ".rows" }

  // Labels of a key.
  static var defaultValue: StaticString { "default: " }
  static var availability: StaticString { "availability: ." }
  static var syncPolicy: StaticString { "syncPolicy: ." }
  static var retention: StaticString { "retention: ." }
  static var maxSize: StaticString { "maxSize: " }
  static var noBackup: StaticString { "backup: false" }
  static var legacy: StaticString { "legacy: true" }

  // Modifiers of a key.
  static var decrypted: StaticString { ".decrypted()" }
  static var onCorruption: StaticString { ".onCorruption(." }
  static var valid: StaticString { ".valid" }
  static var reading: StaticString { ".reading(Serializer<" }
  static var watched: StaticString { ".watched(by: WatchRepresentation(Serializer<" }
  static var watchTransform: StaticString { ") { try $0.map(" }
  static var migrating: StaticString { ".migrating" }
  static var upgrading: StaticString { ".upgrading(" }
  static var upgradeChain: StaticString { "by: SchemaUpgrades(" }
  static var decoding: StaticString { "decoding: ." }
  static var transform: StaticString { "by: " }
  static var then: StaticString { ").then(" }

  // Labels of a family.
  static var familyName: StaticString { "name: " }
  static var familyDomain: StaticString { "domain: " }
  static var familySecurity: StaticString { "security: " }
  static var familyMembers: StaticString { ".synced" }
  static var familyMember: StaticString { "$0" }
  static var familyMigrating: StaticString { ".migrating(from: [" }
  static var familyCustom: StaticString { ".migrating(by: " }
  static var familyParts: StaticString { ", partsOf: [" }
  static var shared: StaticString { ".shared(by: [" }
  static var imported: StaticString { ".imported()" }
  static var partOf: StaticString { "of: ." }
  static var parameterValue: StaticString { "try $0.value(of: " }

  // Labels of a migration.
  static var destinationKey: StaticString { "destinationKey: " }
  static var sourceKey: StaticString { "sourceKey: " }
  static var sources: StaticString { "from: " }
  static var function: StaticString { "by: " }
  static var removesSources: StaticString { "onConflict: .removeSource" }
  static var condition: StaticString { "condition: ." }
  static var conditional: StaticString { "migration: " }
  static var chain: StaticString { "chain: " }
  static var customFor: StaticString { "for: " }

  // Labels of domains and policies.
  static var suite: StaticString { "suite: " }
  static var identifier: StaticString { "identifier: " }
  static var service: StaticString { "service: " }
  static var accessGroup: StaticString { "accessGroup: " }
  static var configured: StaticString { "StorageDomain.configured(" }
  static var like: StaticString { ", like: " }
  static var synchronizable: StaticString { "synchronizable: true" }
  static var directory: StaticString { "directory: " }
  static var accessibility: StaticString { "accessibility: ." }
  static var accessControl: StaticString { "accessControl: ." }
  static var keyDerivation: StaticString { "keyDerivation: ." }
  static var keySource: StaticString { "keySource: ." }
  static var keyMaterial: StaticString { ".init(id: " }
  static var iterations: StaticString { "iterations: " }
  static var maxAge: StaticString { "maxAge(seconds: " }
  static var untilRelaunch: StaticString { "untilRelaunch" }
  static var untilReinstall: StaticString { "untilReinstall" }
}
