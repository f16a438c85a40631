package import LocalDataSQLite
package import LocalDataSystem
import LocalDataShapes
package import LocalDataFoundation

/// All rows of a record, for a copy of them.
extension RecordSession {
  /// The numbers of rows of a record.
  package struct RowCounts: Sendable {
    /// The rows that can be read.
    package var rows = 0
    /// The damaged rows that lists leave out.
    package var damaged = 0
    /// The rows whose retention has ended.
    package var ended = 0
  }

  /// Calls `visit` with each row whose retention has not ended, sorted by the keys: the record, its columns, and its encrypted fields
  /// in the wire format.
  ///
  /// - Parameter position: Set to the position of the current row among all, from 0, also if this throws.
  /// - Throws: The fault of a damaged row, unless lists leave out such rows of the record.
  package func copy<Record: StorageRecord>(
    _ type: Record.Type, position: inout Int,
    _ visit: (Record, SQLiteRow, Data?) throws(StorageProblem) -> Void
  ) throws(StorageProblem) -> RowCounts {
    let declaration = Record.declaration
    let statements = try statements(declaration)
    let sealer = sealer
    let end = statements.retention?.lasting?.end(at: now)
    let count = Int32(statements.columns.count)
    let isTimed = end != nil
    let lasting = statements.retention?.lasting.map { $0.condition } ?? "TRUE"
    let sealed = declaration.columns.firstIndex { $0.storage == .sealed }
    var counts = RowCounts()
    position = 0
    let sql =
      "SELECT \(statements.list), \(lasting), \(statements.rowNumber) FROM \(statements.table) ORDER BY \(statements.key)"
    let isNumbered = declaration.columns.first?.storage != .integer
    var index = 0
    try use().rows(sql, isTimed ? [end ?? .null] : []) { (row) throws(StorageProblem) in
      // The rows of a document were added in this order, but a merge may have removed some.
      position = isNumbered ? Int(row.integer(count + 1)) - 1 : index
      index += 1
      guard row.integer(count) != 0 else {
        counts.ended += 1
        return true
      }
      let (record, message): (Record, Data?)
      do throws(StorageProblem) {
        record = try Record(RecordRow(row, sealer: sealer))
        message = try sealed.map { (column) throws(StorageProblem) in
          try RecordRow(row, sealer: sealer).opened(Int32(column), declaration, key: record.id.canonicalBytes)
        }
      } catch {
        guard declaration.skipsDamaged, error.isOfRow else { throw error }
        counts.damaged += 1
        return true
      }
      counts.rows += 1
      // The time of a long copy does not count as waiting.
      if counts.rows & 0x3ff == 0 { CallDeadline.current?.renew() }
      try visit(record, row, message)
      return true
    }
    return counts
  }

  /// Returns the restore of a backup whose rows were committed last, or nil if there was none.
  package func restored(from backup: String) throws(StorageProblem) -> String? {
    let sql = "SELECT value FROM local_data WHERE name = ?"
    return try use().first(sql, [.text("restore.\(backup)")]) { $0.text(0) } ?? nil
  }

  /// Notes the restore of a backup whose rows this transaction commits.
  package func note(restore: String, from backup: String) throws(StorageProblem) {
    let sql = "INSERT OR REPLACE INTO local_data VALUES (?, ?)"
    try use(changing: true).run(sql, [.text("restore.\(backup)"), .text(restore)])
  }

  /// Runs `body`, which may add a row before the one that it refers to.
  ///
  /// - Throws: ``StorageProblem/missingReference`` if a row refers to nothing at the end.
  package func deferringReferences(_ body: () throws(StorageProblem) -> Void) throws(StorageProblem) {
    let connection = try use(changing: true)
    try connection.execute("PRAGMA defer_foreign_keys = ON")
    let outcome = Result { () throws(StorageProblem) in
      try body()
      if try connection.first("PRAGMA foreign_key_check", [], { _ in true }) != nil { throw .missingReference }
    }
    // Other changes may share the commit.
    try connection.execute("PRAGMA defer_foreign_keys = OFF")
    try outcome.get()
  }

  /// Returns true if rows of a record can refer to rows of one of these records.
  package func refers(_ declaration: RecordDeclaration, to records: Set<String>) -> Bool {
    tables.shape.records[declaration.name]?.references.values.contains { records.contains($0.record) } ?? false
  }

  /// Deletes all rows of a record, and what is declared to be deleted with them.
  package func deleteAll(_ declaration: RecordDeclaration) throws(StorageProblem) -> Int {
    let statements = try statements(declaration)
    let table = statements.table
    let row = statements.rowNumber
    let most = 10_000
    // SQLite has the numbers of the rows of one statement in memory.
    let sql = "DELETE FROM \(table) WHERE \(row) IN (SELECT \(row) FROM \(table) LIMIT \(most))"
    var count = 0
    var deleted = 0
    repeat {
      deleted = try delete(declaration.name, sql, [])
      count += deleted
      CallDeadline.current?.renew()
    } while deleted == most
    if count > 0 { note(declaration.name, .byApp) }
    return count
  }
}

extension StorageProblem {
  /// A Boolean value that indicates whether the fault is one of the row, and not of the database or its keys.
  fileprivate var isOfRow: Bool { [.corrupted, .authenticationFailed, .cannotDecode, .newerValue].contains(code) }
}
