import StorageVocabulary

/// The bytes of a file being written.
///
/// Emitters append to one array: fixed text as `StaticString`, which is a copy of its bytes and nothing more, variable
/// text through the escaping of its format. The array is kept longer than what is written, so that a write is a test and
/// a copy: ten thousand keys are some two million writes.
struct OutputBuffer {
  private var storage: [UInt8] = []
  private(set) var count = 0

  init(capacity: Int = 0) { storage.reserveCapacity(capacity + Self.step) }

  /// By how much the array grows at once.
  private static let step = 1 << 14

  /// What was written.
  var bytes: ArraySlice<UInt8> { storage[..<count] }

  /// What was written; the buffer is empty afterwards.
  mutating func finish() -> [UInt8] {
    // Taken out before it is cut: an array with two owners would be copied as a whole.
    var bytes: [UInt8] = []
    swap(&bytes, &storage)
    bytes.removeLast(bytes.count - count)
    count = 0
    return bytes
  }

  mutating func write(_ fixed: StaticString) {
    write(UnsafeBufferPointer(start: fixed.utf8Start, count: fixed.utf8CodeUnitCount))
  }

  /// Text that is known to need no escaping: identifiers, types, what was escaped before.
  @_disfavoredOverload
  mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { write($0) }
  }

  mutating func write(_ number: Int) { write(String(number)) }

  mutating func write(_ slice: ArraySlice<UInt8>) {
    slice.withUnsafeBufferPointer { write($0) }
  }

  mutating func write(_ source: UnsafeBufferPointer<UInt8>) {
    guard let first = source.baseAddress else { return }
    if storage.count - count < source.count { grow(by: source.count) }
    storage.withUnsafeMutableBytes { target in
      target.baseAddress?.advanced(by: count).copyMemory(from: first, byteCount: source.count)
    }
    count += source.count
  }

  mutating func write(_ byte: UInt8) {
    if storage.count == count { grow(by: 1) }
    storage[count] = byte
    count += 1
  }

  private mutating func grow(by needed: Int) {
    storage.append(contentsOf: repeatElement(0, count: max(needed, Self.step)))
  }

  mutating func writeIndent(_ level: Int) {
    for _ in 0..<level { write("  ") }
  }

  mutating func removeAll() { count = 0 }

  mutating func removeLast(_ length: Int) { count -= length }

  /// Writes `text`, giving `escape` what `isSpecial` names and every character that a reader would not see.
  ///
  /// Runs of other bytes are copied at once.
  mutating func write(
    _ text: String, special: ASCIISet, escape: (inout OutputBuffer, Unicode.Scalar) -> Void
  ) {
    var text = text
    text.withUTF8 { source in
      var start = 0
      var index = 0
      while index < source.count {
        let byte = source[index]
        if !special.contains(byte) {
          index += 1
          continue
        }
        let (scalar, length) = Unicode.Scalar.decode(source, at: index)
        if byte >= 0x80, !InvisibleCharacter.contains(scalar) {
          index += length
          continue
        }
        write(UnsafeBufferPointer(rebasing: source[start..<index]))
        escape(&self, scalar)
        index += length
        start = index
      }
      write(UnsafeBufferPointer(rebasing: source[start...]))
    }
  }
}

extension Unicode.Scalar {
  /// The scalar at `index` of well-formed UTF-8, and its length in bytes.
  static func decode(_ source: UnsafeBufferPointer<UInt8>, at index: Int) -> (scalar: Self, length: Int) {
    let first = UInt32(source[index])
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    var value = length == 1 ? first : first & (0x7F >> UInt32(length))
    for offset in 1..<max(length, 1) { value = value << 6 | UInt32(source[index + offset] & 0x3F) }
    return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
  }
}

extension OutputBuffer {

  /// `\u{202E}`.
  mutating func writeNumber(of scalar: Unicode.Scalar) {
    write("\\u{")
    write(String(scalar.value, radix: 16, uppercase: true))
    write("}")
  }
}
