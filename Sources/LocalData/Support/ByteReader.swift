package import Foundation

/// Reads bytes field by field, integers big endian. What is not there is a fault, never a crash.
package struct ByteReader: Sendable {
  private let bytes: Data
  private var position: Int

  package init(_ bytes: Data) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  package var remaining: Int { bytes.endIndex - position }

  package mutating func take(_ count: Int) throws(StorageFault) -> Data {
    guard count >= 0, count <= remaining else { throw .corrupted }
    defer { position += count }
    return bytes[position..<position + count]
  }

  package mutating func integer<Integer: FixedWidthInteger>(
    _: Integer.Type = Integer.self
  ) throws(StorageFault) -> Integer {
    var value: Integer = 0
    for byte in try take(Integer.bitWidth / 8) {
      // A shift by the whole width, as of a single byte, gives 0.
      value = value << 8 | Integer(truncatingIfNeeded: byte)
    }
    return value
  }

  /// What is left, to the end.
  package mutating func rest() -> Data {
    defer { position = bytes.endIndex }
    return bytes[position...]
  }
}
