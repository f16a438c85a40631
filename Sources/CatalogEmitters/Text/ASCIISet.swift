/// A set of ASCII characters, asked once a byte.
struct ASCIISet {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// The characters of `members`, and the control characters.
  init(_ members: StaticString) {
    low = (1 << 32) - 1
    high = 1 << 63
    members.withUTF8Buffer { for byte in $0 { insert(byte) } }
  }

  private mutating func insert(_ byte: UInt8) {
    if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
  }

  func contains(_ byte: UInt8) -> Bool {
    (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 == 1
  }
}
