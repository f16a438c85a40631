/// Judges whether a text says something to the reader of an audit.
enum Sentence {
  enum Problem {
    case empty, placeholder, tooShort
  }

  /// Words that stand where a description has yet to be written.
  private static let placeholders = ["todo", "fixme", "tbd", "xxx", "tba", "wip"].map { Array($0.utf8) }

  static func problem(_ text: String) -> Problem? {
    var text = text
    return text.withUTF8 { bytes in
      let start = bytes.drop { $0 <= 0x20 }
      if start.isEmpty { return .empty }
      if isPlaceholder(start) { return .placeholder }
      var words = 0
      var isInWord = false
      for byte in start {
        if byte <= 0x20 {
          isInWord = false
        } else if !isInWord, Identifier.isLower(byte | 0x20) || byte >= 0x80 {
          words += 1
          if words == 2 { return nil }
          isInWord = true
        }
      }
      // Some scripts put no spaces between words.
      let isForeign = start.contains { $0 >= 0x80 }
      return isForeign && start.count { $0 & 0xC0 != 0x80 } >= 4 ? nil : .tooShort
    }
  }

  private static func isPlaceholder(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    placeholders.contains { placeholder in
      guard text.count >= placeholder.count, zip(text, placeholder).allSatisfy({ $0 | 0x20 == $1 }) else {
        return false
      }
      let next = text.dropFirst(placeholder.count).first ?? 0
      return !Identifier.isLower(next | 0x20)
    }
  }
}
