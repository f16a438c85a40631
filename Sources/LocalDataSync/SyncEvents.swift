import LocalData
import LocalDataFoundation

/// A sequence of the sync events of a router, for one listener. Access ``StorageSync/events`` again for another listener.
///
///     for await event in router.sync.events { … }
///
/// At most 256 events wait for the listener. After that, the oldest is dropped for each new one.
public struct SyncEvents: AsyncSequence, Sendable {
  /// An event.
  public typealias Element = SyncEvent

  fileprivate let stream: AsyncStream<SyncEvent>

  /// Returns an iterator for the listener.
  public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }

  /// An iterator that waits for one event after the other.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: AsyncStream<SyncEvent>.Iterator

    /// Waits for the next event. Returns `nil` after the router was released, or if the task is cancelled.
    @concurrent public mutating func next() async -> SyncEvent? { await base.next() }
  }
}

/// The listeners of a router's sync events.
final class SyncEventHub: Sendable {
  private struct Listeners: Sendable {
    var next = 0
    var all: [Int: AsyncStream<SyncEvent>.Continuation] = [:]
  }

  private let listeners = Lock(Listeners())
  private static let kept = 256

  /// Returns a sequence of all later events for one more listener.
  func events() -> SyncEvents {
    let (stream, continuation) = AsyncStream.makeStream(
      of: SyncEvent.self, bufferingPolicy: .bufferingNewest(Self.kept))
    let number = listeners.withLock { listeners in
      listeners.next += 1
      listeners.all[listeners.next] = continuation
      return listeners.next
    }
    // The reference is weak, so that a listener does not keep the hub after its router was released.
    continuation.onTermination = { [weak self] _ in
      self?.listeners.withLock { _ = $0.all.removeValue(forKey: number) }
    }
    return SyncEvents(stream: stream)
  }

  /// Passes an event to all listeners.
  func publish(_ event: SyncEvent) {
    let all = listeners.withLock { Array($0.all.values) }
    for listener in all { listener.yield(event) }
  }

  deinit { listeners.withLock { listeners in listeners.all.values.forEach { $0.finish() } } }
}
