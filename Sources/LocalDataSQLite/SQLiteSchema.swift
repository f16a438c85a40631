package import LocalDataSystem

/// The tables that a database has. Whatever else is in its schema is not of the library: somebody may have added it to change
/// what statements do.
package struct SQLiteSchema: Sendable {
  /// The statements that create the tables of every database.
  package let required: [String]
  /// The statements that create tables that a database may lack.
  var optional: [String] = []
  /// Returns true if a database has the other tables and indexes that these statements create; nil if it has no others.
  private let others: (@Sendable (SQLiteConnection, _ statements: [String]) throws(StorageProblem) -> Bool)?

  package init(
    required: [String], optional: [String] = [],
    others: (@Sendable (SQLiteConnection, _ statements: [String]) throws(StorageProblem) -> Bool)? = nil
  ) {
    self.required = required
    self.optional = optional
    self.others = others
  }

  /// Compares the schema of a database with the expected one, to the byte.
  ///
  /// - Throws: ``StorageProblem/databaseDamaged`` if they differ.
  package func check(_ connection: SQLiteConnection) throws(StorageProblem) {
    var missing = Set(required)
    var unseen = missing.union(optional)
    var statements: [String] = []
    var roots: [Int64] = []
    try connection.rows("SELECT type, name, tbl_name, sql, rootpage FROM sqlite_master") {
      (row) throws(StorageProblem) in
      let type = row.validText(0)
      let name = row.validText(1)
      let table = row.validText(2)
      let sql = row.validText(3)
      guard let name, let table else { throw .databaseDamaged }
      roots.append(row.integer(4))
      switch (type, sql) {
      case ("table", let sql?) where table == name:
        if unseen.remove(sql) == nil { statements.append(sql) } else { missing.remove(sql) }
      case ("index", let sql?): statements.append(sql)
      // That of a primary key, which SQLite creates with the table.
      case ("index", nil) where name == "sqlite_autoindex_\(table)_1" && row.isNull(3): break
      default: throw .databaseDamaged
      }
      return true
    }
    // What is written to one of two tables on the same pages would be in both.
    roots.sort()
    guard zip(roots, roots.dropFirst()).allSatisfy({ $0 < $1 }) else { throw .databaseDamaged }
    guard missing.isEmpty, try others?(connection, statements) ?? statements.isEmpty else { throw .databaseDamaged }
  }
}

extension [SQLiteTable] {
  package var schema: SQLiteSchema {
    SQLiteSchema(required: filter { !$0.isOptional }.map(\.schema), optional: filter(\.isOptional).map(\.schema))
  }
}
