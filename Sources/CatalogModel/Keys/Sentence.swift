/// Whether a text says something to the reader of an audit.
enum Sentence {
  enum Problem {
    case empty, placeholder, tooShort
  }

  /// Words that stand where a description has yet to be written.
  private static let placeholders: Set<String> = ["TODO", "FIXME", "TBD", "XXX", "TBA", "WIP"]

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
    let first = text.utf8.drop { $0 <= 0x20 }.prefix { Identifier.isLower($0) || Identifier.isUpper($0) }
    if first.count <= 5, placeholders.contains(String(decoding: first, as: UTF8.self).uppercased()) {
      return .placeholder
    }
    // Some scripts put no spaces between words.
    return words >= 2 || hasForeignLetter && text.unicodeScalars.count >= 4 ? nil : .tooShort
  }
}
