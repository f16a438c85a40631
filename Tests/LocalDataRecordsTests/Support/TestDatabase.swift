import Foundation
import LocalDataSQLite
import LocalDataSystem
import TestSupport

/// A database of one test.
final class TestDatabase {
  private let folder: ScratchFolder
  let connection: SQLiteConnection

  init(_ schema: String) throws {
    folder = try ScratchFolder(isInMemory: true)
    let file = folder.url.appendingPathComponent("test.db")
    try Data().write(to: file)
    connection = try SQLiteConnection(path: file.path, isDurable: false, until: .now + .seconds(60))
    try connection.execute(schema)
  }
}
