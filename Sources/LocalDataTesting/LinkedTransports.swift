public import Foundation
public import LocalData

/// The transports of a phone and its watch: what one puts is on its way to the other, along a line that can lose it.
///
/// ```swift
/// let linked = LinkedTransports(seed: 7, line: .init(drops: 0.2, delays: 0.3, duplicates: 0.2))
/// phone.sync.setTransport(linked.phone)
/// for payload in linked.watch.arrivals() { await watch.sync.receive(payload) }
/// ```
public struct LinkedTransports: Sendable {
  /// The end of the phone.
  public let phone: LinkedTransport
  /// The end of the watch.
  public let watch: LinkedTransport

  /// The faults of a connection. Each probability is from 0 to 1, for each payload.
  public struct Line: Sendable {
    /// The probability that a payload is lost.
    public var drops: Double
    /// The probability that a payload is not among those of a delivery, and comes with a later one.
    public var delays: Double
    /// The probability that a payload is delivered, and once more later.
    public var duplicates: Double
    /// A Boolean value that indicates whether payloads that arrive together arrive in any order.
    public var isReordered: Bool

    /// Creates a line. Without arguments nothing is lost, delayed or delivered twice, and the order is any.
    public init(drops: Double = 0, delays: Double = 0, duplicates: Double = 0, isReordered: Bool = true) {
      self.drops = drops
      self.delays = delays
      self.duplicates = duplicates
      self.isReordered = isReordered
    }

    /// Everything arrives once and in order.
    public static let perfect = Line(isReordered: false)
  }

  /// A pair whose line behaves the same for the same seed.
  public init(seed: UInt64 = 0, line: Line = .perfect) {
    phone = LinkedTransport(seed: seed, line: line)
    watch = LinkedTransport(seed: ~seed, line: line)
    phone.link(to: watch)
    watch.link(to: phone)
  }
}

/// One end of a pair.
///
/// `@unchecked Sendable`: every mutable property is touched with `lock` held alone.
public final class LinkedTransport: SyncTransport, @unchecked Sendable {
  /// The error of a call of the session that a test lets fail.
  public struct Failure: Error {}

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

  /// The state of the app's session: activated, paired and installed unless a test sets another one.
  public var session: SyncSession {
    get { lock.withLock { current } }
    set { lock.withLock { current = newValue } }
  }

  /// Returns the payload that was put last.
  ///
  /// - Throws: Nothing.
  public func payload() throws -> Data? { lock.withLock { context } }

  /// Sends a payload on its way to the other end.
  ///
  /// - Throws: ``Failure`` if a test asks for it.
  public func put(_ payload: Data) throws {
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

  /// A Boolean value that indicates whether every put fails.
  public var isFailing: Bool {
    get { lock.withLock { fails } }
    set { lock.withLock { fails = newValue } }
  }

  /// All that was put at this end, in order.
  public var sent: [Data] { lock.withLock { history } }

  /// Returns the payloads that arrive at this end now: those that are neither dropped nor delayed. Payloads that are delayed
  /// or duplicated arrive later.
  public func arrivals() -> [Data] {
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

  /// Forgets the payloads that were put, as the system does when another watch is paired.
  public func forget() { lock.withLock { context = nil } }

  /// The last payload that the other end put. A system delivers it sooner or later.
  public var received: Data? { lock.withLock { other }?.lock(of: \.context) }

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
