package import LocalData
import RecordShapes
import SmallFoundation
import StorageSQLite
import StorageSystem

/// The content of a database as statements of SQL. Fixtures keep it as text.
extension StorageRouter {
  /// Returns the statements that create the tables of a database, with their rows.
  package nonisolated func content<Database: RecordDatabase>(
    of type: Database.Type
  ) async throws(StorageError) -> [String] {
    let declaration = Database.declaration
    let subject = StorageError.Subject(key: declaration.name, domain: declaration.domain.kind)
    return try await store(type).read(RecordCall(subject: subject, usesKeys: false)) {
      (session) throws(StorageFault) in try session.use().content
    }
  }

  /// Creates a database in memory with a content. No call may have used the database before.
  package nonisolated func restore<Database: RecordDatabase>(
    _ type: Database.Type, content: [String]
  ) throws(StorageError) {
    _ = try store(type, content: content)
  }
}

extension SQLiteConnection {
  fileprivate var content: [String] {
    get throws(StorageFault) {
      var (tables, statements): ([String], [String]) = ([], [])
      // "table" is the last of the types.
      let schema = "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type DESC, name"
      try rows(schema) { (row) throws(StorageFault) in
        guard let name = row.text(1), let sql = row.text(2) else { throw .databaseDamaged }
        if row.text(0) == "table" { tables.append(name) }
        statements.append(sql)
        return true
      }
      for table in tables { statements += try inserts(into: table) }
      return statements
    }
  }

  private func inserts(into table: String) throws(StorageFault) -> [String] {
    let table = RecordShape.quoted(table)
    var columns: [String] = []
    try rows("PRAGMA table_info(\(table))") { (row) throws(StorageFault) in
      columns.append(RecordShape.quoted(row.text(1) ?? ""))
      return true
    }
    // A NUL byte ends the text that `quote` returns.
    let values = columns.map { column in
      "CASE WHEN typeof(\(column)) = 'text' AND instr(\(column), char(0)) "
        + "THEN 'CAST(x''' || hex(\(column)) || ''' AS TEXT)' ELSE quote(\(column)) END"
    }
    let head = "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES ("
    var statements: [String] = []
    let query = "SELECT \(values.joined(separator: " || ', ' || ")) FROM \(table) ORDER BY 1"
    try rows(query) { (row) throws(StorageFault) in
      guard let values = row.text(0) else { throw .databaseDamaged }
      statements.append("\(head)\(values))")
      return true
    }
    return statements
  }

  /// Runs the statements of a content. The rows of a table may come before those to which they refer.
  func restore(_ content: [String]) throws(StorageFault) {
    try execute("PRAGMA foreign_keys = OFF")
    for statement in content { try execute(statement) }
    try execute("PRAGMA foreign_keys = ON")
    guard try first("PRAGMA foreign_key_check", [], { _ in true }) == nil else { throw .databaseDamaged }
  }
}
