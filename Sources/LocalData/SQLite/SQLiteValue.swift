#if os(Linux)
  internal import CLocalDataSQLite
  package import Foundation

  /// A value bound to a statement.
  package enum SQLiteValue: Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob(Data)

    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
      // SQLITE_TRANSIENT, a macro that Swift does not import: SQLite copies the bytes at once.
      let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      switch self {
      case .null: return sqlite3_bind_null(statement, index)
      case .integer(let value): return sqlite3_bind_int64(statement, index, value)
      case .text(var value):
        return value.withUTF8 { bytes in
          bytes.withMemoryRebound(to: CChar.self) { characters in
            sqlite3_bind_text64(
              statement, index, characters.baseAddress ?? Self.empty, UInt64(characters.count), transient,
              UInt8(SQLITE_UTF8))
          }
        }
      case .blob(let value):
        return value.withUnsafeBytes { bytes in
          // No pointer would bind NULL.
          guard let start = bytes.baseAddress, !bytes.isEmpty else { return sqlite3_bind_zeroblob(statement, index, 0) }
          return sqlite3_bind_blob64(statement, index, start, UInt64(bytes.count), transient)
        }
      }
    }

    // Never freed or written: the address that stands for a text of no bytes.
    nonisolated(unsafe) private static let empty: UnsafePointer<CChar> = {
      let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
      byte.initialize(to: 0)
      return UnsafePointer(byte)
    }()
  }
#endif
