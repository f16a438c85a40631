import LocalDataSQLite
import LocalDataSystem

extension SQLiteConnection {
  /// Runs the statements of a content. The rows of a table may come before those to which they refer.
  func restore(_ content: [String]) throws(StorageProblem) {
    try execute("PRAGMA foreign_keys = OFF")
    for statement in content { try execute(statement) }
    try execute("PRAGMA foreign_keys = ON")
    guard try first("PRAGMA foreign_key_check", [], { _ in true }) == nil else { throw .databaseDamaged }
  }
}
