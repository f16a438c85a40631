import LocalData
import LocalDataFoundation

/// The log of a router.
final class LogLines: Sendable {
  private let entries = Lock<[StorageLogEntry]>([])

  var all: [StorageLogEntry] { entries.withLock { $0 } }

  func add(_ entry: StorageLogEntry) { entries.withLock { $0.append(entry) } }
}
