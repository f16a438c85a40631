import LocalDataModel
import LocalDataVocabulary

/// The definitions of the audit's schema for what keys and records have in common.
enum AuditVocabularySchema {
  private typealias Schema = JSONSchema

  static var definitions: [(name: String, schema: JSONSchema)] {
    [
      ("domain", domain), ("container", container), ("directory", directory), ("security", security),
      ("serializer", serializer),
      ("retention", retention), ("migrationStep", step), ("migrationSource", source),
      ("reservedName", reservedName),
    ]
  }

  private static func one(_ name: String, _ schema: JSONSchema) -> JSONSchema {
    .object([Schema.required(name, schema)])
  }

  private static let domain = Schema.either([
    Schema.cases(of: StorageDomain.Kind.self),
    one("userDefaults", .object([Schema.required("suite", .reference("container"))])),
    one("appGroupUserDefaults", .object([Schema.required("identifier", .reference("container"))])),
    one(
      "keychain",
      .object([
        Schema.optional("service", .reference("container")),
        Schema.optional("without", .words(["service", "account"])),
        Schema.optional("accessGroup", .reference("container")), Schema.optional("synchronizable", .flag),
      ])),
    one("fileSystem", .object([Schema.required("directory", .reference("directory"))])),
    one("encryptedFileSystem", .object([Schema.required("directory", .reference("directory"))])),
    one(
      "appGroupFileSystem",
      .object([
        Schema.optional("identifier", .reference("container")), Schema.required("directory", .reference("directory")),
      ])),
  ])

  /// A name, or the name that the app gives it by.
  private static let container = Schema.either([
    .text, .object([Schema.required("configured"), Schema.optional("like")]),
  ])

  private static let directory = Schema.either([
    Schema.cases(of: FileDirectory.Kind.self), one("custom", .text),
    one("exact", Schema.cases(of: ForeignDirectory.self)),
  ])

  private static let security = Schema.either([
    .words([SecurityPolicy.none.kind.rawValue]),
    one(
      "keychain",
      .object([
        Schema.required("accessibility", Schema.cases(of: KeychainAccessibility.self)),
        Schema.optional("accessControl", Schema.cases(of: KeychainAccessControl.self)),
      ])),
    one(
      "encrypted",
      .object([
        Schema.required("algorithm", Schema.cases(of: EncryptionAlgorithm.self)),
        Schema.required(
          "keyDerivation",
          .either([.words(["hkdf"]), one("pbkdf2", .object([Schema.required("iterations", .integer)]))])),
        Schema.required("keySource", .either([.words(["masterKey"]), one("external", .text)])),
      ])),
  ])

  private static let serializer = Schema.either([Schema.cases(of: SerializerKind.Kind.self), one("custom", .text)])

  private static let retention = Schema.object([
    Schema.optional("maxAge"), Schema.optional("until", Schema.cases(of: Retention.End.self)),
    // Of records.
    Schema.optional("maxCount", .integer), Schema.optional("by"),
  ])

  private static let step = Schema.object([
    Schema.required("kind", .words(["move", "transform", "aggregate", "secureInPlace", "custom"])),
    Schema.optional("from", .list(.reference("migrationSource"))), Schema.optional("transform"),
    Schema.optional("whenAppVersion"),
    Schema.optional("onConflict", Schema.cases(of: ResolvedMigration.OnConflict.self)),
  ])

  /// A legacy key has `member`, and the names of a path in its value if one part is read; an address has `name` and `serializer`. Both are missing in place.
  private static let source = Schema.object([
    Schema.optional("member"), Schema.optional("field", .list(.text)), Schema.optional("name"), Schema.optional("type"),
    Schema.required("domain", .reference("domain")), Schema.required("security", .reference("security")),
    Schema.optional("serializer", .reference("serializer")), Schema.optional("dates", Schema.cases(of: DateForm.self)),
    Schema.optional("encoding", Schema.cases(of: ParameterEncoding.self)),
  ])

  private static let reservedName = Schema.object([
    Schema.required("name"), Schema.required("domain", .reference("domain")),
    Schema.optional("cleanup", Schema.cases(of: StorageReservedName.Cleanup.self)), Schema.optional("note"),
  ])
}
