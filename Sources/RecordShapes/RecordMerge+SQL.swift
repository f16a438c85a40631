extension RecordShape {
  /// Returns the statement of a step to this shape.
  package func sql(_ step: RecordMerge.Step) -> String {
    switch step {
    case .createTable(let name):
      guard let record = records[name] else { return "" }
      let columns = record.order.map { column(record, $0) }
      return "CREATE TABLE \(Self.quoted(name)) (\(columns.joined(separator: ", "))) STRICT"
    case .addColumn(let name, let number):
      guard let record = records[name] else { return "" }
      return "ALTER TABLE \(Self.quoted(name)) ADD COLUMN \(column(record, number))"
    case .deleteValues(let name, let number):
      let column = Self.quoted(records[name]?.columns[number]?.name ?? "")
      return "UPDATE \(Self.quoted(name)) SET \(column) = NULL WHERE \(column) IS NOT NULL"
    case .createIndex(let name, let numbers, let isUnique):
      let columns = numbers.map { Self.quoted(records[name]?.columns[$0]?.name ?? "") }.joined(separator: ", ")
      return "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(index(name, numbers)) ON \(Self.quoted(name)) (\(columns))"
    case .dropIndex(let name, let numbers): return "DROP INDEX \(index(name, numbers))"
    }
  }

  /// The definition of a column. Only the key is NOT NULL, so that a field can become optional.
  private func column(_ record: Record, _ number: Int) -> String {
    guard let column = record.columns[number] else { return "" }
    var text = "\(Self.quoted(column.name)) \(column.type)"
    if number == record.key { text += " NOT NULL PRIMARY KEY" }
    if let value = column.defaultValue { text += " DEFAULT \(value)" }
    if let reference = record.references[number], let parent = records[reference.record],
      let key = parent.columns[parent.key]
    {
      text += " REFERENCES \(Self.quoted(reference.record)) (\(Self.quoted(key.name)))"
      text += " ON DELETE \(reference.onDelete.sql)"
    }
    return text
  }

  private func index(_ name: String, _ numbers: [Int]) -> String {
    Self.quoted(([name] + numbers.map { records[name]?.columns[$0]?.name ?? "" }).joined(separator: "."))
  }

  /// Returns a name as SQL writes it.
  package static func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}

extension RecordShape.OnDelete {
  fileprivate var sql: String {
    switch self {
    case .restrict: "RESTRICT"
    case .cascade: "CASCADE"
    case .setNull: "SET NULL"
    }
  }
}
