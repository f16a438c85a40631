import LocalDataSyntax
import LocalDataVocabulary

/// The catalog language: each field of each map, described once.
///
/// The decoders take their checks and the words of their messages from these tables. The JSON Schema for editors, the
/// order of fields in `fmt`, the tables of words in the documentation and `explain` are made from them.
package enum Language {
  /// The version of the language that this tool reads.
  package static let version = "1"

  /// The word that takes back what `defaults` says.
  package static let unset = "none"
}

/// The top of a catalog on its way from nodes.
struct FileDraft: Sendable {
  var versionNode: SyntaxNode?
  var nameNode: SyntaxNode?
  var access = AccessLevel.internal
  var importsNode: SyntaxNode?
  var defaults: SyntaxNode?
  var types: SyntaxNode?
  var keys: SyntaxNode?
  var signingKeys: SyntaxNode?
  var reserved: SyntaxNode?
  var databases: SyntaxNode?
  var records: SyntaxNode?
  var sources: SyntaxNode?
  var backupFiles: SyntaxNode?
  var unmanaged: SyntaxNode?
}

/// A reserved name on its way from nodes.
struct ReservedNameDraft: Sendable {
  var nameNode: SyntaxNode?
  var domain: StorageDomain?
  /// The attribute that the item of the keychain does not have.
  var missing: ItemAttribute?
  var path: String?
  var cleanup = StorageReservedName.Cleanup.keep
  var note: String?
}

/// A reserved record on its way from nodes.
struct ReservedRecordDraft: Sendable {
  var record: String?
  var databaseNode: SyntaxNode?
  var note: String?
}

extension Language {
  /// The descriptions of the fields of a catalog.
  package static var fileEntries: [FieldEntry] { file.entries }

  /// The fields of a catalog.
  static let file = FieldTable<FileDraft>(
    "a catalog", what: "a map of the fields of a catalog", example: "localdata: 1",
    helpElsewhere: { name, value in
      value.kind == .mapping && value.fields.contains { key.position(of: $0.key) != nil }
        ? "indent '\(name)' deeper than 'keys' to make it a key" : nil
    },
    [
      Field(
        "localdata", "the version of the language", .word([version]), .required,
        "The version of the language. It comes first.", example: "1"
      ) { $0.versionNode = $1 },
      Field(
        "catalog", "the name of the catalog", .identifier, .required,
        "The name of the catalog in Swift: `Account` emits `AccountCatalog`.", example: "Account"
      ) { $0.nameNode = $1 },
      Field(
        "access", .word("a level of access"), .optional("internal"), "The access of what is emitted.",
        example: "public"
      ) { $0.access = $1 },
      Field(
        "imports", "a list of modules", .list(of: .identifier), .optional("none"),
        "Modules whose types, serializers and functions the catalog names.", example: "[AccountModels]"
      ) { $0.importsNode = $1 },
      Field(
        "defaults", "a map of fields", .record(defaults.entries.filter(\.isInheritable)), .optional("none"),
        "Fields of every key of this file that does not write them itself. `owner`, `sensitivity`, `privacy`, `tags`, `access` "
          + "and `database` are also fields of every record, `owner` and `access` of every database, and `owner`, "
          + "`sensitivity`, `privacy` and `tags` of unmanaged data.",
        example: "{owner: AccountTeam}"
      ) { $0.defaults = $1 },
      Field(
        "types", "a map of types", .map(of: .either([type.shape])), .optional("none"),
        "Enums, structs and types of the app.",
        example: "{Theme: {enum: [light, dark]}}"
      ) { $0.types = $1 },
      Field(
        "sources", "a map of sources", .map(of: importSource.shape), .optional("none"),
        "Stores of other libraries, and legacy keys with lists, whose rows become records. See `importedFrom`.",
        example: "{oldNotes: {domain: {fileSystem: {directory: documents, path: notes.sqlite}}, form: sqlite, …}}"
      ) { $0.sources = $1 },
      Field(
        "databases", "a map of databases", .map(of: database.shape), .optional("none"),
        "The databases, which contain the records. `wallet` emits the type `WalletDatabase`.",
        example: "{wallet: {domain: {fileSystem: {directory: applicationSupport}}, …}}"
      ) { $0.databases = $1 },
      Field(
        "records", "a map of records", .map(of: record.shape), .optional("none"),
        "The records. Each is emitted as a struct, and is stored as the rows of a table.",
        example: "{Credential: {fields: {id: {type: UUID, number: 1}}, …}}"
      ) { $0.records = $1 },
      Field(
        "backupFiles", "a map of backups", .map(of: backupFile.shape), .optional("none"),
        "The backups that the user keeps. `full` is used as `router.backups.export(.full, …)`.",
        example: "{full: {records: [Credential], …}}"
      ) { $0.backupFiles = $1 },
      Field(
        "keys", "a map of keys", .map(of: key.shape), .optional("none"), "The keys, at most 20,000.",
        example: "{theme: {type: String, …}}"
      ) { $0.keys = $1 },
      Field(
        "signingKeys", "a map of key pairs", .map(of: signingKey.shape), .optional("none"),
        "Key pairs that sign with ES256. The product LocalDataSigning creates and uses them.",
        example: "{binding: {secureEnclave: required, …}}"
      ) { $0.signingKeys = $1 },
      Field(
        "unmanaged", "a map of unmanaged data", .map(of: unmanaged.shape), .optional("none"),
        "Data that other code of the app stores: databases of frameworks, logs, media, identities. No code is emitted for "
          + "it. Audits contain it.",
        example: "{episodes: {domain: {fileSystem: {directory: caches, path: Episodes/}}, …}}"
      ) { $0.unmanaged = $1 },
      Field(
        "reserved", "a list of names", .list(of: .either([reservedName.shape, reservedRecord.shape])),
        .optional("none"),
        "Names that earlier releases used, and that no key or record may use again.",
        example: "[{name: session_v0, domain: userDefaults}]"
      ) { $0.reserved = $1 },
    ])

