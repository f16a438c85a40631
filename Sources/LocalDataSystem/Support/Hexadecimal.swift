extension Sequence<UInt8> {
  /// The bytes as text: two lower-case hexadecimal digits for each byte.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in self {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension StringProtocol {
  /// Returns true if the text is the lower-case hexadecimal form of a number of bytes.
  package func isHexadecimal(ofBytes count: Int) -> Bool {
    utf8.count == 2 * count
      && utf8.allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
      }
  }
}
