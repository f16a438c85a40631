import Foundation
package import LocalData

extension MigrationLog {
  /// Returns the last entry of every key.
  package func lastEntries() throws(StorageProblem) -> [AddressID: MigrationEntry] {
    Dictionary(try entries().map { ($0.address, $0) }) { $1 }
  }

  /// Returns a view of the log to which nothing can be added, and which cannot be read either if `isReadable` is false.
  package func failing(with fault: StorageProblem, isReadable: Bool = true) -> MigrationLog {
    var log = self
    log.willAppend = { () throws(StorageProblem) in throw fault }
    if !isReadable { log.willRead = log.willAppend }
    return log
  }
}

extension MigrationEntry {
  /// Returns an entry. Each name has its own place.
  package static func sample(
    _ name: String, _ phase: Phase = .completed, _ outcome: MigrationEvent.Outcome = .moved
  ) -> MigrationEntry {
    MigrationEntry(
      address: AddressID(.preference(name)), steps: [], phase: phase, moved: [AddressID(.file(name))], launch: UUID(),
      event: MigrationEvent(
        key: name, domain: .userDefaults, sources: [.init(key: name, domain: .fileSystem)], outcome: outcome,
        date: Date(timeIntervalSince1970: 1_000), appVersion: nil))
  }
}
