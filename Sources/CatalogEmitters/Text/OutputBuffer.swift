import StorageVocabulary

/// The bytes of a file being written.
///
/// Emitters append to one array: fixed text as `StaticString`, which is a copy of its bytes and nothing more, variable
/// text through the escaping of its format. Ten thousand keys are a few megabytes.
struct OutputBuffer {
  private(set) var bytes: [UInt8] = []

  init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  var count: Int { bytes.count }

  mutating func write(_ fixed: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: fixed.utf8Start, count: fixed.utf8CodeUnitCount))
  }

  /// Text that is known to need no escaping: identifiers, types, what was escaped before.
  @_disfavoredOverload
  mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func write(_ number: Int) { bytes.append(contentsOf: String(number).utf8) }

  mutating func write(_ bytes: some Collection<UInt8>) { self.bytes.append(contentsOf: bytes) }

  mutating func write(_ byte: UInt8) { bytes.append(byte) }

  mutating func writeIndent(_ level: Int) {
    for _ in 0..<level { write("  ") }
  }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func removeLast(_ count: Int) { bytes.removeLast(count) }

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
        if byte < 0x80 ? !special.contains(byte) : !InvisibleCharacter.mayStart(with: byte) {
          index += 1
          continue
        }
        let (scalar, length) = Unicode.Scalar.decode(source, at: index)
        if byte >= 0x80, !InvisibleCharacter.contains(scalar) {
          index += length
          continue
        }
        bytes.append(contentsOf: source[start..<index])
        escape(&self, scalar)
        index += length
        start = index
      }
      bytes.append(contentsOf: source[start...])
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
