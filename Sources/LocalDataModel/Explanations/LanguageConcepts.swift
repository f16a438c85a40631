extension Language {
  /// A kind of map.
  package struct Concept: Sendable {
    package var title: String
    package var entries: [FieldEntry]
  }

  /// Every kind of map that has known fields, in the order of the reference.
  package static let concepts: [Concept] = [
    Concept(title: "catalog", entries: file.entries),
    Concept(title: "key", entries: key.entries),
    Concept(title: "read form", entries: readForm.entries),
    Concept(title: "valid values", entries: valid.entries),
    Concept(title: "key pair", entries: signingKey.entries),
    Concept(title: "backup", entries: backupFile.entries),
    Concept(title: "configured name", entries: configuredName.entries),
    Concept(title: "unmanaged data", entries: unmanaged.entries),
    Concept(title: "type", entries: type.entries),
    Concept(title: "enum case", entries: enumCase.entries),
    Concept(title: "struct field", entries: structField.entries),
    Concept(title: "database", entries: database.entries),
    Concept(title: "record", entries: record.entries),
    Concept(title: "record field", entries: recordField.entries),
    Concept(title: "import source", entries: importSource.entries),
    Concept(title: "imported record", entries: recordImport.entries),
    Concept(title: "imported field", entries: importedField.entries),
    Concept(title: "retention of records", entries: recordRetention.entries),
    Concept(title: "encryption", entries: encryption.entries),
    Concept(title: "earlier fields", entries: recordTransform.entries),
    Concept(title: "earlier field", entries: recordSource.entries),
    Concept(title: "unique fields", entries: uniqueFields.entries),
    Concept(title: "existing records", entries: existing.entries),
    Concept(title: "reserved fields", entries: reservedFields.entries),
    Concept(title: "migration", entries: migration.entries),
    Concept(title: "source", entries: source.entries),
    Concept(title: "upgrade", entries: upgrade.entries),
    Concept(title: "watch", entries: watch.entries),
    Concept(title: "deprecated", entries: deprecation.entries),
    Concept(title: "reserved name", entries: reservedName.entries),
    Concept(title: "reserved record", entries: reservedRecord.entries),
    Concept(title: "review", entries: review.entries),
    Concept(title: "allowance", entries: allowance.entries),
    Concept(title: "project file", entries: project.entries),
    Concept(title: "target", entries: target.entries),
    Concept(title: "policy", entries: policy.entries),
    Concept(title: "processing", entries: processing.entries),
    Concept(title: "privacy", entries: privacy.entries),
  ]
}
