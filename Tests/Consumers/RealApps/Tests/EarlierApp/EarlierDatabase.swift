import CLocalDataSQLite
import Foundation

/// A database of another framework, with the C interface of SQLite.
struct EarlierDatabase: Sendable {
  private struct Failure: Error { let code: Int32 }

  let file: URL
  let table: String

  /// Returns the texts in the order in which they were stored.
  @Sendable func texts() throws -> [String]? {
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    return try rows("SELECT text FROM \(table) ORDER BY id", nil)
  }

  /// Replaces all texts.
  func store(_ texts: [String]) throws {
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    _ = try rows("CREATE TABLE IF NOT EXISTS \(table) (id INTEGER PRIMARY KEY, text TEXT)", nil)
    _ = try rows("DELETE FROM \(table)", nil)
    for text in texts { _ = try rows("INSERT INTO \(table) (text) VALUES (?)", text) }
  }

  private func rows(_ sql: String, _ parameter: String?) throws -> [String] {
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    try check(sqlite3_open(file.path, &connection))
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    try check(sqlite3_prepare_v2(connection, sql, -1, &statement, nil))
    // SQLITE_TRANSIENT, which Swift does not import: SQLite copies the text.
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    if let parameter { try check(sqlite3_bind_text(statement, 1, parameter, -1, copied)) }
    var rows: [String] = []
    var code = sqlite3_step(statement)
    while code == SQLITE_ROW {
      if let text = sqlite3_column_text(statement, 0) { rows.append(String(cString: text)) }
      code = sqlite3_step(statement)
    }
    guard code == SQLITE_DONE else { throw Failure(code: code) }
    return rows
  }

  private func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw Failure(code: code) }
  }
}
