/// Numbers as text, in the one form that Swift takes as a literal.
enum NumberText {
  enum Problem: Error {
    case notANumber, outOfRange
  }

  /// A whole number within the range of `type`.
  static func integer<Number: FixedWidthInteger>(_ text: String, _ type: Number.Type) throws(Problem) -> String {
    if let number = Number(text) { return String(number) }
    let digits = text.utf8.first.map { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") } == true ? 1 : 0
    let rest = text.utf8.dropFirst(digits)
    throw !rest.isEmpty && rest.allSatisfy(Identifier.isDigit) ? .outOfRange : .notANumber
  }

  /// Returns the whole number that somebody meant who has written it as Swift, or with separators: `1_000` and `0x10`.
  static func meant(by text: String) -> Int? {
    let radices = [("0x", 16), ("0o", 8), ("0b", 2)]
    let digits = text.lowercased().filter { $0 != "_" && $0 != "'" && $0 != "," && !$0.isWhitespace }
    guard let (prefix, radix) = radices.first(where: { digits.hasPrefix($0.0) }) else { return Int(digits) }
    return Int(digits.dropFirst(prefix.count), radix: radix)
  }

  /// A finite number: digits, at most one point between them, an exponent.
  static func floating<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ text: String, _ type: Number.Type
  ) throws(Problem) -> String {
    guard isDecimal(text) else { throw .notANumber }
    guard let number = Number(text), number.isFinite else { throw .outOfRange }
    return number.description
  }

  /// A number of at most 38 digits, as Decimal keeps them.
  static func decimal(_ text: String) throws(Problem) -> String {
    guard isDecimal(text) else { throw .notANumber }
    let mantissa = text.utf8.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
    let digits = mantissa.filter(Identifier.isDigit).drop { $0 == UInt8(ascii: "0") }
    let exponent = Int(String(decoding: text.utf8.dropFirst(mantissa.count + 1), as: UTF8.self)) ?? 0
    let places = mantissa.drop { $0 != UInt8(ascii: ".") }.dropFirst().count
    guard digits.count <= 38, (-127...127).contains(exponent - places), abs(exponent) <= 127 else {
      throw .outOfRange
    }
    return text.utf8.first == UInt8(ascii: "+") ? String(text.dropFirst()) : text
  }

  private static func isDecimal(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    func skipSign() {
      if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest = rest.dropFirst() }
    }
    func skipDigits() -> Bool {
      let digits = rest.prefix(while: Identifier.isDigit).count
      rest = rest.dropFirst(digits)
      return digits > 0
    }
    skipSign()
    guard skipDigits() else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      guard skipDigits() else { return false }
    }
    if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
      rest = rest.dropFirst()
      skipSign()
      guard skipDigits() else { return false }
    }
    return rest.isEmpty
  }
}

/// Base64 of RFC 4648, section 4, with padding, without Foundation.
enum Base64Text {
  static func bytes(_ text: String) -> [UInt8]? {
    let text = Array(text.utf8)
    guard text.count.isMultiple(of: 4) else { return nil }
    let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
    var result: [UInt8] = []
    result.reserveCapacity(text.count / 4 * 3)
    var bits: UInt32 = 0
    var count: Int = 0
    for byte in text.dropLast(padding) {
      guard let value = value(byte) else { return nil }
      bits = bits << 6 | value
      count += 6
      if count >= 8 {
        count -= 8
        result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    // What is left of the last letter must be zero, so that equal bytes have one text.
    guard bits & (1 << UInt32(count) - 1) == 0 else { return nil }
    return result
  }

  static func text(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var result: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      bits <<= UInt32(8 * (3 - group.count))
      for index in 0..<4 {
        let letter = letters[Int(bits >> UInt32(18 - 6 * index) & 63)]
        result.append(index <= group.count ? letter : UInt8(ascii: "="))
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func value(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}

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
