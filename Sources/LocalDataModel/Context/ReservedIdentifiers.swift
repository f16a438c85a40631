/// Names that a catalog may not take: the one list, by what the name would name.
///
/// Swift keywords are not among them: they are emitted between backticks. These are refused by Swift even so, or would
/// shadow what emitted code says.
enum ReservedIdentifiers {
  static func contains(_ name: String, as role: Identifier.Role) -> Bool {
    switch role {
    case .member: members.contains(name)
    case .parameter: parameters.contains(name)
    case .field: fields.contains(name)
    case .enumCase: enumCases.contains(name)
    case .type: types.contains(name)
    case .catalog: catalogs.contains(name)
    case .database: types.contains(ResolvedDatabase.typeName(of: name))
    case .routerMember: name == "self" || name == "init"
    case .backup: ["self", "init", "name", "isEncrypted", "isPrivate"].contains(name)
    case .unmanaged: false
    }
  }

  /// Returns true if a path in Swift that begins so would be looked up in what is emitted around it.
  static func isEmitted(_ first: Substring) -> Bool { emitted.contains(String(first)) }

  /// Returns true if the name of a function would be looked up in the emitted function that calls it.
  static func isEmittedBesideFunctions(_ first: Substring) -> Bool { besideFunctions.contains(String(first)) }

  /// The types that are nested in an emitted catalog.
  private static let emitted: Set<String> = ["Deprecated", "KeyMigrations"]

  private static let besideFunctions: Set<String> = [
    "key", "allKeys", "allFamilies", "descriptors", "reservedNames", "descriptorRows", "reservedNameRows", "url",
    "decimal", "base64",
  ]

  /// The members of `StorageKey` and `StorageKeyFamily`, and names that Swift cannot take.
  private static let members: Set<String> = [
    "self", "init", "name", "domain", "security", "serializer", "availability", "syncPolicy", "coding", "options",
    "migration", "prose", "parameters", "hashValue", "owner", "description", "key", "family",
    "ofRelease",
  ]

  /// `inout` and `await` are read as such where an argument stands.
  private static let parameters: Set<String> = ["self", "init", "inout", "await"]

  private static let fields: Set<String> = ["self", "init", "inout", "await", "hashValue"]

  private static let enumCases: Set<String> = ["self", "init", "allCases", "rawValue", "hashValue", "codingKey"]

  private static let catalogs: Set<String> = ["StorageKey"]

