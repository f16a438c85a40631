#if os(Linux)
  internal import CLocalDataSQLite
  package import Foundation

  /// The row a statement stands at; valid until the visit of it ends.
  package struct SQLiteRow {
    let statement: OpaquePointer

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
#endif
