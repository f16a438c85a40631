/// The events of a router's sync from now on, for one listener: ask ``StorageSync/events`` again for another.
///
///     for await event in router.sync.events { … }
///
/// At most 256 events wait for the listener. After that, the oldest is dropped for each new one.
public struct SyncEvents: AsyncSequence, Sendable {
  /// An event.
  public typealias Element = SyncEvent

  fileprivate let stream: AsyncStream<SyncEvent>

  /// An iterator, for the one listener.
  public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }

  /// Waits for one event after the other.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: AsyncStream<SyncEvent>.Iterator

    /// The next event; `nil` once the router is gone.
    public mutating func next() async -> SyncEvent? { await base.next() }
  }
}

/// Hands each event to all who listen.
final class SyncEventHub: Sendable {
  private struct Listeners: Sendable {
    var next = 0
    var all: [Int: AsyncStream<SyncEvent>.Continuation] = [:]
  }

  private let listeners = Lock(Listeners())
  private static let kept = 256

  /// Returns the events for one more listener, from now on.
  func events() -> SyncEvents {
    let (stream, continuation) = AsyncStream.makeStream(
      of: SyncEvent.self, bufferingPolicy: .bufferingNewest(Self.kept))
    let number = listeners.withLock { listeners in
      listeners.next += 1
      listeners.all[listeners.next] = continuation
      return listeners.next
    }
    // Held weakly: a listener keeps the hub no longer than its router does.
    continuation.onTermination = { [weak self] _ in
      self?.listeners.withLock { _ = $0.all.removeValue(forKey: number) }
    }
    return SyncEvents(stream: stream)
  }

  func tell(_ event: SyncEvent) {
    let all = listeners.withLock { Array($0.all.values) }
    for listener in all { listener.yield(event) }
  }

  deinit { listeners.withLock { listeners in listeners.all.values.forEach { $0.finish() } } }
}
