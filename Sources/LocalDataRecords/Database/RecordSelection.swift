import LocalDataFoundation
import LocalDataSQLite
import LocalDataSystem

/// The rows of a record that a query finds, and their order.
struct RecordSelection: Sendable {
  var condition: RecordCondition?
  var orders: [RecordOrderTerm] = []
  var limit: Int?
  /// The number of rows that are skipped.
  var offset: Int?
  /// A Boolean value that indicates whether the rows are sorted by their key, and begin after a key if there is one.
  var isByKey = false
  var after: RecordLiteral?

  /// Returns true if both selections find the same rows in the same order. Pages are not compared.
  func isSame(as other: RecordSelection) -> Bool {
    condition == other.condition && orders == other.orders && limit == other.limit
  }

  mutating func add(_ condition: RecordCondition) { self.condition = self.condition?.and(condition) ?? condition }

  /// Returns the clauses of a statement, and the values of their parameters.
  ///
  /// - Parameter isStable: True if rows that are equal by the order are sorted by their key.
  func clauses(
    _ statements: RecordStatements, _ session: RecordSession, isStable: Bool = false
  ) throws(StorageProblem) -> (sql: String, values: [SQLiteValue]) {
    var (sql, values) = try condition(statements, session)
    if let after {
      sql += "\(sql.isEmpty ? " WHERE" : " AND") \(statements.key) > ?"
      values.append(after.value)
    }
    let order = order(statements, isStable: isStable || isByKey)
    if !order.isEmpty { sql += " ORDER BY \(order)" }
    if limit != nil || offset != nil {
      sql += " LIMIT ? OFFSET ?"
      values += [.integer(Int64(max(limit ?? .max, 0))), .integer(Int64(offset ?? 0))]
    }
    return (sql, values)
  }

  /// Returns the clause of the condition, and the values of its parameters. No row whose retention has ended meets it.
  func condition(
    _ statements: RecordStatements, _ session: RecordSession
  ) throws(StorageProblem) -> (sql: String, values: [SQLiteValue]) {
    var terms: [String] = []
    var values: [SQLiteValue] = []
    if let condition {
      let (sql, parameters) = try condition.sql({ statements.columns[$0] }) { (value, number) throws(StorageProblem) in
        try session.blindIndexes(of: value, record: statements.name, field: number)
      }
      terms = ["(\(sql))"]
      values = parameters
    }
    if let lasting = statements.retention?.lasting {
      terms.append(lasting.condition)
      values.append(lasting.end(at: session.now))
    }
    return (terms.isEmpty ? "" : " WHERE " + terms.joined(separator: " AND "), values)
  }

  /// Returns the terms of `ORDER BY`.
  func order(_ statements: RecordStatements, isStable: Bool) -> String {
    let terms = orders.map { term in term.sql { statements.columns[$0] } }
    return (terms + (isStable ? [statements.key] : [])).joined(separator: ", ")
  }
}

/// The description contains no value of the condition, and no key.
extension RecordSelection: CustomStringConvertible, CustomReflectable {
  var description: String { "RecordSelection(redacted)" }
  var customMirror: Mirror { Mirror(self, children: []) }
}
