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
