package import LocalDataFoundation

/// The checksum of zlib and Ethernet: it finds accidental damage, not forgery.
package enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 0 ? value >> 1 : 0xEDB8_8320 ^ value >> 1 }
  }

  package static func checksum(of bytes: Data) -> UInt32 { bytes.withUnsafeBytes(checksum) }

  package static func checksum(of number: UInt32) -> UInt32 { withUnsafeBytes(of: number.bigEndian, checksum) }

  private static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    ~bytes.reduce(~0) { sum, byte in table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ sum >> 8 }
  }
}
