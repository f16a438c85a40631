import LocalData
import LocalDataFoundation

typealias SyncVersion = EnvelopeMetadata.SyncVersion

/// Of two versions the one with the higher counter is newer. If the counters are equal, the device with the higher bytes
/// decides.
extension SyncVersion: Comparable {
  static func < (one: Self, other: Self) -> Bool {
    guard one.counter == other.counter else { return one.counter < other.counter }
    return one.device.bytes.lexicographicallyPrecedes(other.device.bytes)
  }

  /// A Boolean value that indicates whether a history can contain the version. No later change could exceed a counter near
  /// `UInt64.max`.
  var isPossible: Bool { counter <= HybridClock.largestCounter }

  /// The version of a value whose real version is unknown. It is older than all others.
  static func unknown(of device: UUID) -> SyncVersion { SyncVersion(counter: 1, device: device) }
}

/// A counter that never goes back and follows the wall clock: milliseconds since 1970, or one more than the last counter
/// if that is higher.
///
/// A device that has lost its counter continues above what it counted before, because time has passed since.
///
/// Three limits keep a payload from using the counters up. The wall clock is followed up to ``largestTime``, so that the
/// counters of a device are little higher than that, whatever its clock was set to. A payload moves the clock at most
/// ``largestLead`` beyond the wall clock, which is more: devices never refuse each other's counters because of their wall
/// clocks. The clock stops at ``largestCounter``, which no device reaches with the other two.
struct HybridClock: Hashable, Sendable {
  private(set) var counter: UInt64 = 0

  /// The largest counter of a version and of a clock.
  static let largestCounter: UInt64 = 1 << 62
  /// The largest wall clock that is followed, in the year 2109.
  static let largestTime: UInt64 = 1 << 42
  /// The most that the counters of a payload may be ahead of the wall clock of the device that receives it: 278 years.
  static let largestLead: UInt64 = 1 << 43

  /// Advances the clock for a change that is made now, and returns the counter of the change.
  mutating func tick(_ now: Date) -> UInt64 {
    counter = min(max(counter + 1, Self.time(now)), Self.largestCounter)
    return counter
  }

  /// Advances the clock to a counter of this device, or to one of another device that it accepts.
  mutating func adopt(_ other: UInt64) {
    if other <= Self.largestCounter { counter = max(counter, other) }
  }

  /// Returns true if a counter of a payload is accepted now.
  ///
  /// The limit moves with the wall clock. A device whose clock a payload has moved up to the limit is therefore accepted by
  /// the others too, at the latest when their wall clocks have caught up with the device's.
  static func accepts(_ counter: UInt64, at now: Date) -> Bool { counter <= time(now) + largestLead }

  /// Returns the wall clock as far as it is followed.
  private static func time(_ now: Date) -> UInt64 {
    min(UInt64(exactly: (now.timeIntervalSince1970 * 1_000).rounded()) ?? 0, largestTime)
  }
}

/// The version of a change, and whether the change removed the value.
struct SyncStamp: Hashable, Sendable {
  var version: SyncVersion
  var isRemoval: Bool
}

extension ByteWriter {
  mutating func append(_ version: SyncVersion) {
    append(version.counter)
    append(version.device.bytes)
  }

  mutating func append(_ put: SyncPut) {
    append(put.launch)
    append(put.clock)
  }

  mutating func append(_ puts: SyncPayloadHistory) {
    append(puts.acknowledged)
    append(UInt8(puts.launches.count))
    for range in puts.launches {
      append(range.lowerBound)
      append(range.upperBound)
    }
  }

  /// A device, or 16 zeros if there is none.
  mutating func append(_ device: UUID?) { append(device?.bytes ?? [UInt8](repeating: 0, count: 16)) }
}

extension ByteReader {
  /// A version; neither the counter 0 nor the nil UUID is part of one.
  mutating func syncVersion() throws(StorageProblem) -> SyncVersion {
    let counter: UInt64 = try integer()
    let device = try device()
    guard counter > 0 else { throw .corrupted }
    return SyncVersion(counter: counter, device: device)
  }

  mutating func syncPut() throws(StorageProblem) -> SyncPut {
    let launch: UInt64 = try integer()
    let clock: UInt64 = try integer()
    guard launch <= clock else { throw .corrupted }
    return SyncPut(launch: launch, clock: clock)
  }

  mutating func syncPuts() throws(StorageProblem) -> SyncPayloadHistory {
    let acknowledged: UInt64 = try integer()
    let count: UInt8 = try integer()
    var launches: [ClosedRange<UInt64>] = []
    for _ in 0..<count {
      let first: UInt64 = try integer()
      let last: UInt64 = try integer()
      guard first <= last else { throw .corrupted }
      launches.append(first...last)
    }
    guard let puts = SyncPayloadHistory(acknowledged: acknowledged, launches: launches) else { throw .corrupted }
    return puts
  }

  mutating func device() throws(StorageProblem) -> UUID {
    guard let device = try optionalDevice() else { throw .corrupted }
    return device
  }

  mutating func optionalDevice() throws(StorageProblem) -> UUID? {
    let bytes = try take(16)
    return bytes.isZero ? nil : UUID(bytes: bytes)
  }
}
