import Foundation

/// A lock between processes, and between threads that open it each for themselves: `flock` on files beside what they
/// guard, which are never unlinked.
///
/// A waiting caller polls, because its wait must end. A poller alone would starve beside a process that takes the lock again
/// at once. So there is a gate before the lock: the waiting caller holds the gate, and the other process queues there.
struct FileLock: ~Copyable, Sendable {
  /// The time to wait for a lock before ``StorageFault/busy`` is thrown.
  static let patience: Duration = .seconds(10)

  private let gate: Descriptor
  private let lock: Descriptor
  private let isShared: Bool

  /// The lock named `name` in a folder, made where it is absent.
  init(in folder: borrowing Folder, named name: String) throws(StorageFault) {
    let gate = try Self.open(Self.gateName(name), in: folder)
    let lock = try Self.open(Self.lockName(name), in: folder)
    self.gate = gate
    self.lock = lock
    isShared = folder.isShared
  }

  /// The leading dot: no stored name becomes such a file's.
  static func lockName(_ name: String) -> String { ".\(name).lock" }
  static func gateName(_ name: String) -> String { ".\(name).gate" }

  private static func open(_ name: String, in folder: borrowing Folder) throws(StorageFault) -> Descriptor {
    guard let file = try folder.file(name, O_RDWR | O_CREAT) else { throw .io(errno: ENOENT) }
    guard try file.status().isRegularFile else { throw .io(errno: EINVAL) }
    return file
  }

  /// Returns true if the lock's files still have their names. The folder may have been deleted.
  var isInPlace: Bool {
    get throws(StorageFault) {
      let links = (try lock.status().st_nlink, try gate.status().st_nlink)
      return links.0 > 0 && links.1 > 0
    }
  }

  /// Runs `body` with the lock held.
  ///
  /// In the container of an app group the lock is held inside an ``ExpiringActivity``. If the system does not grant one,
  /// or ends it before the lock is taken, this throws ``StorageFault/busy`` and `body` does not run.
  func hold<Result>(
    patience: Duration, _ body: () throws(StorageFault) -> Result
  ) throws(StorageFault) -> Result {
    let deadline = ContinuousClock.now + patience
    let activity = isShared ? try ExpiringActivity.begin(until: deadline) : nil
    defer { activity?.end() }
    try gate.takeLock(LOCK_EX, until: deadline, in: activity)
    do throws(StorageFault) { try lock.takeLock(LOCK_EX, until: deadline, in: activity) } catch {
      gate.releaseLock()
      throw error
    }
    gate.releaseLock()
    defer { lock.releaseLock() }
    return try body()
  }
}

extension Descriptor {
  /// Takes a lock of the open file.
  ///
  /// - Parameters:
  ///   - operation: `LOCK_EX` for the lock alone, `LOCK_SH` for a share of it.
  ///   - activity: The activity in which the lock is held, if the system ends apps that are suspended with it.
  /// - Throws: ``StorageFault/busy`` if the lock is not free at the deadline, or the activity ends before.
  func takeLock(
    _ operation: Int32, until deadline: ContinuousClock.Instant, in activity: ExpiringActivity?
  ) throws(StorageFault) {
    var pause: UInt32 = 50
    while flock(raw, operation | LOCK_NB) != 0 {
      let code = errno
      if code == EINTR { continue }
      guard code == EWOULDBLOCK else { throw StorageFault(errno: code) }
      guard ContinuousClock.now < deadline, activity?.isExpired != true else { throw .busy }
      usleep(pause)
      pause = min(pause * 2, 2_000)
    }
  }

  /// Gives the lock back. Closing the file does so too.
  func releaseLock() { _ = flock(raw, LOCK_UN) }
}
