import LocalDataModel

extension CatalogState.ReservedRecord {
  /// Creates a reserved record from an entry of a snapshot. Returns nil if the entry is a reserved name.
  init?(facts: FieldValue) {
    guard let record = facts["record"].text, let database = facts["database"].text else { return nil }
    self.init(
      catalog: facts["catalog"].text ?? "",
      reserved: ResolvedReservedRecord(record: record, database: database, note: facts["note"].text))
  }

  /// The entry in a snapshot.
  var facts: FieldValue {
    .map(present: [
      .init("catalog", .text(catalog)), .init("record", .text(reserved.record)),
      .init("database", .text(reserved.database)), .init("note", FieldValue(reserved.note)),
    ])
  }
}

extension CatalogState {
  /// Returns true if the state reserves the table of a record. SQLite does not distinguish the case of names.
  package func reserves(_ record: String, in database: String) -> Bool {
    reservedRecords.contains {
      $0.reserved.database == database && $0.reserved.record.lowercased() == record.lowercased()
    }
  }

  /// Returns the record that is stored in a table.
  func record(storedAs name: String, in database: String) -> DeclaredRecord? {
    records.values.first { $0.database == database && $0.storedName.lowercased() == name.lowercased() }
  }
}

extension ResolvedReservedRecord {
  /// The entry of `reserved` in a catalog.
  var entry: FieldValue { .map([.init("record", .text(record)), .init("database", .text(database))]) }
}
