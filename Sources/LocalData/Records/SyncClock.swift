import Foundation

package typealias SyncVersion = EnvelopeMetadata.SyncVersion

/// Of two versions the one with the higher counter is newer. If the counters are equal, the device with the higher bytes
/// decides.
extension SyncVersion: Comparable {
  package static func < (one: Self, other: Self) -> Bool {
    guard one.counter == other.counter else { return one.counter < other.counter }
    return one.device.bytes.lexicographicallyPrecedes(other.device.bytes)
  }

  /// A Boolean value that indicates whether a device can have counted so far. No later change could exceed a counter near
  /// `UInt64.max`.
  var isPossible: Bool { counter <= HybridClock.largestCounter }

  /// A Boolean value that indicates whether the counter is one of the first release, which did not follow the wall clock.
  var isOfFirstRelease: Bool { counter < HybridClock.firstCounter }

  /// The version of a value whose real version is unknown. It is older than all others.
  static func unknown(of device: UUID) -> SyncVersion { SyncVersion(counter: 1, device: device) }
}

/// A counter that never goes back and follows the wall clock: milliseconds since 1970, or one more than the last counter
/// if that is higher.
///
/// A device that has lost its counter continues above what it counted before, because time has passed since.
package struct HybridClock: Hashable, Sendable {
  package private(set) var counter: UInt64 = 0

  /// The largest counter that is accepted from another device.
  static let largestCounter: UInt64 = 1 << 62
  /// The largest wall clock that is followed, which is beyond the year 9999.
  private static let largestTime: UInt64 = 1 << 48
  /// The lowest counter of a wall clock, in the year 1972. The first release counted from 1.
  static let firstCounter: UInt64 = 1 << 36

  /// Advances the clock for a change that is made now, and returns the counter of the change.
  mutating func tick(_ now: Date) -> UInt64 {
    let milliseconds = UInt64(exactly: (now.timeIntervalSince1970 * 1_000).rounded()) ?? 0
    counter = max(counter + 1, min(milliseconds, Self.largestTime))
    return counter
  }

  /// Advances the clock to the counter of another device.
  mutating func adopt(_ other: UInt64) {
    if other <= Self.largestCounter { counter = max(counter, other) }
  }
}

/// The version of a change, and whether the change removed the value.
package struct SyncStamp: Hashable, Sendable {
  package var version: SyncVersion
  package var isRemoval: Bool
}

extension ByteWriter {
  mutating func append(_ version: SyncVersion) {
    append(version.counter)
    append(version.device.bytes)
  }

  mutating func append(_ puts: SyncPuts) {
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
  mutating func syncVersion() throws(StorageFault) -> SyncVersion {
    let counter: UInt64 = try integer()
    let device = try device()
    guard counter > 0 else { throw .corrupted }
    return SyncVersion(counter: counter, device: device)
  }

  mutating func syncPuts() throws(StorageFault) -> SyncPuts {
    let (acknowledged, count): (UInt64, UInt8) = (try integer(), try integer())
    var launches: [ClosedRange<UInt64>] = []
    for _ in 0..<count {
      let (first, last): (UInt64, UInt64) = (try integer(), try integer())
      guard first <= last else { throw .corrupted }
      launches.append(first...last)
    }
    guard let puts = SyncPuts(acknowledged: acknowledged, launches: launches) else { throw .corrupted }
    return puts
  }

  mutating func device() throws(StorageFault) -> UUID {
    guard let device = try optionalDevice() else { throw .corrupted }
    return device
  }

  mutating func optionalDevice() throws(StorageFault) -> UUID? {
    let bytes = try take(16)
    return bytes.isZero ? nil : UUID(bytes: bytes)
  }
}
