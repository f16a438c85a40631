/// A table of another library's store, and the columns of it that a record is made from. Generated code declares it.
@_spi(Generated) public struct ImportedTable: Sendable {
  /// The entity of Core Data, or the table.
  let name: String
  /// The columns in the order in which the record's initializer reads them.
  let columns: [Column]

  public init(_ name: String, _ columns: [Column]) {
    self.name = name
    self.columns = columns
  }

  /// A column, or what takes the place of one.
  public struct Column: Sendable {
    /// The field of the record, for reports.
    let field: String
    let content: Content
  }

  enum Content: Sendable {
    case value(String)
    /// The number of the row.
    case rowNumber
    /// Bytes that Core Data may have stored in a file.
    case external(String)
    /// A column of the row that a column refers to by its number, or that number.
    case parent(String, in: String, column: String?)
    /// The rows that refer to this one.
    case children(Relationship)
  }

  /// The rows of another table that belong to a row.
  struct Relationship: Sendable {
    let name: String
    /// The relationship, or the column, by which they refer to the row; nil if Core Data has no inverse of the relationship.
    let inverse: String?
    let table: ImportedTable
  }
}

@_spi(Generated) extension ImportedTable.Column {
  public static func value(_ column: String, for field: String) -> Self { Self(field: field, content: .value(column)) }

  public static func rowNumber(for field: String) -> Self { Self(field: field, content: .rowNumber) }

  public static func external(_ column: String, for field: String) -> Self {
    Self(field: field, content: .external(column))
  }

  /// A column of the row of `table` whose number is in `reference`, or that number.
  public static func parent(
    _ reference: String, in table: String, _ column: String? = nil, for field: String
  ) -> Self {
    Self(field: field, content: .parent(reference, in: table, column: column))
  }

  public static func children(
    _ name: String, inverse: String? = nil, _ table: ImportedTable, for field: String
  ) -> Self { Self(field: field, content: .children(.init(name: name, inverse: inverse, table: table))) }
}
