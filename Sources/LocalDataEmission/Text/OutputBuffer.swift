internal import LocalDataSyntax
import LocalDataSyntax
import LocalDataAudit
import LocalDataVocabulary

/// The bytes of a file that is being written.
///
/// Emitters append to one block of memory: fixed text as `StaticString`, which only copies its bytes, and variable text
/// through the escaping of its format. Ten thousand keys need about two million writes. An array would check for other
/// owners at each of them, and would have to be initialized first. The memory therefore belongs to the buffer, or is the
/// uninitialized memory of an array. Only this file uses its address.
package struct OutputBuffer: ~Copyable {
  private var memory: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// True if the memory is that of the array which `collect` returns.
  private var isLent: Bool
  /// The number of bytes that were written.
  package private(set) var count = 0

  package init() {
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

  /// Returns the bytes that `body` writes. At most `capacity` bytes are written into the array without a copy.
  package static func collect(capacity: Int = leastCapacity, _ body: (inout OutputBuffer) -> Void) -> [UInt8] {
    var outgrown: [UInt8]?
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { array, count in
      guard let start = array.baseAddress else { return }
      LargeMemory.prepare(.init(array))
      var output = OutputBuffer(lent: start, capacity: array.count)
      body(&output)
      if output.isLent { count = output.count } else { outgrown = output.bytes(from: 0) }
    }
    return outgrown ?? bytes
  }

  /// Writes fixed text. It is inlined, because a copy of a known length is a few instructions.
  @inline(__always)
  package mutating func write(_ fixed: StaticString) {
    write(UnsafeBufferPointer(start: fixed.utf8Start, count: fixed.utf8CodeUnitCount))
  }

  /// Writes text that needs no escaping: identifiers, types, and text that has been escaped.
  @_disfavoredOverload
  package mutating func write(_ text: String) { text.withBytes { write($0) } }

  package mutating func write(_ number: Int) { write(String(number)) }

  package mutating func write(_ slice: ArraySlice<UInt8>) {
    slice.withUnsafeBufferPointer { write($0) }
  }

  /// Writes a part of another buffer.
  package mutating func write(_ range: Range<Int>, of other: borrowing OutputBuffer) {
    precondition(range.upperBound <= other.count)
    write(UnsafeBufferPointer(start: other.memory + range.lowerBound, count: range.count))
  }

  @inline(__always)
  package mutating func write(_ source: UnsafeBufferPointer<UInt8>) {
    guard let first = source.baseAddress else { return }
    if capacity - count < source.count { grow(by: source.count) }
    UnsafeMutableRawPointer(memory + count).copyMemory(from: first, byteCount: source.count)
    count += source.count
  }

  @inline(__always)
  package mutating func write(_ byte: UInt8) {
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
    memory = target
    capacity = larger
    isLent = false
  }

  /// Returns the bytes that were written from an offset on.
  package func bytes(from offset: Int) -> [UInt8] {
    precondition(offset <= count)
    return Array(UnsafeBufferPointer(start: memory + offset, count: count - offset))
  }

  /// Removes the last bytes.
  package mutating func removeLast(_ length: Int) {
    precondition(length <= count)
    count -= length
  }

  mutating func removeAll() { count = 0 }
}

extension OutputBuffer {
  mutating func writeIndent(_ level: Int) {
    for _ in 0..<level { write("  ") }
  }

  /// Writes `text`, and calls `escape` for the characters of `special` and for every invisible character.
  ///
  /// Runs of other bytes are copied at once.
  package mutating func write(
    _ text: String, special: ASCIISet, escape: (inout OutputBuffer, Unicode.Scalar) -> Void
  ) {
    text.withBytes { write($0, special: special, escape: escape) }
  }

  /// Writes well-formed UTF-8, and calls `escape` for the characters of `special` and for every invisible character.
  package mutating func write(
    _ source: UnsafeBufferPointer<UInt8>, special: ASCIISet, escape: (inout OutputBuffer, Unicode.Scalar) -> Void
  ) {
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

extension Unicode.Scalar {
  /// Returns the scalar at `index` of well-formed UTF-8, and its length in bytes.
  static func decode(_ source: UnsafeBufferPointer<UInt8>, at index: Int) -> (scalar: Self, length: Int) {
    let first = UInt32(source[index])
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    var value = length == 1 ? first : first & (0x7F >> UInt32(length))
    for offset in 1..<max(length, 1) { value = value << 6 | UInt32(source[index + offset] & 0x3F) }
    return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
  }
}

extension String {
  /// Calls `body` with the UTF-8 of the text. `withUTF8` needs a variable, and so a copy that counts a reference.
  ///
  /// It is not generic, because another module would look up the type of a result at each call.
  package func withBytes(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    if utf8.withContiguousStorageIfAvailable(body) != nil { return }
    var text = self
    text.withUTF8(body)
  }
}

extension OutputBuffer {
  /// Writes the number of a character, for example `\u{202E}`.
  package mutating func writeNumber(of scalar: Unicode.Scalar) {
    write("\\u{")
    write(String(scalar.value, radix: 16, uppercase: true))
    write("}")
  }
}
