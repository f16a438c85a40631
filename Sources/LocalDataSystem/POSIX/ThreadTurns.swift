import Dispatch
import LocalDataFoundation

/// Turns of threads: one thread has the turn of a key, and the others wait for it in the order of their requests.
///
/// The turn may end on another thread than the one that took it.
package final class ThreadTurns: Sendable {
  /// The key of a turn. The type is not generic, because a generic lock is slower in other modules.
  package typealias Key = FileLock.Turn?

  private final class Waiter: Sendable {
    let isGranted = DispatchSemaphore(value: 0)
    let thread = ThreadTurns.currentThread
  }

  private struct Line: Sendable {
    /// The thread that has taken the turn, or was granted it.
    var holder: UInt
    var waiting: [Waiter] = []
  }

  /// The turns that are taken.
  private let lines = Lock<[Key: Line]>([:])

  /// The number of the current thread. No other thread has it at the same time.
  private static var currentThread: UInt { withUnsafeBytes(of: pthread_self()) { $0.loadUnaligned(as: UInt.self) } }

  package init() {}

  /// Takes the turn of a key.
  ///
  /// - Parameter end: The end of the wait; `nil` if the thread must not wait.
  /// - Throws: ``StorageProblem/busy`` if it was not free until `end`, and ``StorageProblem/reentrantCall`` if the thread has it: then
  ///   it would wait for itself.
  package func take(_ key: Key = nil, until end: ContinuousClock.Instant?) throws(StorageProblem) {
    let waiter = try lines.withLock { (lines) throws(StorageProblem) -> Waiter? in
      guard let line = lines[key] else {
        lines[key] = Line(holder: Self.currentThread)
        return nil
      }
      if line.holder == Self.currentThread { throw .reentrantCall }
      let waiter = Waiter()
      if end != nil { lines[key]?.waiting.append(waiter) }
      return waiter
    }
    guard let waiter else { return }
    guard let end else { throw .busy }
    let start = ContinuousClock.now
    defer { CallDeadline.noteWait(since: start) }
    if waiter.isGranted.wait(timeout: DispatchTime(end)) == .success { return }
    try lines.withLock { (lines) throws(StorageProblem) in
      // The turn may have been granted meanwhile.
      guard let index = lines[key]?.waiting.firstIndex(where: { $0 === waiter }) else { return }
      lines[key]?.waiting.remove(at: index)
      throw .busy
    }
  }

  /// Passes the turn to the thread that has waited longest.
  package func end(_ key: Key = nil) {
    lines.withLock { lines in
      if !Self.grant(key, in: &lines) { lines[key] = nil }
    }
  }

  /// Passes the turn to the thread that has waited longest. If no thread waits, keeps the turn and returns false.
  package func handOver(_ key: Key = nil) -> Bool { lines.withLock { Self.grant(key, in: &$0) } }

  private static func grant(_ key: Key, in lines: inout [Key: Line]) -> Bool {
    guard let next = lines[key]?.waiting.first else { return false }
    lines[key]?.waiting.removeFirst()
    lines[key]?.holder = next.thread
    next.isGranted.signal()
    return true
  }
}
