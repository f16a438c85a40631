extension Language {
  /// A kind of map, with its place in the reference.
  package struct Concept: Sendable {
    package var title: String
    /// The heading of the reference that describes it.
    package var heading: String
    package var entries: [FieldEntry]
  }

  /// Every kind of map that has known fields, in the order of the reference.
  package static let concepts: [Concept] = [
    Concept(title: "catalog", heading: "The file", entries: file.entries),
    Concept(title: "key", heading: "Keys", entries: key.entries),
    Concept(title: "read form", heading: "Keys", entries: readForm.entries),
    Concept(title: "valid values", heading: "Valid values", entries: valid.entries),
    Concept(title: "key pair", heading: "Key pairs", entries: signingKey.entries),
    Concept(title: "backup", heading: "Backups", entries: backupFile.entries),
    Concept(title: "configured name", heading: "Configured names", entries: configuredName.entries),
    Concept(title: "unmanaged data", heading: "Unmanaged data", entries: unmanaged.entries),
    Concept(title: "type", heading: "Types", entries: type.entries),
    Concept(title: "enum case", heading: "Types", entries: enumCase.entries),
    Concept(title: "struct field", heading: "Types", entries: structField.entries),
    Concept(title: "database", heading: "Databases", entries: database.entries),
    Concept(title: "record", heading: "Records", entries: record.entries),
    Concept(title: "record field", heading: "Records", entries: recordField.entries),
    Concept(title: "import source", heading: "Sources of records", entries: importSource.entries),
    Concept(title: "imported record", heading: "Sources of records", entries: recordImport.entries),
    Concept(title: "imported field", heading: "Sources of records", entries: importedField.entries),
    Concept(title: "retention of records", heading: "Retention of records", entries: recordRetention.entries),
    Concept(title: "encryption", heading: "Records", entries: encryption.entries),
    Concept(title: "earlier fields", heading: "Records", entries: recordTransform.entries),
    Concept(title: "earlier field", heading: "Records", entries: recordSource.entries),
    Concept(title: "unique fields", heading: "Records", entries: uniqueFields.entries),
    Concept(title: "existing records", heading: "Records", entries: existing.entries),
    Concept(title: "reserved fields", heading: "Records", entries: reservedFields.entries),
    Concept(title: "migration", heading: "Migrations", entries: migration.entries),
    Concept(title: "source", heading: "Migrations", entries: source.entries),
    Concept(title: "upgrade", heading: "Schemas", entries: upgrade.entries),
    Concept(title: "watch", heading: "Sync", entries: watch.entries),
    Concept(title: "deprecated", heading: "Keys", entries: deprecation.entries),
    Concept(title: "reserved name", heading: "Reserved names", entries: reservedName.entries),
    Concept(title: "reserved record", heading: "Reserved names", entries: reservedRecord.entries),
    Concept(title: "review", heading: "Reviews", entries: review.entries),
    Concept(title: "allowance", heading: "Allowed findings", entries: allowance.entries),
    Concept(title: "project file", heading: "The project file", entries: project.entries),
    Concept(title: "target", heading: "The project file", entries: target.entries),
    Concept(title: "policy", heading: "The project file", entries: policy.entries),
    Concept(title: "processing", heading: "The project file", entries: processing.entries),
    Concept(title: "privacy", heading: "Privacy", entries: privacy.entries),
  ]
}