  private static let types: Set<String> = emitted.union([
    // Types of LocalDataBackup.
    "BackupError", "BackupFile", "BackupKey", "BackupProgress", "InterruptedRestore", "RestorePlan", "RestorePolicy",
    "StagedRestore", "StorageBackup", "StorageBackups",
    // Types of LocalDataRecords.
    "BlindColumn", "DebugDescribedRecord", "RecordCell", "RecordColumn", "RecordDatabase", "RecordDatabaseDeclaration",
    "RecordDeclaration",
    "RecordKey", "RecordLiteral", "RecordOrder", "RecordOrderedValue", "RecordPages",
    "RecordPredicate", "RecordProtection", "RecordQuery", "RecordRow", "RecordTransaction", "RecordTransform",
    "RecordUnknownFields",
    "RecordValue", "RecordValues", "RecordWriter", "Records", "StorageCatalogPart", "StorageRecord",
    "TransactionRecords", "WireField", "WireReader", "WireWriter",
    // Swift cannot take these.
    "Type", "Protocol", "Self", "Any",
    // Types of values, and what their Swift is made of.
    "String", "Substring", "Character", "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt", "UInt8",
    "UInt16", "UInt32", "UInt64", "UInt128", "Double", "Float", "Float16", "Float80", "Data", "Date", "URL", "UUID",
    "Decimal", "Array", "Dictionary", "Set", "Optional", "Result", "Void", "Never", "AnyObject", "Range",
    "StaticString", "KeyValuePairs", "Locale",
    // What emitted types conform to, and what their code names.
    "Codable", "Encodable", "Decodable", "Sendable", "Hashable", "Equatable", "Comparable", "Identifiable", "Hasher",
    "CaseIterable", "RawRepresentable", "CodingKey", "CodingKeys", "CodingKeyRepresentable", "Encoder", "Decoder",
    "EncodingError", "DecodingError", "KeyedDecodingContainer", "KeyedEncodingContainer", "UnkeyedDecodingContainer",
    "SingleValueDecodingContainer", "CustomStringConvertible", "ExpressibleByStringLiteral", "Error", "AllCases",
    "RawValue", "Actor", "MainActor", "Task", "JSONDecoder", "JSONEncoder", "PropertyListDecoder",
    "PropertyListEncoder",
    // Modules.
    "Swift", "Foundation", "FoundationEssentials", "LocalData", "LocalDataSync", "LocalDataVocabulary",
    // The runtime and its vocabulary.
    "StorageKey", "StorageSourcePart", "StorageFieldName", "AnyStorageKey", "PlainPreferenceKey",
    "PlainPreferenceDomain", "AnyCodable", "StorageKeyCatalog",
    "StorageFeature", "StorageKeys", "StorageKeyFamily", "StorageFamily", "StorageFamilyMember", "Parameters",
    "StorageKeyDescriptor", "StorageAuditReport", "StorageRouter", "StorageProviding", "StorageError", "StorageProblem",
    "StorageRemovalError",
    "StorageProblemName", "RecordResults",
    "StorageDomain", "StoragePlatform", "StorageConfiguration", "StorageRoots", "EncryptionConfiguration",
    "EncryptionAlgorithm", "SyncConfiguration", "FileStorageConfiguration", "FileDirectory", "SecurityPolicy",
    "KeyDerivation", "KeySource", "KeyMaterialSource", "KeyMaterialProviding", "StorageKeyOptions",
    "KeychainAccessibility",
    "KeychainAccessControl", "PlatformAvailability", "SyncPolicy", "CorruptionPolicy", "DeletionPolicy", "SyncTransfer",
    "SyncTransport",
    "SyncSession", "SyncEvent", "SyncEvents", "StorageSync", "WatchRepresentation", "Sensitivity", "Retention",
    "Serializer", "DateForm",
    "SerializerKind", "CustomSerializer", "StorageKeyName", "StorageKeyParameters", "StorageReservedName",
    "StorageCatalogRows", "GeneratedFormat", "Value", "SchemaUpgrades",
    "StorageMigration", "StorageFamilyMigration", "AnyStorageMigration", "SimpleLegacyMigration",
    "TransformingMigration",
    "AggregatingMigration", "AppVersionConditionalMigration", "MigrationContext", "MigrationResult",
    "AppVersionCondition", "ConflictPolicy", "MigrationPlan", "MigrationProgress", "MigrationEvent", "Migrations",
    "ProtectionDowngrade", "Maintenance", "RootKeySource", "RootKeyService",
    "RootKeyID", "RootKeyServiceError", "Stored", "StorageValues", "StorageChanges",
    "StorageTransaction", "StorageSnapshot", "StorageLogEntry",
    // Records, and what is nested in them.
    "LocalDataSigning", "StorageSigningKey", "SigningKey", "SigningKeyInfo", "SigningPublicKey", "SigningSignature",
    "SecureEnclaveUse", "StorageSigningDescriptor",
    "LocalDataRecords", "StorageRecord", "RecordDatabase", "RecordDeclaration", "RecordDatabaseDeclaration",
    "RecordProtection", "RecordKey", "RecordValue", "RecordValues", "RecordRow", "RecordWriter",
    "RecordColumn", "BlindColumn", "RecordPredicate", "RecordOrder", "RecordQuery", "RecordResults",
    "RecordTransaction", "RecordUnknownFields", "Records", "TransactionRecords", "WireReader", "WireWriter",
    "WireField", "StorageCatalogPart", "ExpiringRecord", "RecordExpiry", "Database", "Columns", "ID",
    // Imports.
    "LocalDataImport", "ImportedTable", "ImportedRow", "ImportedPlace", "RecordImport", "RecordOpening",
    "ForeignDirectory", "ParameterEncoding", "StorageFileProtection",
    "ImportProblem", "ImportProgress", "ImportReport", "ImportSource", "ImportedForm", "ImportedValue",
    "LeftOutRow", "RouterImports",
    // What the emitted fixture tests name.
    "LocalDataTesting", "StorageFixtures", "StorageFixture", "StorageFixtureValues",
  ])
}
