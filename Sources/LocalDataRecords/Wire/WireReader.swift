public import LocalDataFoundation
public import LocalDataSystem

/// A field in the wire format of protobuf, before its value is read.
@_spi(Generated) public struct WireField: Sendable {
  /// The number of the field × 8 and its wire type. A value of another wire type has another tag, so it is never misread.
  public let tag: UInt32

  var number: Int { Int(tag >> 3) }
}

/// Reads a message in the wire format of protobuf. The bytes are valid until the closure that got the reader returns.
///
/// It accepts what protobuf accepts, with two differences. No version of protobuf writes such bytes.
///
/// - If a field with one message occurs twice, the last message is the value. Protobuf merges the two.
/// - A tag of more than 32 bits is refused. Some versions of protobuf drop the other bits.
public struct WireReader: ~Copyable {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  /// The number of messages around this one.
  private let depth: Int

  /// The messages and groups within each other that protobuf reads.
  private static let mostDepth = 100

  init(_ bytes: UnsafeRawBufferPointer, depth: Int = 0) {
    self.bytes = bytes
    self.depth = depth
  }

  /// Returns what `read` reads in a message.
  package static func read<Value>(
    _ message: some ContiguousBytes, _ read: (inout WireReader) throws(StorageProblem) -> Value
  ) throws(StorageProblem) -> Value {
    let result: Result<Value, StorageProblem> = message.withUnsafeBytes { bytes in
      var reader = WireReader(bytes)
      do throws(StorageProblem) { return .success(try read(&reader)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Reads the tag of the next field, or returns nil at the end of the message. The value must be read or skipped then.
  ///
  /// - Throws: ``StorageProblem/Code/corrupted`` if the bytes are no tag.
  @_spi(Generated) public mutating func next() throws(StorageProblem) -> WireField? {
    guard position < bytes.count else { return nil }
    let start = position
    guard let tag = UInt32(exactly: try varint()), tag >> 3 > 0, position - start <= 5 else { throw .corrupted }
    return WireField(tag: tag)
  }

  /// Skips the value of a field.
  ///
  /// - Throws: ``StorageProblem/Code/corrupted`` if the message ends within the value, or the value is of no known kind.
  @_spi(Generated) public mutating func skip(_ field: WireField) throws(StorageProblem) {
    try skip(field, within: depth)
  }

  private mutating func skip(_ field: WireField, within depth: Int) throws(StorageProblem) {
    switch field.tag & 7 {
    case 0: _ = try varint()
    case 1: _ = try take(8)
    case 2: _ = try slice()
    case 3:
      guard depth < Self.mostDepth else { throw .corrupted }
      while true {
        guard let inner = try next() else { throw .corrupted }
        if inner.tag == field.tag + 1 { return }
        try skip(inner, within: depth + 1)
      }
    case 5: _ = try take(4)
    default: throw .corrupted
    }
  }

  /// Skips the value of a field, and returns its bytes.
  mutating func skippedBytes(of field: WireField) throws(StorageProblem) -> UnsafeRawBufferPointer {
    let start = position
    try skip(field)
    return UnsafeRawBufferPointer(rebasing: bytes[start..<position])
  }

  // MARK: Parts of values

  /// Reads a number of 7 bits in each byte.
  @usableFromInline mutating func varint() throws(StorageProblem) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard position < bytes.count else { break }
      let byte = bytes[position]
      position += 1
      // Bits after the 64th are dropped, as protobuf does.
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    throw .corrupted
  }

  private mutating func take(_ count: Int) throws(StorageProblem) -> UnsafeRawBufferPointer {
    guard count <= bytes.count - position else { throw .corrupted }
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
  }

  /// Reads a length, and returns that many bytes.
  private mutating func slice() throws(StorageProblem) -> UnsafeRawBufferPointer {
    let count = try varint()
    // Compared without conversion: not every length is an Int.
    guard count <= UInt64(bytes.count - position) else { throw .corrupted }
    return try take(Int(count))
  }

  mutating func fixed<Value: FixedWidthInteger>(_: Value.Type) throws(StorageProblem) -> Value {
    Value(littleEndian: try take(MemoryLayout<Value>.size).loadUnaligned(as: Value.self))
  }

  // MARK: Values of a length

  /// Reads a text.
  ///
  /// - Throws: ``StorageProblem/Code/corrupted`` if the bytes are missing or are not UTF-8.
  @_spi(Generated) public mutating func text() throws(StorageProblem) -> String {
    guard let text = String(utf8: try slice()) else { throw .corrupted }
    return text
  }

  /// Reads bytes.
  ///
  /// - Throws: ``StorageProblem/Code/corrupted`` if the message ends before them.
  @_spi(Generated) public mutating func data() throws(StorageProblem) -> Data { Data(try slice()) }

  /// Reads a UUID.
  ///
  /// - Throws: ``StorageProblem/Code/corrupted`` if the value has another number of bytes.
  @_spi(Generated) public mutating func uuid() throws(StorageProblem) -> UUID {
    guard let uuid = UUID(recordBytes: try slice()) else { throw .corrupted }
    return uuid
  }

  /// Reads a message.
  @_spi(Generated) public mutating func message<Value>(
    _ read: (inout WireReader) throws(StorageProblem) -> Value
  ) throws(StorageProblem) -> Value {
    guard depth < Self.mostDepth else { throw .corrupted }
    var message = WireReader(try slice(), depth: depth + 1)
    return try read(&message)
  }

  /// Reads the elements of a packed list.
  mutating func packed(_ read: (inout WireReader) throws(StorageProblem) -> Void) throws(StorageProblem) {
    var elements = WireReader(try slice(), depth: depth)
    while elements.position < elements.bytes.count { try read(&elements) }
  }
}
