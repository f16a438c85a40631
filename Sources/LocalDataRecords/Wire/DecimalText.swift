package import LocalDataFoundation

extension Decimal {
  /// The only text of the number: without zeros at the end of a fraction, so that equal numbers have equal texts.
  var recordText: String {
    let text = description
    guard text.utf8.contains(UInt8(ascii: ".")) else { return text }
    let end = text.utf8.lastIndex { $0 != UInt8(ascii: "0") } ?? text.startIndex
    return String(text[...end]).hasSuffix(".") ? String(text[..<end]) : String(text[...end])
  }

  /// Creates the number of a text of digits, or returns nil if it is another text. The initializer of Foundation reads "1-2" as 1.
  package init?(recordText text: String) {
    if text == "NaN" {
      self = .nan
      return
    }
    guard text.utf8.count <= Self.longestText, Self.isNumber(text), let number = Decimal(string: text) else {
      return nil
    }
    self = number
  }

  /// Returns true for digits that may have a sign before them, and a point between two of them.
  private static func isNumber(_ text: String) -> Bool {
    var digits = 0
    var points = 0
    for (position, byte) in text.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "-") where position == 0: break
      case UInt8(ascii: ".") where digits > 0 && points == 0:
        digits = 0
        points = 1
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
      default: return false
      }
    }
    return digits > 0
  }

  /// More than the sign, point and digits of any number: 38 digits, and an exponent from -128 to 127.
  private static let longestText = 200
}
