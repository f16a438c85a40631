import SmallFoundation

extension Decimal {
  /// The only text of the number: without zeros at the end of a fraction, so that equal numbers have equal texts.
  var recordText: String {
    let text = description
    guard text.utf8.contains(UInt8(ascii: ".")) else { return text }
    let end = text.utf8.lastIndex { $0 != UInt8(ascii: "0") } ?? text.startIndex
    return String(text[...end]).hasSuffix(".") ? String(text[..<end]) : String(text[...end])
  }

  /// Creates the number of a text of digits, or returns nil if it is another text. The initializer of Foundation reads "1-2" as 1.
  init?(recordText text: String) {
    if text == "NaN" {
      self = .nan
      return
    }
    let parts = text.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
    guard text.utf8.count <= Self.longestText, parts.count <= 2,
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) }),
      text.dropFirst().allSatisfy({ $0 != "-" }), let number = Decimal(string: text)
    else { return nil }
    self = number
  }

  /// More than the sign, point and digits of any number: 38 digits, and an exponent from -128 to 127.
  private static let longestText = 200
}
