/// A table of a database of the library.
package struct SQLiteTable: Sendable {
  package enum ColumnType: Sendable {
    case integer, real, text, blob
  }

  package let name: String
  /// The statement that creates it.
  package let schema: String
  /// The columns of the table, except one that is the rowid.
  package let columns: [(name: String, type: ColumnType)]
  /// The columns of its primary key, all of them texts; empty if it has no index.
  package let key: [String]
  /// A Boolean value that indicates whether a database without a row of it is of no use.
  package let isRequired: Bool
  /// A Boolean value that indicates whether a database may lack it.
  package let isOptional: Bool
  /// A Boolean value that indicates whether a column may have no value.
  let isNullable: Bool
  /// A name for the number that SQLite gives each row.
  let rowNumber: String

  package init(
    name: String, schema: String, columns: [(name: String, type: ColumnType)], key: [String] = [],
    isRequired: Bool = false, isOptional: Bool = false, isNullable: Bool = false, rowNumber: String = "rowid"
  ) {
    self.name = name
    self.schema = schema
    self.columns = columns
    self.key = key
    self.isRequired = isRequired
    self.isOptional = isOptional
    self.isNullable = isNullable
    self.rowNumber = rowNumber
  }

  /// The index of the primary key. It contains the key and the rowid of each row.
  package var index: String { "sqlite_autoindex_\(name)_1" }
}
