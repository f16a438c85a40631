import Dispatch
import SmallFoundation

/// Turns of threads: one thread has the turn of a key, and the others wait for it in the order of their requests.
///
/// The turn may end on another thread than the one that took it.
package final class ThreadTurns<Key: Hashable & Sendable>: Sendable {
  private final class Waiter: Sendable {
    let isGranted = DispatchSemaphore(value: 0)
  }

  /// The threads that wait for the turns that are taken.
  private let waiting = Lock<[Key: [Waiter]]>([:])

  package init() {}

  /// Takes the turn of a key, and returns false if it was not free until `end`.
  ///
  /// - Parameter end: The end of the wait; `nil` if the thread must not wait.
  package func take(_ key: Key, until end: ContinuousClock.Instant?) -> Bool {
    let waiter: Waiter? = waiting.withLock { waiting in
      guard waiting[key] != nil else {
        waiting[key] = []
        return nil
      }
      let waiter = Waiter()
      if end != nil { waiting[key]?.append(waiter) }
      return waiter
    }
    guard let waiter else { return true }
    guard let end else { return false }
    let start = ContinuousClock.now
    defer { CallDeadline.noteWait(since: start) }
    if waiter.isGranted.wait(timeout: DispatchTime(end)) == .success { return true }
    // The turn may have been granted meanwhile.
    return waiting.withLock { waiting in
      guard let index = waiting[key]?.firstIndex(where: { $0 === waiter }) else { return true }
      waiting[key]?.remove(at: index)
      return false
    }
  }

  /// Passes the turn to the thread that has waited longest.
  package func end(_ key: Key) {
    waiting.withLock { waiting in
      if !Self.grant(key, in: &waiting) { waiting[key] = nil }
    }
  }

  /// Passes the turn to the thread that has waited longest. If no thread waits, keeps the turn and returns false.
  package func handOver(_ key: Key) -> Bool { waiting.withLock { Self.grant(key, in: &$0) } }

  private static func grant(_ key: Key, in waiting: inout [Key: [Waiter]]) -> Bool {
    guard let next = waiting[key]?.first else { return false }
    waiting[key]?.removeFirst()
    next.isGranted.signal()
    return true
  }
}
