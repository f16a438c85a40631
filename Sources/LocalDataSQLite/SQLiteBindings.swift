internal import CLocalDataSQLite
import LocalDataFoundation
import LocalDataSystem

/// The parameters of a statement, which are bound in their order. They are valid until the closure that got them returns.
package struct SQLiteBindings: ~Copyable {
  private let statement: OpaquePointer
  /// Memory of the connection that stays as it is until the statement ends.
  private let room: UnsafeMutableRawBufferPointer
  /// The bytes of it that are in use.
  private(set) var used = 0
  private var index: Int32 = 0
  /// The first code that was not `SQLITE_OK`. The statement does not run then.
  private(set) var failure = SQLITE_OK

  init(_ statement: OpaquePointer, in room: UnsafeMutableRawBufferPointer) {
    self.statement = statement
    self.room = room
  }

  /// `SQLITE_OK` if each parameter of the statement has a value.
  var code: Int32 {
    if failure != SQLITE_OK { return failure }
    return index == sqlite3_bind_parameter_count(statement) ? SQLITE_OK : SQLITE_RANGE
  }

  /// Returns these bindings for another owner, which assigns them back when it has bound its values.
  package borrowing func lent() -> SQLiteBindings {
    var bindings = SQLiteBindings(statement, in: room)
    bindings.used = used
    bindings.index = index
    bindings.failure = failure
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
        let copy = kept(UnsafeRawBufferPointer(bytes))
        return bytes.withMemoryRebound(to: CChar.self) { characters in
          sqlite3_bind_text64(
            statement, index, copy?.assumingMemoryBound(to: CChar.self) ?? characters.baseAddress ?? Self.empty,
            UInt64(characters.count), copy == nil ? Self.transient : nil, UInt8(SQLITE_UTF8))
        }
      })
  }

  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    let index = next()
    // No pointer would bind NULL.
    guard let start = bytes.baseAddress, !bytes.isEmpty else {
      return note(sqlite3_bind_zeroblob(statement, index, 0))
    }
    let copy = kept(bytes)
    note(
      sqlite3_bind_blob64(statement, index, copy ?? start, UInt64(bytes.count), copy == nil ? Self.transient : nil))
  }

  /// Returns a copy of bytes that SQLite need not copy, or `nil` if there is no room for it.
  private mutating func kept(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    guard let start = bytes.baseAddress, let first = room.baseAddress, bytes.count <= room.count - used else {
      return nil
    }
    let copy = first + used
    copy.copyMemory(from: start, byteCount: bytes.count)
    used += bytes.count
    return UnsafeRawPointer(copy)
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
