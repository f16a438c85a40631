import Testing

@testable import LocalData

extension MigrationLog {
  /// Returns the last entry of every key in a log in a file or in memory.
  func entries() throws -> [AddressID: MigrationEntry] {
    let lines =
      if let file = self as? FileMigrationLog { try file.lines() } else {
        try #require(self as? MemoryMigrationLog).lines
      }
    return Dictionary(lines.map { ($0.address, $0) }) { $1 }
  }
}
