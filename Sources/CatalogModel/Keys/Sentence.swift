/// Whether a text says something to the reader of an audit.
enum Sentence {
  enum Problem {
    case empty, placeholder, tooShort
  }

  /// Words that stand where a description has yet to be written.
  private static let placeholders = ["todo", "fixme", "tbd", "xxx", "tba", "wip"].map { Array($0.utf8) }

  static func problem(_ text: String) -> Problem? {
    var words = 0
    var isInWord = false
    var hasForeignLetter = false
    for byte in text.utf8 {
      if byte <= 0x20 {
        isInWord = false
      } else if Identifier.isLower(byte) || Identifier.isUpper(byte) || byte >= 0x80 {
        if byte >= 0x80 { hasForeignLetter = true }
        if !isInWord { words += 1 }
        isInWord = true
      }
    }
    if words == 0 { return text.utf8.contains { $0 > 0x20 } ? .tooShort : .empty }
    let start = text.utf8.drop { $0 <= 0x20 }
    for placeholder in placeholders where start.count >= placeholder.count {
      let rest = start.dropFirst(placeholder.count).first ?? 0
      if zip(start, placeholder).allSatisfy({ $0 | 0x20 == $1 }), !Identifier.isLower(rest | 0x20) {
        return .placeholder
      }
    }
    // Some scripts put no spaces between words.
    return words >= 2 || hasForeignLetter && text.unicodeScalars.count >= 4 ? nil : .tooShort
  }
}
