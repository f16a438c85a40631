import SmallFoundation
import StorageSQLite
import StorageSystem

/// The rows of a record that a query finds, and their order.
struct RecordSelection<Record: StorageRecord>: Sendable {
  var predicate: RecordPredicate<Record>?
  var orders: [RecordOrder<Record>] = []
  var limit: Int?
  /// The number of rows that are skipped.
  var offset: Int?
  /// A Boolean value that indicates whether the rows are sorted by their key, and begin after a key if there is one.
  var isByKey = false
  var after: Record.ID?

  mutating func add(_ predicate: RecordPredicate<Record>) {
    self.predicate = self.predicate.map { $0 && predicate } ?? predicate
  }

  /// Returns the clauses of a statement, and the values of their parameters.
  ///
  /// - Parameter isStable: True if rows that are equal by the order are sorted by their key.
  func clauses(
    _ statements: RecordStatements, _ session: RecordSession, isStable: Bool = false
  ) throws(StorageFault) -> (sql: String, values: [SQLiteValue]) {
    var (sql, values) = try condition(statements, session)
    if let after {
      sql += "\(sql.isEmpty ? " WHERE" : " AND") \(statements.key) > ?"
      values.append(after.recordLiteral.value)
    }
    let order = order(statements, isStable: isStable || isByKey)
    if !order.isEmpty { sql += " ORDER BY \(order)" }
    if limit != nil || offset != nil {
      sql += " LIMIT ? OFFSET ?"
      values += [.integer(Int64(max(limit ?? .max, 0))), .integer(Int64(offset ?? 0))]
    }
    return (sql, values)
  }

  /// Returns the clause of the condition, and the values of its parameters.
  func condition(
    _ statements: RecordStatements, _ session: RecordSession
  ) throws(StorageFault) -> (sql: String, values: [SQLiteValue]) {
    guard let predicate else { return ("", []) }
    let (sql, values) = try predicate.sql({ statements.columns[$0] }) { (value, number) throws(StorageFault) in
      try session.blindIndex(of: value, record: Record.declaration.name, field: number)
    }
    return (" WHERE (\(sql))", values)
  }

  /// Returns the terms of `ORDER BY`.
  func order(_ statements: RecordStatements, isStable: Bool) -> String {
    let terms = orders.map { order in order.sql { statements.columns[$0] } }
    return (terms + (isStable ? [statements.key] : [])).joined(separator: ", ")
  }
}
