/// Serves overlapping calls on one place one after another, in the order in which they asked.
///
/// An actor alone does not: an `await` inside lets others in.
struct TurnQueue {
  private var waiting: [StoragePlace: [CheckedContinuation<Void, Never>]] = [:]

  /// Whether nobody has the turn at a place. Takes it then.
  mutating func takeTurn(at place: StoragePlace) -> Bool {
    guard waiting[place] == nil else { return false }
    waiting[place] = []
    return true
  }

  /// Queues behind who has the turn.
  mutating func wait(_ continuation: CheckedContinuation<Void, Never>, at place: StoragePlace) {
    waiting[place, default: []].append(continuation)
  }

  /// Gives the turn to who asked next.
  mutating func endTurn(at place: StoragePlace) {
    guard let queue = waiting[place], !queue.isEmpty else {
      waiting[place] = nil
      return
    }
    waiting[place]?.removeFirst().resume()
  }
}
