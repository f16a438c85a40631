import CatalogModel
import CatalogSyntax
import StorageAudit
import StorageVocabulary

/// The JSON Schema (2020-12) of the JSON audit.
///
/// A new field does not change the `format` of the document, so the schema allows fields that it does not describe. A test
/// checks that it describes each field that the generator writes.
package enum AuditSchema {
  /// Returns the schema as a document that ends with a line end.
  package static func emit() -> String {
    let definitions = definitions.map { "\n    \(JSONText.quoted($0.name)): \($0.schema.text)" }
    return """
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "LocalData audit, format \(JSONAuditEmitter.format)",
        "$ref": "#/$defs/audit",
        "$defs": {\(definitions.joined(separator: ","))
        }
      }

      """
  }

  private typealias Schema = JSONSchema

  private static var definitions: [(name: String, schema: JSONSchema)] {
    [("audit", audit), ("catalog", catalog), ("summary", summary), ("manifestEntry", manifestEntry), ("key", key)]
      + [("masvs", masvs)] + AuditVocabularySchema.definitions + AuditRecordSchema.definitions
  }

  private static let audit = Schema.object([
    Schema.required("format", .constant(JSONAuditEmitter.format)),
    Schema.required("catalogs", .list(.reference("catalog"))),
  ])

  private static let catalog = Schema.object([
    Schema.required("name"), Schema.required("source"), Schema.required("access", Schema.cases(of: AccessLevel.self)),
    Schema.required("summary", .reference("summary")),
    Schema.optional("notEncrypted", .list(exposure)), Schema.optional("leaves", .list(departure)),
    Schema.optional("privacyManifest", .list(.reference("manifestEntry"))),
    Schema.optional("fates", .map(.map(fate))),
    Schema.optional(
      "fateRules", .list(.object([Schema.required("id"), Schema.required("title"), Schema.required("source")]))),
    Schema.optional("masvs", .reference("masvs")),
    Schema.required("keys", .list(.reference("key"))), Schema.required("reserved", .list(.reference("reservedName"))),
    Schema.optional("databases", .list(.reference("database"))),
    Schema.optional("records", .list(.reference("record"))),
    Schema.optional("reservedRecords", .list(.reference("reservedRecord"))),
  ])

  private static let exposure = Schema.object([
    Schema.required("sensitivity", Schema.cases(of: Sensitivity.self)), Schema.required("where"),
    Schema.required("values", .list(.text)),
  ])

  private static let departure = Schema.object([
    Schema.required("place", .words(DataFlow.Place.allCases.map(\.rawValue))), Schema.required("to"),
    Schema.required("form"), Schema.required("sensitivity", Schema.cases(of: Sensitivity.self)),
    Schema.required("values", .list(.text)),
  ])

  private static let fate = Schema.object([
    Schema.required("outcome", Schema.cases(of: Fate.Outcome.self)), Schema.required("rule"),
    Schema.required("reason"),
  ])

  private static let masvs = Schema.object([
    Schema.required("edition"), Schema.required("source"),
    Schema.required(
      "weaknesses",
      .list(
        .object([
          Schema.required("id"), Schema.required("title"), Schema.required("controls", .list(.text)),
          Schema.required("formerIDs", .list(.text)),
        ]))),
    Schema.required("answers", .map(.map(answer))),
  ])

  private static let answer = Schema.object([
    Schema.required("state"), Schema.required("reason"), Schema.optional("test"), Schema.optional("acceptedUntil"),
    Schema.optional("allowed"),
  ])

  private static let summary = Schema.object([
    Schema.required("keys", .integer), Schema.required("families", .integer), Schema.required("legacy", .integer),
    Schema.required("deprecated", .integer), Schema.optional("records", .integer),
    Schema.optional("databases", .integer), Schema.required("reserved", .integer),
    Schema.required("domains", .counts(StorageDomain.Kind.allCases.map(\.rawValue))),
    Schema.required("security", .counts(SecurityPolicy.Kind.allCases.map(\.rawValue))),
    Schema.required("sensitivity", .counts(Sensitivity.allCases.map(\.rawValue))),
    Schema.optional(
      "values",
      .object(
        AuditedPart.Protection.allCases.map { protection in
          Schema.required(protection.rawValue, .counts(Sensitivity.allCases.map(\.rawValue)))
        })),
  ])

  private static let manifestEntry = Schema.object([
    Schema.required(
      "NSPrivacyCollectedDataType", .words(ResolvedPrivacy.DataType.allCases.map(\.manifestName))),
    Schema.required("NSPrivacyCollectedDataTypeLinked", .flag),
    Schema.required("NSPrivacyCollectedDataTypeTracking", .flag),
    Schema.required(
      "NSPrivacyCollectedDataTypePurposes", .list(.words(ResolvedPrivacy.Purpose.allCases.map(\.manifestName)))),
  ])

  private static let key = Schema.object([
    Schema.required("line", .integer), Schema.required("access", Schema.cases(of: AccessLevel.self)),
    Schema.required("member"), Schema.required("name"), Schema.required("type"),
    Schema.required("domain", .reference("domain")), Schema.required("security", .reference("security")),
    Schema.required("serializer", .reference("serializer")), Schema.required("owner"), Schema.required("description"),
    Schema.required("availability", Schema.cases(of: PlatformAvailability.self)),
    Schema.required("syncPolicy", Schema.cases(of: SyncPolicy.self)),
    Schema.required("sensitivity", Schema.cases(of: Sensitivity.self)),
    Schema.optional("retention", .reference("retention")), Schema.required("maxSize", .integer),
    Schema.required("backup", .flag),
    Schema.optional("parameters", .list(.object([Schema.required("name"), Schema.required("type")]))),
    Schema.optional("default"), Schema.optional("schema", .integer),
    Schema.optional("migrations", .list(.reference("migrationStep"))), Schema.optional("legacy", .flag),
    Schema.optional("deprecated"), Schema.optional("sync", Schema.cases(of: SyncTransfer.self)),
    Schema.optional("watch"), Schema.optional("onCorruption", Schema.cases(of: CorruptionPolicy.self)),
    Schema.optional("privacy", .reference("privacy")), Schema.optional("review", .reference("review")),
    Schema.optional("fate"), Schema.optional("masvs"), Schema.required("notes", .list(.text)),
  ])
}
