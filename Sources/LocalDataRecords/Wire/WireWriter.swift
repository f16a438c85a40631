public import LocalDataFoundation
package import LocalDataSystem

/// Writes a message in the wire format of protobuf.
///
/// A function with a value that is not optional leaves a zero value out, as protobuf does without `optional`. A value that is optional
/// is written unless it is nil.
public struct WireWriter: ~Copyable {
  package private(set) var bytes: [UInt8] = []
  /// The first problem of a value. The message must not be used then.
  package private(set) var fault: StorageProblem?

  package init() {}

  // MARK: Parts of fields

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  private mutating func tag(_ number: Int, _ type: UInt64) { varint(UInt64(number) << 3 | type) }

  /// Writes fields that are written already.
  package mutating func append(_ fields: [UInt8]) { bytes += fields }

  /// Writes a field whose value has these bytes.
  mutating func raw(_ tag: UInt32, _ value: UnsafeRawBufferPointer) {
    varint(UInt64(tag))
    bytes.append(contentsOf: value)
  }

  @usableFromInline mutating func field(_ value: UInt64, _ number: Int) {
    tag(number, 0)
    varint(value)
  }

  private mutating func fixed(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  private mutating func slice(_ value: UnsafeRawBufferPointer, _ number: Int) {
    // A few fields after a long one need not double the array.
    let capacity = bytes.count + value.count + 64
    if capacity > 2 * bytes.capacity { bytes.reserveCapacity(capacity) }
    tag(number, 2)
    varint(UInt64(value.count))
    bytes.append(contentsOf: value)
  }

  /// Writes an entry of a map, or another message that `write` writes.
  @_spi(Generated) public mutating func message(_ number: Int, _ write: (inout WireWriter) -> Void) {
    tag(number, 2)
    let start = bytes.count
    bytes.append(0)
    write(&self)
    // Most messages have a length of one byte, for which there is room already.
    var length = UInt64(bytes.count - start - 1)
    var position = start
    while length >= 0x80 {
      bytes[position] = UInt8(truncatingIfNeeded: length) | 0x80
      length >>= 7
      position += 1
      bytes.insert(0, at: position)
    }
    bytes[position] = UInt8(truncatingIfNeeded: length)
  }
}

@_spi(Generated) extension WireWriter {
  public mutating func text(_ value: String, _ number: Int) {
    if !value.isEmpty { text(Optional(value), number) }
  }

  public mutating func text(_ value: String?, _ number: Int) {
    guard var value else { return }
    value.withUTF8 { slice(UnsafeRawBufferPointer($0), number) }
  }

  public mutating func bool(_ value: Bool, _ number: Int) {
    if value { field(1, number) }
  }

  public mutating func bool(_ value: Bool?, _ number: Int) {
    if let value { field(value ? 1 : 0, number) }
  }

  // Inlined into the app, because the compiler does not specialize them there otherwise.

  @inlinable public mutating func integer(_ value: some FixedWidthInteger & SignedInteger, _ number: Int) {
    let bits = UInt64(truncatingIfNeeded: value)
    if bits != 0 { field(bits, number) }
  }

  @inlinable public mutating func integer(_ value: (some FixedWidthInteger & SignedInteger)?, _ number: Int) {
    if let value { field(UInt64(truncatingIfNeeded: value), number) }
  }

  @inlinable public mutating func unsigned(_ value: some FixedWidthInteger & UnsignedInteger, _ number: Int) {
    let bits = UInt64(truncatingIfNeeded: value)
    if bits != 0 { field(bits, number) }
  }

  @inlinable public mutating func unsigned(_ value: (some FixedWidthInteger & UnsignedInteger)?, _ number: Int) {
    if let value { field(UInt64(truncatingIfNeeded: value), number) }
  }

  /// Writes a number. Protobuf leaves out zero, but not minus zero.
  public mutating func real(_ value: Double, _ number: Int) {
    if value.bitPattern != 0 { real(Optional(value), number) }
  }

