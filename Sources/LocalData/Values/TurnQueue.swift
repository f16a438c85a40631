import Dispatch
import LocalDataFoundation
import LocalDataStores

/// Turns of asynchronous calls: a number of them have the turn at a place at the same time, and the others wait for it in the
/// order of their requests. A call that waits occupies no thread.
///
/// An actor is not enough: other calls run while one of them awaits a result.
package final class TurnQueue: Sendable {
  private struct Waiter: Sendable {
    let end: ContinuousClock.Instant
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct Line: Sendable {
    var taken = 0
    var waiting: [Waiter] = []

    /// Takes the turn, and returns true if it was free.
    mutating func take(_ limit: Int) -> Bool {
      guard taken < limit else { return false }
      taken += 1
      return true
    }
  }

  private struct State: Sendable {
    var lines: [StorageAddress: Line] = [:]
    /// The time at which waiting calls are looked at next.
    var alarm: ContinuousClock.Instant?
  }

  private let limit: Int
  private let state = Lock(State())

  /// - Parameter limit: The number of calls that have the turn at one place at the same time.
  init(limit: Int = 1) { self.limit = limit }

  /// Takes the turn at a place, and returns false if the call waited for it until its deadline. A wait that belongs to no
  /// call ends after `patience`.
  package func take(_ address: StorageAddress, patience: Duration = CallDeadline.ordinaryPatience) async -> Bool {
    if state.withLock({ [limit] in $0.lines[address, default: Line()].take(limit) }) { return true }
    let start = ContinuousClock.now
    let end = CallDeadline.end(of: patience)
    defer { CallDeadline.noteWait(since: start) }
    return await withCheckedContinuation { continuation in
      let waiter = Waiter(end: end, continuation: continuation)
      let isTaken = state.withLock { [limit] state in
        // It may have become free since.
        if state.lines[address, default: Line()].take(limit) { return true }
        state.lines[address]?.waiting.append(waiter)
        return false
      }
      if isTaken { continuation.resume(returning: true) } else { wake(at: end) }
    }
  }

  /// Passes the turn to the call that has waited longest.
  package func end(_ address: StorageAddress) {
    let next = state.withLock { state -> Waiter? in
      guard let index = state.lines.index(forKey: address) else { return nil }
      if !state.lines[index].value.waiting.isEmpty { return state.lines.values[index].waiting.removeFirst() }
      state.lines.values[index].taken -= 1
      if state.lines[index].value.taken == 0 { state.lines.remove(at: index) }
      return nil
    }
    next?.continuation.resume(returning: true)
  }

  // MARK: The ends of waits

  /// One timer serves all waits, since most of them end in their order.
  private func wake(at end: ContinuousClock.Instant) {
    let isNeeded = state.withLock { state in
      if let alarm = state.alarm, alarm <= end { return false }
      state.alarm = end
      return true
    }
    guard isNeeded else { return }
    DispatchQueue.global().asyncAfter(deadline: DispatchTime(end)) { [weak self] in self?.expire() }
  }

  private func expire() {
    let now = ContinuousClock.now
    let (ended, next) = state.withLock { state -> ([Waiter], ContinuousClock.Instant?) in
      state.alarm = nil
      var ended: [Waiter] = []
      for address in state.lines.keys {
        ended += state.lines[address]?.waiting.filter { $0.end <= now } ?? []
        state.lines[address]?.waiting.removeAll { $0.end <= now }
      }
      return (ended, state.lines.values.flatMap(\.waiting).map(\.end).min())
    }
    for waiter in ended { waiter.continuation.resume(returning: false) }
    if let next { wake(at: next) }
  }
}
