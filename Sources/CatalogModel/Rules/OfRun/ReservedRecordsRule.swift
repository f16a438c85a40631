import CatalogSyntax

/// Checks that no record is stored in the table of a reserved one. The rule is declared with that of keys.
struct ReservedRecordsRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    var reserved: [String: SyntaxNode] = [:]
    for each in run.documents.lazy.flatMap(\.reservedRecords) {
      let (record, database) = (each.resolved.record, each.resolved.database)
      guard let earlier = reserved.updateValue(each.node, forKey: Self.table(record, in: database)) else { continue }
      findings.report(
        .reservedName, "'\(record)' of '\(database)' is reserved twice", at: each.node, help: "remove one of the two",
        notes: [.init("reserved here", at: earlier.place)])
    }
    for record in run.records.all {
      guard let database = record.database, let node = reserved[Self.table(record.storedName, in: database)] else {
        continue
      }
      findings.about(record) {
        $0.report(
          .reservedName, "the stored name '\(record.storedName)' is reserved in '\(database)'",
          at: record.body.value(of: "name") ?? record.node, help: "write another `name`, which was never used",
          notes: [.init("reserved here", at: node.place)])
      }
    }
  }

  /// Names of tables that differ only in case are one name to SQLite.
  private static func table(_ record: String, in database: String) -> String { "\(database) \(record.lowercased())" }
}
