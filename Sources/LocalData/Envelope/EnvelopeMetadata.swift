package import Foundation

/// What an envelope tells of its value besides the bytes. Authenticated wherever the value is sealed.
package struct EnvelopeMetadata: Hashable, Sendable {
  /// The version of the value's own schema.
  package var schema: UInt32
  /// When the value was written: milliseconds since 1970, UTC.
  package var writtenAt: Int64
  /// Which of several devices wrote it, and after what; `nil` where it never was to be synced.
  package var sync: SyncVersion?

  package init(schema: UInt32 = 1, writtenAt: Int64, sync: SyncVersion? = nil) {
    self.schema = schema
    self.writtenAt = writtenAt
    self.sync = sync
  }

  package init(schema: UInt32 = 1, writtenAt: Date, sync: SyncVersion? = nil) {
    // A date out of range, as of a clock that was never set, must not stop a value from being written.
    let milliseconds = (writtenAt.timeIntervalSince1970 * 1000).rounded(.down)
    self.init(schema: schema, writtenAt: Int64(exactly: milliseconds) ?? 0, sync: sync)
  }

  /// A Lamport counter and the device that counted; the nil UUID stands for no device and is not one.
  package struct SyncVersion: Hashable, Sendable {
    package var counter: UInt64
    package var device: UUID

    package init(counter: UInt64, device: UUID) {
      self.counter = counter
      self.device = device
    }
  }
}
