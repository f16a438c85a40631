package import LocalData
import StorageSQLite
import StorageSystem

/// The content of a database in memory as statements of SQL. Fixtures keep it as text.
extension StorageRouter {
  /// Creates a database in memory with a content. No call may have used the database before.
  package nonisolated func restore<Database: RecordDatabase>(
    _ type: Database.Type, content: [String]
  ) throws(StorageError) {
    _ = try store(type, content: content)
  }
}

extension SQLiteConnection {
  /// Runs the statements of a content. The rows of a table may come before those to which they refer.
  func restore(_ content: [String]) throws(StorageFault) {
    try execute("PRAGMA foreign_keys = OFF")
    for statement in content { try execute(statement) }
    try execute("PRAGMA foreign_keys = ON")
    guard try first("PRAGMA foreign_key_check", [], { _ in true }) == nil else { throw .databaseDamaged }
  }
}
