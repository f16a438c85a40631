/// From places as libyaml counts them, in scalars, to offsets of bytes.
///
/// Events come in the order of the text, so that each call has a short way to go, even in a file of one long line.
struct ByteCursor {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let isASCII: Bool
  private var index = 0
  private var offset = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool) {
    self.bytes = bytes
    self.isASCII = isASCII
  }

  mutating func offset(of mark: YAMLMark) -> Int {
    if isASCII { return min(mark.index, bytes.count) }
    while index < mark.index, offset < bytes.count {
      offset += 1
      while offset < bytes.count, bytes[offset].isContinuation { offset += 1 }
      index += 1
    }
    while index > mark.index, offset > 0 {
      offset -= 1
      while offset > 0, bytes[offset].isContinuation { offset -= 1 }
      index -= 1
    }
    return offset
  }

  /// The byte at a place; `nil` at the end.
  mutating func byte(at mark: YAMLMark) -> UInt8? {
    let offset = offset(of: mark)
    return offset < bytes.count ? bytes[offset] : nil
  }

  /// Returns true if a ']' or '}' comes before a place, with nothing but blanks in between.
  mutating func followsBracket(_ mark: YAMLMark) -> Bool {
    var before = offset(of: mark)
    while before > 0, bytes[before - 1].isBlank { before -= 1 }
    return before > 0 && "]}".utf8.contains(bytes[before - 1])
  }
}

extension UInt8 {
  /// A Boolean value that indicates whether it is a second, third or fourth byte of a character.
  package var isContinuation: Bool { self & 0xC0 == 0x80 }

  package var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

  package var isLetterOrDigit: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  package var isBlankOrBreak: Bool { isBlank || self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the offset of the first line feed from `start` on, or nil if there is none. Eight bytes are compared at once.
  package func lineFeed(from start: Int) -> Int? {
    let each: UInt64 = 0x0101_0101_0101_0101
    let highest = each * 0x80
    let raw = UnsafeRawBufferPointer(self)
    var offset = start
    while offset + 8 <= count {
      let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) ^ (each * 0x0A)
      // The lowest bit that is set is the highest one of the first byte that is equal.
      let zeros = (word &- each) & ~word & highest
      if zeros != 0 { return offset + zeros.trailingZeroBitCount / 8 }
      offset += 8
    }
    while offset < count {
      if self[offset] == UInt8(ascii: "\n") { return offset }
      offset += 1
    }
    return nil
  }

  /// The number of characters of UTF-8. Eight bytes are looked at at once.
  package var characterCount: Int {
    let lowest: UInt64 = 0x0101_0101_0101_0101
    let raw = UnsafeRawBufferPointer(self)
    var continuations = 0
    var offset = 0
    while offset + 8 <= count {
      let word = raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      offset += 8
      // Most text is ASCII, and counting bits takes a dozen instructions on some processors.
      guard word & (lowest << 7) != 0 else { continue }
      // The highest bit of such a byte is set, and the next one is not.
      continuations += (word >> 7 & ~(word >> 6) & lowest).nonzeroBitCount
    }
    return count - continuations - self[offset...].count(where: \.isContinuation)
  }

  /// Returns true if `text` stands at `offset`.
  package func hasEqual(_ text: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool {
    guard offset >= 0, offset + text.count <= count else { return false }
    let left = UnsafeRawBufferPointer(self)
    let right = UnsafeRawBufferPointer(text)
    func isEqual(_ position: Int) -> Bool {
      left.loadUnaligned(fromByteOffset: offset + position, as: UInt64.self)
        == right.loadUnaligned(fromByteOffset: position, as: UInt64.self)
    }
    guard text.count >= 8 else {
      return text.indices.allSatisfy { left[offset + $0] == right[$0] }
    }
    var position = 0
    while position + 8 < text.count {
      guard isEqual(position) else { return false }
      position += 8
    }
    // The last word overlaps the one before.
    return isEqual(text.count - 8)
  }
}
