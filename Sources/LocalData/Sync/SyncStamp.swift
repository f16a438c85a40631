import Foundation

package typealias SyncVersion = EnvelopeMetadata.SyncVersion

/// The later one wins: the higher counter, of two equal ones the device whose bytes are higher.
extension SyncVersion: Comparable {
  package static func < (one: Self, other: Self) -> Bool {
    guard one.counter == other.counter else { return one.counter < other.counter }
    return one.device.bytes.lexicographicallyPrecedes(other.device.bytes)
  }

  /// How far ahead of everything that is known here a counter can be: one change a second for 136 years.
  private static let largestStep: UInt64 = 1 << 32

  /// More than any device counts to. A counter near `UInt64.max` would be one that no later change exceeds.
  private static let largestCounter: UInt64 = 1 << 62

  /// Whether a device can have come so far, where the highest counter known here is `clock`.
  func isPlausible(after clock: UInt64) -> Bool {
    counter <= Self.largestCounter && (counter <= clock || counter - clock <= Self.largestStep)
  }
}

/// What a change was given: its version, and whether it was a removal.
package struct SyncStamp: Hashable, Sendable {
  package var version: SyncVersion
  package var isRemoval: Bool
}

extension ByteWriter {
  mutating func append(_ version: SyncVersion) {
    append(version.counter)
    append(version.device.bytes)
  }
}

extension ByteReader {
  /// A version; neither the counter 0 nor the nil UUID is part of one.
  mutating func syncVersion() throws(StorageFault) -> SyncVersion {
    let counter: UInt64 = try integer()
    let device = try device()
    guard counter > 0 else { throw .corrupted }
    return SyncVersion(counter: counter, device: device)
  }

  mutating func device() throws(StorageFault) -> UUID {
    let bytes = try take(16)
    guard !bytes.isZero else { throw .corrupted }
    return UUID(bytes: bytes)
  }
}
