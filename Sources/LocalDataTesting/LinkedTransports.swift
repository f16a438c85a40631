public import Foundation
public import LocalDataSync

/// The transports of a phone and its watch. A payload that one of them puts travels to the other over a line that can lose,
/// delay, duplicate and reorder payloads.
///
/// ```swift
/// let linked = LinkedTransports(seed: 7, line: .init(drops: 0.2, delays: 0.3, duplicates: 0.2))
/// phone.sync.setTransport(linked.phone)
/// for payload in linked.watch.arrivals() { await watch.sync.receive(payload) }
/// ```
public struct LinkedTransports: Sendable {
  /// The transport of the phone.
  public let phone: LinkedTransport
  /// The transport of the watch.
  public let watch: LinkedTransport

  /// The faults of a connection. Each probability is from 0 to 1, for each payload.
  public struct Line: Sendable {
    /// The probability that a payload is lost.
    public var drops: Double
    /// The probability that a payload is delayed to a later delivery.
    public var delays: Double
    /// The probability that a payload is delivered again later.
    public var duplicates: Double
    /// A Boolean value that indicates whether the payloads of one delivery arrive in random order.
    public var isReordered: Bool

    /// Creates a line. By default no payload is lost, delayed or duplicated, and the order is random.
    public init(drops: Double = 0, delays: Double = 0, duplicates: Double = 0, isReordered: Bool = true) {
      self.drops = drops
      self.delays = delays
      self.duplicates = duplicates
      self.isReordered = isReordered
    }

    /// A line on which every payload arrives once and in order.
    public static let perfect = Line(isReordered: false)
  }

  /// Creates a pair of transports. With the same seed, the line behaves in the same way.
  public init(seed: UInt64 = 0, line: Line = .perfect) {
    phone = LinkedTransport(seed: seed, line: line)
    watch = LinkedTransport(seed: ~seed, line: line)
    phone.link(to: watch)
    watch.link(to: phone)
  }
}

/// One transport of a pair.
///
/// `@unchecked Sendable`: every mutable property is used only while `lock` is held.
public final class LinkedTransport: SyncTransport, @unchecked Sendable {
  /// The error of a call that a test makes fail.
  public struct Failure: Error {}

  private let lock = NSLock()
  private let line: LinkedTransports.Line
  private var random: SplitMix
  private weak var other: LinkedTransport?
  private var current = SyncSession(isActivated: true, isPaired: true, isInstalled: true)
  private var context: Data?
  private var history: [Data] = []
  private var onTheWay: [Data] = []
  /// The last payload, if it was put without a connection.
  private var unsent: Data?
  private var fails = false

  fileprivate init(seed: UInt64, line: LinkedTransports.Line) {
    random = SplitMix(state: seed)
    self.line = line
  }

  fileprivate func link(to other: LinkedTransport?) { lock.withLock { self.other = other } }

  /// Connects a phone's transport to that of another watch, as when the user pairs this watch. The transport of the former
  /// watch is connected to none: the payload that it puts last is sent when it is connected again.
  package func connect(to watch: LinkedTransport) {
    let former = lock.withLock { other }
    guard former !== watch else { return }
    former?.link(to: nil)
    link(to: watch)
    watch.link(to: self)
    if let payload = watch.lock(of: \.unsent) { send(payload) }
    watch.lock.withLock { watch.unsent = nil }
  }

  // MARK: The transport

  /// The state of the app's session. It is activated, paired and installed unless a test sets another state.
  public var session: SyncSession {
    get { lock.withLock { current } }
    set { lock.withLock { current = newValue } }
  }

  /// Returns the last payload that was put; `nil` if there is none.
  ///
  /// - Throws: No error.
  public func payload() throws -> Data? { lock.withLock { context } }

  /// Sends a payload to the other transport.
  ///
  /// - Throws: ``Failure`` if ``isFailing`` is true.
  public func put(_ payload: Data) throws {
    let other = try lock.withLock {
      if fails { throw Failure() }
      context = payload
      history.append(payload)
      unsent = self.other == nil ? payload : nil
      return self.other
    }
    other?.send(payload)
  }

  private func send(_ payload: Data) { lock.withLock { onTheWay.append(payload) } }

  // MARK: What a test does

  /// A Boolean value that indicates whether every call of ``put(_:)`` fails.
  public var isFailing: Bool {
    get { lock.withLock { fails } }
    set { lock.withLock { fails = newValue } }
  }

  /// All payloads that this transport has sent, in order.
  public var sent: [Data] { lock.withLock { history } }

  /// Returns the payloads that arrive at this transport now, without those that are dropped or delayed. Delayed and duplicated
  /// payloads arrive with a later call.
  public func arrivals() -> [Data] {
    lock.withLock {
      var arrived: [Data] = []
      var stays: [Data] = []
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

  /// Forgets the last payload that was put, as the system does when another watch is paired.
  public func forget() { lock.withLock { context = nil } }

  /// The last payload that the other transport has put. A real system delivers it sooner or later.
  public var received: Data? { lock.withLock { other }?.lock(of: \.context) }

  private func lock<Value>(of path: KeyPath<LinkedTransport, Value>) -> Value { lock.withLock { self[keyPath: path] } }
}

/// The generator SplitMix64. It produces the same numbers on every machine.
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
