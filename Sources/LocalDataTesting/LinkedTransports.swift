package import Foundation
package import LocalData

/// The transports of a phone and its watch: what one puts is on its way to the other, along a line that can lose it.
///
/// ```swift
/// let linked = LinkedTransports(seed: 7, line: .init(drops: 0.2, delays: 0.3, duplicates: 0.2))
/// phone.sync.use(linked.phone)
/// for payload in linked.watch.arrivals() { await watch.sync.applyReceived(payload) }
/// ```
package struct LinkedTransports: Sendable {
  package let phone: LinkedTransport
  package let watch: LinkedTransport

  /// How likely what happens to each payload on its way, from 0 to 1.
  package struct Line: Sendable {
    package var drops: Double
    package var delays: Double
    package var duplicates: Double
    package var isReordered: Bool

    package init(drops: Double = 0, delays: Double = 0, duplicates: Double = 0, isReordered: Bool = true) {
      self.drops = drops
      self.delays = delays
      self.duplicates = duplicates
      self.isReordered = isReordered
    }

    /// Everything arrives once and in order.
    package static let perfect = Line(isReordered: false)
  }

  /// A pair whose line behaves the same for the same seed.
  package init(seed: UInt64 = 0, line: Line = .perfect) {
    phone = LinkedTransport(seed: seed, line: line)
    watch = LinkedTransport(seed: ~seed, line: line)
    phone.link(to: watch)
    watch.link(to: phone)
  }
}

/// One end of a pair.
///
/// `@unchecked Sendable`: every mutable property is touched with `lock` held alone.
package final class LinkedTransport: SyncTransport, @unchecked Sendable {
  /// What a test says that a call of the session ends with.
  package struct Failure: Error {}

  private let lock = NSLock()
  private let line: LinkedTransports.Line
  private var random: SplitMix
  private weak var other: LinkedTransport?
  private var current = SyncSession(isActivated: true, isPaired: true, isInstalled: true)
  private var context: Data?
  private var history: [Data] = []
  private var onTheWay: [Data] = []
  private var fails = false

  fileprivate init(seed: UInt64, line: LinkedTransports.Line) {
    random = SplitMix(state: seed)
    self.line = line
  }

  fileprivate func link(to other: LinkedTransport) { lock.withLock { self.other = other } }

  // MARK: The transport

  package var session: SyncSession {
    get { lock.withLock { current } }
    set { lock.withLock { current = newValue } }
  }

  package func payload() throws -> Data? { lock.withLock { context } }

  package func put(_ payload: Data) throws {
    let other = try lock.withLock {
      if fails { throw Failure() }
      context = payload
      history.append(payload)
      return self.other
    }
    other?.send(payload)
  }

  private func send(_ payload: Data) { lock.withLock { onTheWay.append(payload) } }

  // MARK: What a test does

  /// Whether every put fails.
  package var isFailing: Bool {
    get { lock.withLock { fails } }
    set { lock.withLock { fails = newValue } }
  }

  /// All that was put at this end, in order.
  package var sent: [Data] { lock.withLock { history } }

  /// What arrives at this end now: what is neither dropped nor delayed. What is delayed or duplicated stays on its way.
  package func arrivals() -> [Data] {
    lock.withLock {
      var (arrived, stays): ([Data], [Data]) = ([], [])
      for payload in onTheWay {
        if random.happens(line.drops) { continue }
        if random.happens(line.delays) {
          stays.append(payload)
          continue
        }
        arrived.append(payload)
        if random.happens(line.duplicates) { stays.append(payload) }
      }
      onTheWay = stays
      return line.isReordered ? arrived.shuffled(using: &random) : arrived
    }
  }

  /// Forgets what was put, as a system does where another watch is paired.
  package func forget() { lock.withLock { context = nil } }

  /// What the other end put last: a system delivers it in the end, whatever happened on the way.
  package var received: Data? { lock.withLock { other }?.lock(of: \.context) }

  private func lock<Value>(of path: KeyPath<LinkedTransport, Value>) -> Value { lock.withLock { self[keyPath: path] } }
}

/// SplitMix64: the same numbers on every machine.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  mutating func happens(_ likelihood: Double) -> Bool {
    likelihood > 0 && Double.random(in: 0..<1, using: &self) < likelihood
  }
}
