internal import CLocalDataSQLite
package import LocalDataFoundation
import LocalDataSystem

/// The current row of a statement. It is valid until the visit of the row ends.
package struct SQLiteRow {
  let statement: OpaquePointer

  package var count: Int32 { sqlite3_column_count(statement) }

  package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

  package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  package func text(_ column: Int32) -> String? {
    guard let start = sqlite3_column_text(statement, column) else { return nil }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  package func blob(_ column: Int32) -> Data {
    guard let start = sqlite3_column_blob(statement, column) else { return Data() }
    return Data(bytes: start, count: Int(sqlite3_column_bytes(statement, column)))
  }
}

/// A value bound to a statement.
package enum SQLiteValue: Sendable, Equatable {
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Data)
  /// The 16 bytes of a UUID as a blob.
  case uuid(UUID)
  case null
}

extension SQLiteRow {
  /// The form of a stored value.
  package enum Form {
    case integer, real, text, blob, null
  }

  package func form(_ column: Int32) -> Form {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  /// Returns true if the value has a form. Other modules call it, because they would compare forms through a witness table.
  package func has(_ form: Form, _ column: Int32) -> Bool { self.form(column) == form }

  package func real(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }

  // The functions of a value need not find the column again. Any thread may call them, but only one at a time, which is so for
  // each function of a row.

  /// Returns the text of a column, or `nil` if the value is no text in UTF-8.
  package func validText(_ column: Int32) -> String? {
    let value = sqlite3_column_value(statement, column)
    guard sqlite3_value_type(value) == SQLITE_TEXT else { return nil }
    // SQLite ends a text with a zero, as this initializer needs it. The other one compares the text with the bytes.
    if let start = sqlite3_value_text(value).map({ UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) }),
      let text = String(validatingCString: start), text.utf8.count == sqlite3_value_bytes(value)
    {
      return text
    }
    let start = sqlite3_value_blob(value)
    return String(utf8: UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
  }

  /// Returns the integer of a column, or `nil` if the value has another form.
  package func exactInteger(_ column: Int32) -> Int64? {
    let value = sqlite3_column_value(statement, column)
    return sqlite3_value_type(value) == SQLITE_INTEGER ? sqlite3_value_int64(value) : nil
  }

  /// Returns the number of a column, or `nil` if the value has another form.
  package func exactReal(_ column: Int32) -> Double? {
    let value = sqlite3_column_value(statement, column)
    return sqlite3_value_type(value) == SQLITE_FLOAT ? sqlite3_value_double(value) : nil
  }

  /// Returns the UUID whose 16 bytes are the blob of a column, or `nil` if the value is something else.
  package func uuid(_ column: Int32) -> UUID? {
    let value = sqlite3_column_value(statement, column)
    guard sqlite3_value_type(value) == SQLITE_BLOB, let start = sqlite3_value_blob(value),
      sqlite3_value_bytes(value) == MemoryLayout<uuid_t>.size
    else { return nil }
    return UUID(uuid: start.loadUnaligned(as: uuid_t.self))
  }

  /// Returns what `body` returns for the bytes of a text or blob. SQLite owns them.
  package func withBytes<Result, Failure: Error>(
    _ column: Int32, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = sqlite3_column_blob(statement, column)
    return try body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
  }
}

extension SQLiteRow {
  /// Returns the exact stored value, or `nil` if it has another type, or is text that is not UTF-8.
  package func value(_ column: Int32, as type: SQLiteTable.ColumnType) -> SQLiteValue? {
    switch type {
    case .integer: exactInteger(column).map { .integer($0) }
    case .real: exactReal(column).map { .real($0) }
    case .blob: form(column) == .blob ? .blob(blob(column)) : nil
    case .text: validText(column).map { .text($0) }
    }
  }
}
