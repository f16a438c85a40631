import StorageSystem

/// The tables that a database has. A trigger or a view is not of the library: somebody may have added it to change what
/// statements do.
package struct SQLiteSchema: Sendable {
  /// The statements that create the tables of every database.
  package let required: [String]
  /// The statements that create tables that a database may lack.
  var optional: [String] = []
  /// A Boolean value that indicates whether the database may have other tables, and indexes.
  var isOpen = false

  package init(required: [String], optional: [String] = [], isOpen: Bool = false) {
    (self.required, self.optional, self.isOpen) = (required, optional, isOpen)
  }

  /// Compares the schema of a database with the expected one, to the byte. Other tables of an open schema are not compared.
  ///
  /// - Throws: ``StorageFault/databaseDamaged`` if they differ.
  func check(_ connection: SQLiteConnection) throws(StorageFault) {
    var missing = Set(required)
    var unseen = missing.union(optional)
    let tables = Set(unseen.compactMap(Self.table))
    try connection.rows("SELECT type, name, tbl_name, sql FROM sqlite_master") { (row) throws(StorageFault) in
      let (type, name, table) = (row.exactText(0), row.exactText(1), row.exactText(2))
      switch type {
      case "table":
        guard let sql = row.exactText(3), table == name else { throw .databaseDamaged }
        if isOpen, sql.hasPrefix("CREATE TABLE "), let name, !tables.contains(name) { return true }
        guard unseen.remove(sql) != nil, name == Self.table(sql) else { throw .databaseDamaged }
        missing.remove(sql)
      case "index" where isOpen: break
      case "index":
        // That of a primary key, which SQLite creates with the table. It has no statement.
        guard let table, tables.contains(table), name == "sqlite_autoindex_\(table)_1", row.isNull(3) else {
          throw .databaseDamaged
        }
      default: throw .databaseDamaged
      }
      return true
    }
    guard missing.isEmpty else { throw .databaseDamaged }
  }

  /// Returns the name of the table that a statement creates.
  private static func table(_ sql: String) -> String? {
    let words = sql.split(separator: " ", maxSplits: 3)
    return words.count == 4 ? String(words[2]) : nil
  }
}

extension [SQLiteTable] {
  package var schema: SQLiteSchema {
    SQLiteSchema(required: filter { !$0.isOptional }.map(\.schema), optional: filter(\.isOptional).map(\.schema))
  }
}

/// The time of one step of a statement. A step ends with the deadline of the current call, so that no content of a database
/// makes a call run for ever.
struct SQLiteStep {
  /// The end of the step, if it has run for some time.
  private var end: ContinuousClock.Instant?
  /// A Boolean value that indicates whether the step has an end. To set it takes less time than to set the end to `nil`.
  private var hasEnd = false
  /// The time that the function of the views returns.
  var time = 0.0

  /// The instructions of SQLite between two looks at the clock: about a millisecond.
  static let instructions: Int32 = 20_000

  mutating func begin() { hasEnd = false }

  /// Returns true if the step has run for too long.
  mutating func isOver() -> Bool {
    guard hasEnd, let end else {
      hasEnd = true
      end = CallDeadline.end(of: CallDeadline.ordinaryPatience)
      return false
    }
    return ContinuousClock.now >= end
  }
}
