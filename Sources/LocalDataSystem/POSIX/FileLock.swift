import LocalDataFoundation

/// A lock between processes, and between the threads of each of them: `flock` on files beside the guarded ones, which are
/// never unlinked.
///
/// The threads of a process queue for the lock, so that one of them at a time waits for other processes. That thread polls,
/// because its wait must end. A poller alone would starve beside a process that takes the lock again at once. So there is a
/// gate before the lock: the waiting caller holds the gate, and the other process queues there. Only a caller that writes one
/// value takes a free lock without the gate.
package struct FileLock: ~Copyable, Sendable {
  /// The time to wait for a lock before ``StorageProblem/busy`` is thrown.
  package static let patience = CallDeadline.ordinaryPatience

  private let gate: Descriptor
  private let lock: Descriptor
  private let isShared: Bool
  private let turn: Turn

  /// A lock file in one process. A forked process has no thread that would release a turn.
  package struct Turn: Hashable, Sendable {
    let file: FileID
    let process: pid_t
  }

  private static let turns = ThreadTurns()

  /// The lock named `name` in a folder, made where it is absent.
  package init(in folder: borrowing Folder, named name: String) throws(StorageProblem) {
    let gate = try Self.open(Self.gateName(name), in: folder)
    let lock = try Self.open(Self.lockName(name), in: folder)
    let turn = Turn(file: FileID(try lock.status()), process: getpid())
    self.gate = gate
    self.lock = lock
    self.turn = turn
    isShared = folder.isShared
  }

  /// The leading dot: no stored name becomes such a file's.
  package static func lockName(_ name: String) -> String { ".\(name).lock" }
  static func gateName(_ name: String) -> String { ".\(name).gate" }

  /// Opens the file of a lock or of its gate, which is created if it does not exist.
  static func open(_ name: String, in folder: borrowing Folder) throws(StorageProblem) -> Descriptor {
    guard let file = try folder.file(name, O_RDWR | O_CREAT) else { throw .io(errno: ENOENT) }
    guard try file.status().isRegularFile else { throw .io(errno: EINVAL) }
    return file
  }

  /// Returns true if the lock's file still has its name. The folder may have been deleted. Without the file of the gate the
  /// lock still excludes others.
  package var isInPlace: Bool {
    get throws(StorageProblem) { try lock.status().st_nlink > 0 }
  }

  /// Runs `body` with the lock held. The wait for it ends with the deadline of the current call, if that is earlier.
  ///
  /// In the container of an app group, or of an extension, the lock is held inside an ``ExpiringActivity``. If the system does
  /// not grant one, or ends it before the lock is taken, this throws ``StorageProblem/busy`` and `body` does not run.
  package func hold<Result>(
    patience: Duration, _ body: () throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result {
    try hold(until: CallDeadline.end(of: patience), body)
  }

  /// Runs `body` with the lock held, if it can be taken until `deadline`.
  package func hold<Result>(
    until deadline: ContinuousClock.Instant, _ body: () throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result {
    let activity = try take(until: deadline)
    defer { release(activity) }
    return try body()
  }

  /// Takes the lock. Call ``release(_:)`` afterwards, on this thread or another one.
  ///
  /// - Parameters:
  ///   - end: The end of the wait; `nil` if the thread must not wait.
  ///   - isBrief: True if the caller holds the lock for so short a time, and runs no code of the app meanwhile, that it does not
  ///     starve others if it passes them at the gate. If the lock is not free, the caller queues like the others.
  package func take(
    until end: ContinuousClock.Instant?, isBrief: Bool = false
  ) throws(StorageProblem) -> ExpiringActivity? {
    try Self.turns.take(turn, until: end)
    do throws(StorageProblem) {
      let deadline = end ?? ContinuousClock.now
      let activity = isShared ? try ExpiringActivity.begin(until: deadline) : nil
      do throws(StorageProblem) {
        if !isBrief || flock(lock.raw, LOCK_EX | LOCK_NB) != 0 { try passGate(until: deadline, in: activity) }
      } catch {
        activity?.end()
        throw error
      }
      return activity
    } catch {
      Self.turns.end(turn)
      throw error
    }
  }

  package func release(_ activity: ExpiringActivity?) {
    lock.releaseLock()
    activity?.end()
    Self.turns.end(turn)
  }

  private func passGate(
    until deadline: ContinuousClock.Instant, in activity: ExpiringActivity?
  ) throws(StorageProblem) {
    try gate.takeLock(LOCK_EX, until: deadline, in: activity)
    defer { gate.releaseLock() }
    try lock.takeLock(LOCK_EX, until: deadline, in: activity)
  }
}

extension Descriptor {
  /// Takes a lock of the open file.
  ///
  /// - Parameters:
  ///   - operation: `LOCK_EX` for an exclusive lock, `LOCK_SH` for a shared one.
  ///   - activity: The activity in which the lock is held, if the system ends apps that are suspended with it.
  /// - Throws: ``StorageProblem/busy`` if the lock is not free at the deadline, or the activity ends before.
  func takeLock(
    _ operation: Int32, until deadline: ContinuousClock.Instant, in activity: ExpiringActivity?
  ) throws(StorageProblem) {
    if flock(raw, operation | LOCK_NB) == 0 { return }
    let start = ContinuousClock.now
    defer { CallDeadline.noteWait(since: start) }
    var pause: UInt32 = 50
    while flock(raw, operation | LOCK_NB) != 0 {
      let code = errno
      if code == EINTR { continue }
      guard code == EWOULDBLOCK else { throw StorageProblem(errno: code) }
      guard ContinuousClock.now < deadline, activity?.isExpired != true else { throw .busy }
      usleep(pause)
      pause = min(pause * 2, 2_000)
    }
  }

  /// Releases the lock. Closing the file releases it too.
  func releaseLock() { _ = flock(raw, LOCK_UN) }
}

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
