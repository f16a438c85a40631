import StorageVocabulary

/// The bytes of a file being written.
///
/// Emitters append to one piece of memory: fixed text as `StaticString`, which is a copy of its bytes and nothing more,
/// variable text through the escaping of its format. Ten thousand keys are some two million writes. An array would ask
/// at each whether it has another owner, and would have to be filled before it is written to: so the memory is the
/// buffer's own, or that of an array which is not one yet, and this file is the one place that knows of its address.
struct OutputBuffer: ~Copyable {
  private var memory: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// Whether the memory is that of the array which `collect` returns.
  private var isLent: Bool
  /// How many bytes were written.
  private(set) var count = 0

  init() {
    memory = .allocate(capacity: Self.leastCapacity)
    capacity = Self.leastCapacity
    isLent = false
  }

  private init(lent: UnsafeMutablePointer<UInt8>, capacity: Int) {
    memory = lent
    self.capacity = capacity
    isLent = true
  }

  deinit { if !isLent { memory.deallocate() } }

  private static let leastCapacity = 1 << 12

  /// What `body` writes. Where that is at most `capacity` bytes, it is written into the array itself.
  static func collect(capacity: Int = leastCapacity, _ body: (inout OutputBuffer) -> Void) -> [UInt8] {
    var outgrown: [UInt8]?
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { array, count in
      guard let start = array.baseAddress else { return }
      var output = OutputBuffer(lent: start, capacity: array.count)
      body(&output)
      if output.isLent { count = output.count } else { outgrown = output.bytes(from: 0) }
    }
    return outgrown ?? bytes
  }

  /// Fixed text. Inlined, since a copy of a known length is a few instructions.
  @inline(__always)
  mutating func write(_ fixed: StaticString) {
    write(UnsafeBufferPointer(start: fixed.utf8Start, count: fixed.utf8CodeUnitCount))
  }

  /// Text that is known to need no escaping: identifiers, types, what was escaped before.
  @_disfavoredOverload
  mutating func write(_ text: String) { text.withBytes { write($0) } }

  mutating func write(_ number: Int) { write(String(number)) }

  mutating func write(_ slice: ArraySlice<UInt8>) {
    slice.withUnsafeBufferPointer { write($0) }
  }

  /// A piece of what another buffer holds.
  mutating func write(_ range: Range<Int>, of other: borrowing OutputBuffer) {
    precondition(range.upperBound <= other.count)
    write(UnsafeBufferPointer(start: other.memory + range.lowerBound, count: range.count))
  }

  @inline(__always)
  mutating func write(_ source: UnsafeBufferPointer<UInt8>) {
    guard let first = source.baseAddress else { return }
    if capacity - count < source.count { grow(by: source.count) }
    UnsafeMutableRawPointer(memory + count).copyMemory(from: first, byteCount: source.count)
    count += source.count
  }

  @inline(__always)
  mutating func write(_ byte: UInt8) {
    if capacity == count { grow(by: 1) }
    memory[count] = byte
    count += 1
  }

  @inline(never)
  private mutating func grow(by needed: Int) {
    let larger = max(2 * capacity, count + needed)
    let target = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    target.update(from: memory, count: count)
    if !isLent { memory.deallocate() }
    (memory, capacity, isLent) = (target, larger, false)
  }

  /// What was written from an offset on.
  func bytes(from offset: Int) -> [UInt8] {
    precondition(offset <= count)
    return Array(UnsafeBufferPointer(start: memory + offset, count: count - offset))
  }

  /// Takes the last bytes back.
  mutating func removeLast(_ length: Int) {
    precondition(length <= count)
    count -= length
  }

  mutating func removeAll() { count = 0 }
}

extension OutputBuffer {
  mutating func writeIndent(_ level: Int) {
    for _ in 0..<level { write("  ") }
  }

  /// Writes `text`, giving `escape` what `isSpecial` names and every character that a reader would not see.
  ///
  /// Runs of other bytes are copied at once.
  mutating func write(
    _ text: String, special: ASCIISet, escape: (inout OutputBuffer, Unicode.Scalar) -> Void
  ) {
    text.withBytes { source in
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

extension String {
  /// Lends the UTF-8 of the text. `withUTF8` asks for a variable, which is a copy that counts a reference.
  func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    var text = self
    return text.withUTF8(body)
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
