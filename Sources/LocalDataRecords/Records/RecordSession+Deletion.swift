import LocalDataShapes
package import LocalDataSQLite
package import LocalDataSystem
import LocalDataVocabulary

extension RecordSession {
  /// Runs a `DELETE` on the table of a record, and returns the number of rows that it names.
  package func delete(_ record: String, _ sql: String, _ values: [SQLiteValue]) throws(StorageProblem) -> Int {
    let connection = try use(changing: true)
    guard tables.chained.contains(record) else { return try connection.run(sql, values) }
    return try connection.delete(record, sql, values, in: tables.shape)
  }
}

extension SQLiteConnection {
  /// Runs a `DELETE` on the table of a record, and returns the number of rows that it names.
  ///
  /// SQLite also deletes the rows that refer to them, but fails at a chain of more than 1,000 rows. So all of these rows are found
  /// first. They are deleted one by one, after they refer to nothing.
  func delete(
    _ record: String, _ sql: String, _ values: [SQLiteValue] = [], in shape: RecordShape
  ) throws(StorageProblem) -> Int {
    let names = shape.records.keys.inOrder
    var found = [(table: Int, key: SQLiteValue)]()
    var count = 0
    let query = shape.chains(names, from: record, sql.dropFirst("DELETE".count))
    try rows(query, values) { (row) throws(StorageProblem) in
      found.append((Int(row.integer(0)), SQLiteValue(row, 1)))
      count += Int(row.integer(2))
      return true
    }
    try undoneIfThrown { () throws(StorageProblem) in
      for statements in [names.map(shape.clearing), names.map(shape.deletion)] {
        for row in found { try run(statements[row.table], [row.key]) }
      }
    }
    return count
  }

  /// Runs a step of a merge that runs no Swift on rows.
  func run(_ step: RecordMerge.Step, of merge: RecordMerge) throws(StorageProblem) {
    for statement in merge.shape.statements(step) {
      let deletes = merge.shape.chained.first { statement.hasPrefix("DELETE FROM \(RecordShape.quoted($0)) ") }
      if let deletes { _ = try delete(deletes, statement, in: merge.shape) } else { try execute(statement) }
    }
  }
}

extension RecordShape {
  /// The references by which rows are deleted with others.
  private var cascades: [(child: String, number: Int, parent: String)] {
    records.keys.inOrder.flatMap { child in
      (records[child]?.references ?? [:]).filter { $0.value.onDelete == .cascade }
        .sorted { $0.key < $1.key }.map { (child, $0.key, $0.value.record) }
    }
  }

  /// The records whose deletion may be followed by others without end, because rows that refer to their rows refer to each other.
  var chained: Set<String> {
    var chained = Set(records.keys)
    var cascades = cascades
    while let end = chained.first(where: { name in !cascades.contains { $0.parent == name } }) {
      chained.remove(end)
      cascades.removeAll { $0.child == end }
    }
    return chained
  }

  /// Returns a query for the rows that a `DELETE` names, and for those that are deleted with them: the position of the record in
  /// `names`, the key, and 1 if the row is named.
  fileprivate func chains(_ names: [String], from record: String, _ named: Substring) -> String {
    func row(_ name: String) -> String {
      "SELECT \(names.firstIndex(of: name) ?? -1), \(Self.quoted(name)).\(column(name))"
    }
    let rows = "\"local_data.rows\""
    let parts = cascades.map { child, number, parent in
      "\(row(child)), 0 FROM \(rows) CROSS JOIN main.\(Self.quoted(child)) "
        + "ON \(Self.quoted(child)).\(column(child, number)) = \(rows).key WHERE \(rows).record = \(names.firstIndex(of: parent) ?? -1)"
    }
    return "WITH RECURSIVE \(rows) (record, key, named) AS (\(row(record)), 1\(named) UNION "
      + "\(parts.joined(separator: " UNION "))) SELECT record, key, named FROM \(rows)"
  }

  /// Returns the statement that clears the references of a row, except for the key.
  fileprivate func clearing(_ name: String) -> String {
    let numbers = (records[name]?.references ?? [:]).keys.filter { $0 != records[name]?.key }.inOrder
    let cleared = ["\(column(name)) = \(column(name))"] + numbers.map { "\(column(name, $0)) = NULL" }
    return "UPDATE main.\(Self.quoted(name)) SET \(cleared.joined(separator: ", ")) WHERE \(column(name)) = ?"
  }

  fileprivate func deletion(_ name: String) -> String {
    "DELETE FROM main.\(Self.quoted(name)) WHERE \(column(name)) = ?"
  }

  /// Returns the name of a column; that of the key by default.
  private func column(_ name: String, _ number: Int? = nil) -> String {
    Self.quoted(records[name].flatMap { $0.columns[number ?? $0.key]?.name } ?? "")
  }
}
