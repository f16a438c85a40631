import CatalogModel
import StorageVocabulary

/// The definitions of the audit's schema for databases and records.
enum AuditRecordSchema {
  private typealias Schema = JSONSchema

  static var definitions: [(name: String, schema: JSONSchema)] {
    [("database", database), ("record", record), ("recordField", field), ("reservedRecord", reservedRecord)]
  }

  private static let database = Schema.object([
    Schema.required("line", .integer), Schema.required("access", Schema.cases(of: AccessLevel.self)),
    Schema.required("member"), Schema.required("name"), Schema.required("domain", .reference("domain")),
    Schema.required("protection", Schema.cases(of: ResolvedDatabase.Protection.self)),
    Schema.required("sealing", .reference("security")), Schema.required("backup", .flag),
    Schema.optional(
      "movedFrom", .list(.object([Schema.required("domain", .reference("domain")), Schema.required("name")]))),
    Schema.required("owner"), Schema.required("description"),
  ])

  private static let names = Schema.list(.list(.text))

  private static let record = Schema.object([
    Schema.required("line", .integer), Schema.required("access", Schema.cases(of: AccessLevel.self)),
    Schema.required("type"), Schema.required("name"), Schema.required("member"), Schema.required("database"),
    Schema.required("key"), Schema.required("owner"), Schema.required("description"),
    Schema.required("sensitivity", Schema.cases(of: Sensitivity.self)),
    Schema.optional("plainSensitivity", Schema.cases(of: Sensitivity.self)),
    Schema.optional("sealedSensitivity", Schema.cases(of: Sensitivity.self)),
    Schema.optional("privacy", .reference("privacy")), Schema.optional("review", .reference("review")),
    Schema.optional("deprecated"), Schema.optional("renamedTo"), Schema.optional("retention", .reference("retention")),
    Schema.optional("expires"),
    Schema.optional("onCorruption", .words(["skip"])), Schema.optional("maxSize", .integer),
    Schema.optional("fate"), Schema.optional("sealedFate"), Schema.optional("masvs"),
    Schema.optional("indexes", names), Schema.optional("unique", names), Schema.optional("keepFirst", names),
    Schema.optional("keepLast", names), Schema.optional("cascading", names),
    Schema.optional(
      "reserved",
      .list(
        .object([
          Schema.required("numbers", .list(.integer)), Schema.optional("names", .list(.text)),
          Schema.optional("cleanup", Schema.cases(of: StorageReservedName.Cleanup.self)),
        ]))),
    Schema.required("fields", .list(.reference("recordField"))),
  ])

  private static let field = Schema.object([
    Schema.required("number", .integer), Schema.required("member"), Schema.required("name"), Schema.required("type"),
    Schema.optional("default"), Schema.required("sensitivity", Schema.cases(of: Sensitivity.self)),
    Schema.required("encrypted", .either([.flag, .object([Schema.required("index", .words(["blind"]))])])),
    Schema.optional("references"),
    Schema.optional("onDelete", Schema.cases(of: DeletionPolicy.self)),
    Schema.optional("wire", .words(["seconds"])), Schema.optional("from", .list(transform)),
    Schema.optional("privacy", .reference("privacy")), Schema.optional("description"),
  ])

  private static let transform = Schema.object([
    Schema.required(
      "fields",
      .list(
        .object([
          Schema.required("number", .integer), Schema.required("type"), Schema.required("encrypted", .flag),
          Schema.optional("wire", .words(["seconds"])),
        ]))),
    Schema.required("transform"),
  ])

  private static let reservedRecord = Schema.object([
    Schema.required("record"), Schema.required("database"), Schema.optional("note"),
  ])
}