  public mutating func real(_ value: Double?, _ number: Int) {
    guard let value else { return }
    tag(number, 1)
    fixed(value.bitPattern)
  }

  public mutating func float(_ value: Float, _ number: Int) {
    if value.bitPattern != 0 { float(Optional(value), number) }
  }

  public mutating func float(_ value: Float?, _ number: Int) {
    guard let value else { return }
    tag(number, 5)
    fixed(value.bitPattern)
  }

  /// Writes a `google.protobuf.Timestamp`, which has nanoseconds. Dates within 100 days of 2001 can be more precise.
  public mutating func date(_ value: Date?, _ number: Int) {
    guard let time = time(of: value) else { return }
    message(number) { writer in
      writer.integer(time.seconds, 1)
      writer.integer(time.nanoseconds, 2)
    }
  }

  /// Writes a date as seconds since 1970. A date with a fraction cannot be written.
  public mutating func seconds(_ value: Date?, _ number: Int) {
    guard let time = time(of: value) else { return }
    if time.nanoseconds != 0 { fault = fault ?? .cannotEncode }
    field(UInt64(bitPattern: time.seconds), number)
  }

  private mutating func time(of date: Date?) -> (seconds: Int64, nanoseconds: Int32)? {
    guard let date else { return nil }
    guard let time = date.sinceUnixEpoch else {
      fault = fault ?? .cannotEncode
      return nil
    }
    return time
  }

  public mutating func data(_ value: Data, _ number: Int) {
    if !value.isEmpty { data(Optional(value), number) }
  }

  public mutating func data(_ value: Data?, _ number: Int) {
    value?.withUnsafeBytes { slice($0, number) }
  }

  public mutating func uuid(_ value: UUID?, _ number: Int) {
    if let value { withUnsafeBytes(of: value.uuid) { slice($0, number) } }
  }

  public mutating func url(_ value: URL?, _ number: Int) { text(value?.absoluteString, number) }

  public mutating func decimal(_ value: Decimal?, _ number: Int) { text(value?.recordText, number) }

  public mutating func textEnumeration(_ value: (some RawRepresentable<String>)?, _ number: Int) {
    text(value?.rawValue, number)
  }

  public mutating func integerEnumeration(_ value: (some RawRepresentable<Int>)?, _ number: Int) {
    integer(value?.rawValue, number)
  }

  public mutating func json(_ value: (some Codable & Sendable)?, _ number: Int) {
    guard let value else { return }
    do throws(StorageProblem) { data(try RecordJSON.bytes(of: value), number) } catch { fault = fault ?? error }
  }

  /// Writes a message, also an empty one.
  public mutating func message<Value>(_ value: Value?, _ number: Int, _ write: (Value, inout WireWriter) -> Void) {
    if let value { message(number) { write(value, &$0) } }
  }

  /// Writes a list of messages.
  public mutating func list<Value>(_ values: [Value], _ number: Int, _ write: (Value, inout WireWriter) -> Void) {
    for value in values { message(number) { write(value, &$0) } }
  }

  // MARK: Packed lists

  public mutating func packedIntegers(_ values: [some FixedWidthInteger], _ number: Int) {
    packed(values, number) { $1.varint(UInt64(truncatingIfNeeded: $0)) }
  }

  public mutating func packedReals(_ values: [Double], _ number: Int) {
    packed(values, number) { $1.fixed($0.bitPattern) }
  }

  public mutating func packedFloats(_ values: [Float], _ number: Int) {
    packed(values, number) { $1.fixed($0.bitPattern) }
  }

  public mutating func packedBools(_ values: [Bool], _ number: Int) {
    packed(values, number) { $1.varint($0 ? 1 : 0) }
  }

  private mutating func packed<Value>(
    _ values: [Value], _ number: Int, _ write: (Value, inout WireWriter) -> Void
  ) {
    guard !values.isEmpty else { return }
    message(number) { writer in for value in values { write(value, &writer) } }
  }

  // MARK: Unknown fields

  /// Writes fields as they were read.
  public mutating func unknown(_ fields: RecordUnknownFields) { bytes += fields.bytes }
}
