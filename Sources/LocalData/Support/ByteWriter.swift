package import Foundation

/// Builds bytes field by field, integers big endian.
package struct ByteWriter: Sendable {
  package private(set) var bytes: Data

  package init(capacity: Int = 0) {
    bytes = Data()
    bytes.reserveCapacity(capacity)
  }

  package mutating func append(_ integer: some FixedWidthInteger) {
    withUnsafeBytes(of: integer.bigEndian) { bytes.append(contentsOf: $0) }
  }

  package mutating func append(_ other: some Sequence<UInt8>) { bytes.append(contentsOf: other) }

  /// One field of a tuple: its length in 4 bytes, then its bytes. `nil` is the length 0xFFFFFFFF alone, so that it
  /// differs from a field of no bytes.
  package mutating func appendField(_ field: Data?) {
    guard let field else { return append(UInt32.max) }
    append(UInt32(field.count))
    append(field)
  }

  package mutating func appendField(_ text: String?) { appendField(text.map { Data($0.utf8) }) }

  /// Overwrites what was built: for records that hold keys.
  package mutating func wipe() { bytes.wipe() }
}
