/// The checksum of zlib and Ethernet: it finds accidental damage, not forgery.
package enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 0 ? value >> 1 : 0xEDB8_8320 ^ value >> 1 }
  }

  package static func checksum(of bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(~0) { sum, byte in table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ sum >> 8 }
  }

  package static func checksum(of number: UInt32) -> UInt32 {
    checksum(of: withUnsafeBytes(of: number.bigEndian) { Array($0) })
  }
}
