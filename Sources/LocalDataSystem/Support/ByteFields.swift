package import LocalDataFoundation

/// Reads bytes field by field. Integers are big-endian. Throws `corrupted` if bytes are missing.
package struct ByteReader: Sendable {
  private let bytes: Data
  private var position: Int

  package init(_ bytes: Data) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  package var remaining: Int { bytes.endIndex - position }

  package mutating func take(_ count: Int) throws(StorageProblem) -> Data {
    guard count >= 0, count <= remaining else { throw .corrupted }
    defer { position += count }
    return bytes[position..<position + count]
  }

  package mutating func integer<Integer: FixedWidthInteger>(
    _: Integer.Type = Integer.self
  ) throws(StorageProblem) -> Integer {
    let field = try take(MemoryLayout<Integer>.size)
    return Integer(bigEndian: field.withUnsafeBytes { $0.loadUnaligned(as: Integer.self) })
  }

  /// Returns the remaining bytes.
  package mutating func rest() -> Data {
    defer { position = bytes.endIndex }
    return bytes[position...]
  }

  /// Reads one field as ``ByteWriter/appendField(_:)`` wrote it.
  package mutating func field() throws(StorageProblem) -> Data? {
    let count: UInt32 = try integer()
    guard count != .max else { return nil }
    // Compared without conversion: an `Int` of 32 bits cannot represent every count.
    guard count <= remaining else { throw .corrupted }
    return try take(Int(count))
  }

  /// Reads one field of UTF-8.
  package mutating func text() throws(StorageProblem) -> String? {
    guard let bytes = try field() else { return nil }
    guard let text = String(utf8: bytes) else { throw .corrupted }
    return text
  }
}

/// Builds bytes field by field. Integers are big-endian.
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

  package mutating func append(_ other: Data) { bytes.append(other) }

  /// Appends one field of a tuple: its length in 4 bytes, then its bytes. `nil` is the length 0xFFFFFFFF alone, so that it
  /// differs from an empty field.
  package mutating func appendField(_ field: Data?) {
    guard let field else { return append(UInt32.max) }
    append(UInt32(field.count))
    append(field)
  }

  package mutating func appendField(_ text: String?) {
    guard var text else { return append(UInt32.max) }
    text.withUTF8 {
      append(UInt32($0.count))
      bytes.append(contentsOf: $0)
    }
  }
}
