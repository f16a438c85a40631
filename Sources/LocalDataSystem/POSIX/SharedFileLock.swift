import LocalDataFoundation

/// A lock between processes and threads that many callers can hold shared, or one caller exclusively: `flock` on two files
/// that are never unlinked.
///
/// A caller that waits for the exclusive lock holds the gate, so that later callers queue there and cannot delay it.
package struct SharedFileLock: Sendable {
  package enum Mode: Sendable {
    case shared, exclusive

    fileprivate var operation: Int32 { self == .shared ? LOCK_SH : LOCK_EX }
  }

  private let folder: FolderLocation
  private let name: String

  /// The lock named `name` in a folder, which is created when the lock is taken.
  package init(in folder: FolderLocation, named name: String) {
    self.folder = folder
    self.name = name
  }

  /// Runs `body` with the lock held. The files are opened for each call: a lock belongs to an open file, not to a thread.
  ///
  /// - Throws: ``StorageProblem/busy`` if the lock is not free in time, and what `body` throws.
  package func hold<Result>(
    _ mode: Mode, patience: Duration = FileLock.patience, _ body: () throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result {
    let deadline = CallDeadline.end(of: patience)
    guard let folder = try folder.open(creating: true) else { throw .io(errno: ENOENT) }
    // See `FileLock`: the system ends an app that is suspended with such a lock.
    let activity = folder.isShared ? try ExpiringActivity.begin(until: deadline) : nil
    defer { activity?.end() }
    let gate = try FileLock.open(FileLock.gateName(name), in: folder)
    let lock = try FileLock.open(FileLock.lockName(name), in: folder)
    do {
      try gate.takeLock(mode.operation, until: deadline, in: activity)
      defer { gate.releaseLock() }
      try lock.takeLock(mode.operation, until: deadline, in: activity)
    }
    defer { lock.releaseLock() }
    return try body()
  }
}