  /// The fields of a reserved name.
  static let reservedName = FieldTable<ReservedNameDraft>(
    "a reserved name", what: "a map with 'name' and 'domain'", example: "{name: session_v0, domain: userDefaults}",
    [
      Field(
        "name", "a stored name", .storedName, .optional("none: the item has no account"),
        "The name. A part between braces is any parameter of a family. It is left out only with `without: account` or with a `path`.",
        example: "session_v0"
      ) { $0.nameNode = $1 },
      Field("domain", "a storage domain", domain.shape, .required, "The domain of the name.", example: "userDefaults") {
        node, draft, context in
        let domain = context.domainDraft(node)
        draft.domain = domain?.domain
        draft.missing = domain?.missing
        draft.path = domain?.path
        return draft.domain != nil
      },
      Field(
        "cleanup", .word("a way to clean up"), .optional("keep"), "What becomes of a value that is still stored.",
        example: "delete"
      ) { $0.cleanup = $1 },
      Field("note", .prose("a note"), .optional("none"), "Why the name is reserved.", example: "Dropped in 1.4.") {
        $0.note = $1
      },
    ])

  /// The fields of a reserved record.
  static let reservedRecord = FieldTable<ReservedRecordDraft>(
    "a reserved record", what: "a map with 'record' and 'database'", example: "{record: Visit, database: wallet}",
    [
      Field(
        "record", .tableName("the stored name of a record"), .required,
        "The stored name of a record that earlier releases had. Its rows stay in the database.", example: "Visit"
      ) { $0.record = $1 },
      Field(
        "database", "the name of a database", .identifier, .required, "The database that has the rows.",
        example: "wallet"
      ) { $0.databaseNode = $1 },
      Field(
        "note", .prose("a note"), .optional("none"), "Why the record is reserved.", example: "Dropped in 1.4."
      ) { $0.note = $1 },
    ])
}
