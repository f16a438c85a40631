/// URLs and UUIDs as text, without Foundation.
enum AddressText {
  /// Returns true if `text` is an absolute URL that Foundation takes: RFC 3986's characters, a scheme, a port of
  /// digits.
  static func isURL(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon + 1 < bytes.count, isLetter(bytes[0]),
      bytes[..<colon].allSatisfy({ isLetter($0) || Identifier.isDigit($0) || "+-.".utf8.contains($0) })
    else { return false }
    var rest = bytes[(colon + 1)...]
    if rest.starts(with: "//".utf8) {
      let authority = rest.dropFirst(2).prefix { !"/?#".utf8.contains($0) }
      rest = bytes[authority.endIndex...]
      guard isAuthority(authority) else { return false }
    }
    guard let body = afterPercents(rest) else { return false }
    return body.count { $0 == UInt8(ascii: "#") } <= 1
      && body.allSatisfy { isLetter($0) || Identifier.isDigit($0) || "-._~!$&'()*+,;=:@/?#".utf8.contains($0) }
  }

  /// The UUID in upper case, or `nil` if the text is not one.
  static func uuid(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    guard bytes.count == 36 else { return nil }
    for (index, byte) in bytes.enumerated() {
      let isDash = index == 8 || index == 13 || index == 18 || index == 23
      guard isDash ? byte == UInt8(ascii: "-") : isHex(byte) else { return nil }
    }
    return text.uppercased()
  }

  private static func isAuthority(_ authority: ArraySlice<UInt8>) -> Bool {
    let afterUser = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[($0 + 1)...] } ?? authority
    var port = afterUser.lastIndex(of: UInt8(ascii: ":")).map { afterUser[($0 + 1)...] } ?? []
    var host = afterUser.dropLast(port.isEmpty ? 0 : port.count + 1)
    if afterUser.first == UInt8(ascii: "[") {
      guard let end = afterUser.firstIndex(of: UInt8(ascii: "]")) else { return false }
      host = afterUser[(afterUser.startIndex + 1)..<end]
      port = afterUser[(end + 1)...]
      guard port.isEmpty || port.first == UInt8(ascii: ":"), host.allSatisfy({ isHex($0) || ":.".utf8.contains($0) })
      else { return false }
      port = port.dropFirst()
    }
    guard port.allSatisfy(Identifier.isDigit), port.count <= 5 else { return false }
    guard let plain = afterPercents(authority.prefix(upTo: afterUser.startIndex) + host) else { return false }
    return plain.allSatisfy { isLetter($0) || Identifier.isDigit($0) || "-._~!$&'()*+,;=:@".utf8.contains($0) }
  }

  /// The bytes without their `%XX`; `nil` if a `%` is followed by something else.
  private static func afterPercents(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == UInt8(ascii: "%") {
        guard index + 2 < bytes.endIndex, isHex(bytes[index + 1]), isHex(bytes[index + 2]) else { return nil }
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }

  private static func isLetter(_ byte: UInt8) -> Bool { Identifier.isLower(byte) || Identifier.isUpper(byte) }

  private static func isHex(_ byte: UInt8) -> Bool {
    Identifier.isDigit(byte) || byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "f")
  }
}
