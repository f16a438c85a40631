import LocalDataModel
import LocalDataSyntax
import LocalDataEmission
import LocalDataAudit
import LocalDataVocabulary

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

  private static var definitions: [(name: String, schema: JSONSchema)] {
    [
      ("audit", JSONForm.audit.schema), ("catalog", JSONForm.catalog.schema), ("summary", JSONForm.summary.schema),
      ("manifestEntry", JSONForm.manifestEntry.schema), ("key", JSONForm.key.schema),
      ("importSource", JSONForm.source.schema), ("unmanaged", JSONForm.unmanaged.schema),
      ("masvs", JSONForm.weaknesses.schema),
    ] + AuditVocabularySchema.definitions + [
      ("privacy", JSONForm.privacy.schema), ("review", JSONForm.review.schema),
      ("database", JSONForm.database.schema),
      ("record", JSONForm.record.schema), ("recordField", JSONForm.field.schema),
      ("reservedRecord", JSONForm.reservedRecord.schema), ("backupFile", JSONForm.backup.schema),
      ("personalData", JSONForm.personalData.schema),
    ]
  }
}

extension JSONField<AuditedKey> {
  private typealias Schema = JSONSchema

  /// The fields of the descriptor. The runtime reads a part of them in another form, so one function writes
  /// both forms.
  static let descriptor = Self(properties: [
    Schema.required("member"), Schema.required("name"), Schema.required("type"),
    Schema.required("domain", .reference("domain")), Schema.required("security", .reference("security")),
    Schema.required("serializer", .reference("serializer")),
    Schema.optional("dates", Schema.cases(of: DateForm.self)), Schema.optional("reads"), Schema.required("owner"),
    Schema.required("description"),
    Schema.required("availability", Schema.cases(of: PlatformAvailability.self)),
    Schema.required("syncPolicy", Schema.cases(of: SyncPolicy.self)),
    Schema.required("sensitivity", Schema.cases(of: Sensitivity.self)),
    Schema.optional("retention", .reference("retention")), Schema.required("maxSize", .integer),
    Schema.required("backup", .flag),
    Schema.optional(
      "parameters",
      .list(
        .object([
          Schema.required("name"), Schema.required("type"),
          Schema.optional("encoding", Schema.cases(of: ParameterEncoding.self)),
        ]))),
    Schema.optional("default"), Schema.optional("schema", .integer),
    Schema.optional("migrations", .list(.reference("migrationStep"))), Schema.optional("legacy", .flag),
    Schema.optional("deprecated"), Schema.optional("sync", Schema.cases(of: SyncTransfer.self)),
    Schema.optional("watch"), Schema.optional("onCorruption", Schema.cases(of: CorruptionPolicy.self)),
    Schema.optional("protection", Schema.cases(of: StorageFileProtection.self)),
    Schema.optional("signOut", Schema.cases(of: SignOutPolicy.self)),
    Schema.optional(
      "signing",
      .object([
        Schema.required("secureEnclave", Schema.cases(of: SecureEnclaveUse.self)), Schema.optional("applicationTag"),
        Schema.optional("exportable", .flag), Schema.optional("signOut", Schema.cases(of: SignOutPolicy.self)),
      ])),
  ]) { output, audited, _ in
    output.write(",")
    output.writeDescriptor(audited.key) { $0.writeMigration($1) }
    return true
  }
}
