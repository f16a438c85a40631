import Foundation
import LocalData
import LocalDataRecords

/// The content of a database as statements of SQL. Fixtures keep it as text.
extension RecordTransaction {
  /// Returns the statements that create the tables of the database, with their rows.
  func content() throws -> [String] {
    var tables: [String] = []
    var statements: [String] = []
    // "table" is the last of the types.
    let schema = "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type DESC, name"
    for row in try rows(schema) {
      guard row.count == 3, let name = row[1].text, let sql = row[2].text else { throw Self.unreadable }
      if row[0] == .text("table") { tables.append(name) }
      statements.append(sql)
    }
    for table in tables { statements += try inserts(into: table) }
    return statements
  }

  private func inserts(into table: String) throws -> [String] {
    let columns = try texts("SELECT name FROM pragma_table_info(\(quoted(table, "'")), 'main') ORDER BY cid")
      .map { quoted($0, "\"") }
    // A NUL byte ends the text that `quote` returns.
    let values = columns.map { column in
      "CASE WHEN typeof(\(column)) = 'text' AND instr(\(column), char(0)) "
        + "THEN 'CAST(x''' || hex(\(column)) || ''' AS TEXT)' ELSE quote(\(column)) END"
    }
    let table = quoted(table, "\"")
    let head = "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES ("
    return try texts("SELECT \(values.joined(separator: " || ', ' || ")) FROM main.\(table) ORDER BY 1")
      .map { "\(head)\($0))" }
  }

  /// Returns the texts of a query with one column.
  private func texts(_ sql: String) throws -> [String] {
    try rows(sql).map { row in
      guard let text = row.first?.text else { throw Self.unreadable }
      return text
    }
  }

  private func quoted(_ name: String, _ mark: String) -> String {
    mark + name.replacingOccurrences(of: mark, with: mark + mark) + mark
  }

  private static var unreadable: StorageFixtureError {
    StorageFixtureError("The content of the database is unreadable.")
  }
}

extension RecordCell {
  fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
}
