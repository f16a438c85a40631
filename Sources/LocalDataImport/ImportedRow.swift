import LocalDataSQLite

/// A row of another library's store. The initializer of a record reads it.
public struct ImportedRow: ~Copyable {
  let row: SQLiteRow
  let reader: ImportReader

  /// The number of the row in its table.
  var number: Int64 { row.integer(0) }

  /// Returns the position of a column in the statement.
  borrowing func position(_ column: Int) -> Int32 { Int32(column) + 1 }

  /// Returns true if a column has no value. An error that follows is about this column.
  borrowing func isNull(_ column: Int) -> Bool {
    reader.column = column
    return row.isNull(position(column))
  }
}

@_spi(Generated) extension ImportedRow {
  /// Reads the value of a column.
  ///
  /// - Throws: An error for which the row is left out, if the value is missing or is none of the type.
  public borrowing func value<Value: ImportedValue>(_ column: Int) throws -> Value {
    let isMissing = isNull(column)
    do { return try Value(importing: self, column) } catch let error as BadValue {
      throw isMissing ? BadValue(reason: reader.absence) : error
    }
  }

  /// Reads the value of a column. Returns `absent` if there is none.
  ///
  /// - Throws: An error for which the row is left out, if the value is none of the type.
  public borrowing func value<Value: ImportedValue>(_ column: Int, or absent: Value) throws -> Value {
    isNull(column) ? absent : try value(column)
  }

  /// Reads the value of a column, and transforms it.
  public borrowing func value<Old: ImportedValue, New>(
    _ column: Int, _ transform: (Old) throws -> New
  ) throws -> New { try transform(value(column)) }

  /// Reads the value of a column, and transforms it. Returns `absent` if there is none.
  public borrowing func value<Old: ImportedValue, New>(
    _ column: Int, or absent: New, _ transform: (Old) throws -> New
  ) throws -> New { isNull(column) ? absent : try transform(value(column)) }

  /// Reads an enum by its raw value.
  public borrowing func enumeration<Value: RawRepresentable>(
    _ column: Int, or absent: Value? = nil
  ) throws -> Value where Value.RawValue: ImportedValue {
    if let absent, isNull(column) { return absent }
    guard let value = Value(rawValue: try value(column)) else { throw BadValue(reason: .unknownCase) }
    return value
  }

  /// Reads an enum by its raw value. Returns nil if there is none.
  public borrowing func optionalEnumeration<Value: RawRepresentable>(
    _ column: Int
  ) throws -> Value? where Value.RawValue: ImportedValue {
    isNull(column) ? nil : try enumeration(column)
  }

  /// Reads the rows that refer to this one, in their order.
  public borrowing func children<Element>(
    _ column: Int, _ read: (borrowing ImportedRow) throws -> Element
  ) throws -> [Element] {
    reader.column = column
    var elements: [Element] = []
    if let (reader, sql) = reader.children[column] {
      try reader.visit(sql, [.integer(number)]) { elements.append(try read($0)) }
    }
    return elements
  }
}
