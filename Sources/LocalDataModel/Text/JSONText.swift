import LocalDataAudit

/// Text in JSON.
package enum JSONText {
  /// Returns a text between quotes. Its invisible characters are written as numbers.
  package static func quoted(_ text: String) -> String { quoted(text, hiding: InvisibleCharacter.contains) }

  /// Returns a text between quotes.
  ///
  /// - Parameter isHidden: Returns true for the characters that are written as numbers.
  package static func quoted(_ text: String, hiding isHidden: (Unicode.Scalar) -> Bool) -> String {
    if text.utf8.allSatisfy(isPlain) { return "\"\(text)\"" }
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" || isHidden(scalar) {
        result += escape(scalar)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Returns the escape of a character, with its numbers in UTF-16 if it has no letter.
  package static func escape(_ scalar: Unicode.Scalar) -> String {
    scalar.namedEscape
      ?? String(scalar).utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)"
      }.joined()
  }

  /// Returns true for a byte of ASCII that is written as it is.
  @inlinable package static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }
}
