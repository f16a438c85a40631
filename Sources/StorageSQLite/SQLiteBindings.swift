internal import CLocalDataSQLite
package import SmallFoundation
package import StorageSystem

/// The parameters of a statement, which are bound in their order. They are valid until the closure that got them returns.
package struct SQLiteBindings: ~Copyable {
  private let statement: OpaquePointer
  private var index: Int32 = 0
  /// The first code that was not `SQLITE_OK`. The statement does not run then.
  private(set) var failure = SQLITE_OK

  init(_ statement: OpaquePointer) { self.statement = statement }

  /// `SQLITE_OK` if each parameter of the statement has a value.
  var code: Int32 {
    if failure != SQLITE_OK { return failure }
    return index == sqlite3_bind_parameter_count(statement) ? SQLITE_OK : SQLITE_RANGE
  }

  /// Returns these bindings for another owner, which assigns them back when it has bound its values.
  package borrowing func lent() -> SQLiteBindings {
    var bindings = SQLiteBindings(statement)
    (bindings.index, bindings.failure) = (index, failure)
    return bindings
  }

  package mutating func append(_ value: SQLiteValue) {
    switch value {
    case .integer(let value): append(value)
    case .real(let value): append(value)
    case .text(let value): append(value)
    case .blob(let value): value.withUnsafeBytes { append($0) }
    case .uuid(let value): withUnsafeBytes(of: value.uuid) { append($0) }
    case .null: appendNull()
    }
  }

  package mutating func append(_ value: Int64) { note(sqlite3_bind_int64(statement, next(), value)) }

  /// Appends a number. SQLite stores NaN as NULL.
  package mutating func append(_ value: Double) { note(sqlite3_bind_double(statement, next(), value)) }

  package mutating func append(_ value: String) {
    var value = value
    let index = next()
    note(
      value.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { characters in
          sqlite3_bind_text64(
            statement, index, characters.baseAddress ?? Self.empty, UInt64(characters.count), Self.transient,
            UInt8(SQLITE_UTF8))
        }
      })
  }

  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    let index = next()
    // No pointer would bind NULL.
    guard let start = bytes.baseAddress, !bytes.isEmpty else {
      return note(sqlite3_bind_zeroblob(statement, index, 0))
    }
    note(sqlite3_bind_blob64(statement, index, start, UInt64(bytes.count), Self.transient))
  }

  package mutating func appendNull() { note(sqlite3_bind_null(statement, next())) }

  private mutating func next() -> Int32 {
    index += 1
    return index
  }

  private mutating func note(_ code: Int32) {
    if failure == SQLITE_OK { failure = code }
  }

  /// SQLITE_TRANSIENT, a macro that Swift does not import: SQLite copies the bytes at once.
  private static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

  // Never freed or written: the address that stands for a text of no bytes.
  nonisolated(unsafe) private static let empty: UnsafePointer<CChar> = {
    let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    byte.initialize(to: 0)
    return UnsafePointer(byte)
  }()
}

extension SQLiteConnection {
  /// Runs a statement that returns no rows, and returns the number of rows that it has changed.
  @discardableResult
  package func run(
    _ sql: String, binding bind: (inout SQLiteBindings) throws(StorageFault) -> Void
  ) throws(StorageFault) -> Int {
    try rows(sql, binding: bind) { _ throws(StorageFault) in true }
    return Int(sqlite3_changes(handle))
  }
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
