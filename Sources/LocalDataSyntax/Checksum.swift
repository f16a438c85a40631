/// A checksum of 64 bits that shows whether a file was edited. It protects against accidents, not against attackers.
package struct Checksum {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325
  private var pending: UInt64 = 0
  private var pendingCount = 0
  private var count: UInt64 = 0

  /// Returns the checksum of arrays that follow each other, as 16 hexadecimal digits. Where one array ends and the next
  /// begins makes no difference.
  package static func text(of parts: [[UInt8]]) -> String {
    var checksum = Checksum()
    for part in parts { part.withUnsafeBytes { checksum.add($0) } }
    let digits = String(checksum.value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer) {
    count += UInt64(bytes.count)
    var offset = 0
    while offset < bytes.count {
      if pendingCount == 0, offset + 8 <= bytes.count {
        repeat {
          mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
          offset += 8
        } while offset + 8 <= bytes.count
      } else {
        pending |= UInt64(bytes[offset]) << UInt64(8 * pendingCount)
        pendingCount += 1
        offset += 1
        if pendingCount == 8 {
          mix(pending)
          pending = 0
          pendingCount = 0
        }
      }
    }
  }

  private mutating func mix(_ word: UInt64) {
    state = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
    state ^= state >> 32
  }

  private var value: UInt64 {
    var copy = self
    copy.mix(pending)
    copy.mix(count)
    return copy.state
  }
}
