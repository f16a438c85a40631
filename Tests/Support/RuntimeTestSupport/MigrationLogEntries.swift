import Foundation
package import LocalData

extension MigrationLog {
  /// Returns the last entry of every key in a log in a file or in memory.
  package func entries() throws -> [AddressID: MigrationEntry] {
    let lines =
      if let file = self as? FileMigrationLog { try file.lines() } else { (self as? MemoryMigrationLog)?.lines ?? [] }
    return Dictionary(lines.map { ($0.address, $0) }) { $1 }
  }
}

extension MigrationEntry {
  /// Returns an entry. Each name has its own place.
  package static func sample(
    _ name: String, _ phase: Phase = .completed, _ outcome: MigrationRecord.Outcome = .moved
  ) -> MigrationEntry {
    MigrationEntry(
      address: AddressID(.preference(name)), steps: [], phase: phase, moved: [AddressID(.file(name))], launch: UUID(),
      record: MigrationRecord(
        key: name, domain: .userDefaults, sources: [.init(key: name, domain: .fileSystem)], outcome: outcome,
        date: Date(timeIntervalSince1970: 1_000), appVersion: nil))
  }
}
