/// The fields of one step of a migration.
enum MigrationField: UInt8, FieldName {
  case from, transform, aggregate, whenAppVersion, custom, onConflict

  static let names = NameTable<Self>()
}

/// The fields of a source that is described where it is used.
enum InlineSourceField: UInt8, FieldName {
  case name, type, domain, security, serializer

  static let names = NameTable<Self>()
}

extension ResolvedMigration {
  static let example = "migration: {from: legacyToken}"
}
