package import LocalDataFoundation
package import LocalDataSystem

/// Files of SQLite that a scan has found among the values, for example a database of the app in its caches.
///
/// If a process closes any descriptor of a file, the system drops all locks that the process has on the file, also those of
/// SQLite's own descriptors: another process could write at the same time. The content of a file can be recognized only after
/// it is opened. So a file of SQLite is opened once in a process, and its descriptor is never closed.
package enum DatabaseFiles {
  /// Files with an open descriptor. No other file gets the number of such a file while the descriptor is open.
  private static let known = Lock<Set<FileID>>([])
  private static let magic = Data("SQLite format 3\0".utf8)

  /// Returns true if a file was left open before.
  package static func isKnown(_ status: stat) -> Bool {
    let id = FileID(status)
    return known.withLock { $0.contains(id) }
  }

  /// Returns true if a file belongs to SQLite, by its beginning or, for the files beside a database, by its name.
  package static func isDatabase(named name: String, _ beginning: Data) -> Bool {
    if EnvelopeHeader.begins(beginning) { return false }
    return beginning.starts(with: magic) || ["-shm", "-wal", "-journal"].contains { name.hasSuffix($0) }
  }

  /// Leaves a file open until the process ends.
  package static func leaveOpen(_ file: consuming Descriptor, _ status: stat) {
    let id = FileID(status)
    known.withLock { _ = $0.insert(id) }
    file.leaveOpen()
  }
}
