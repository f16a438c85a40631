/// The words of a name in lower case: `userToken_2` is `user`, `token`, `2`.
enum NameWords {
  /// Lends the letters and digits of all words, and the offsets at which the words start.
  ///
  /// Rules ask for the words of ten thousand names. They are therefore on the stack.
  static func withWords<Result>(
    of text: String, _ body: (_ letters: UnsafeBufferPointer<UInt8>, _ starts: UnsafeBufferPointer<Int>) -> Result
  ) -> Result {
    var text = text
    return text.withUTF8 { bytes in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count) { letters in
        withUnsafeTemporaryAllocation(of: Int.self, capacity: bytes.count) { starts in
          var count = 0
          var words = 0
          forEachLetter(bytes) { letter, isStart in
            if isStart {
              starts[words] = count
              words += 1
            }
            letters[count] = letter
            count += 1
          }
          return body(UnsafeBufferPointer(rebasing: letters[..<count]), UnsafeBufferPointer(rebasing: starts[..<words]))
        }
      }
    }
  }

  /// Returns the words as texts.
  static func texts(of text: String) -> [String] {
    withWords(of: text) { letters, starts in
      starts.indices.map { word in
        let end = word + 1 < starts.count ? starts[word + 1] : letters.count
        return String(decoding: letters[starts[word]..<end], as: UTF8.self)
      }
    }
  }

  /// Calls the closure with each letter or digit in lower case, and whether a word starts with it.
  @inline(__always)
  static func forEachLetter(_ text: UnsafeBufferPointer<UInt8>, _ body: (UInt8, _ isStart: Bool) -> Void) {
    var last: UInt8 = 0
    for index in text.indices {
      let byte = text[index]
      if isPart(byte) {
        let next = index + 1 < text.count ? text[index + 1] : 0
        body(folded(byte), !isPart(last) || isStart(byte, after: last, before: next))
      }
      last = byte
    }
  }

  /// Returns true if two texts have the same letters and digits, in whatever words and case.
  static func haveSameLetters(_ left: String, _ right: String) -> Bool {
    var left = left
    var right = right
    return left.withUTF8 { left in
      right.withUTF8 { right in
        var index = 0
        var other = 0
        while true {
          while index < left.count, !isPart(left[index]) { index += 1 }
          while other < right.count, !isPart(right[other]) { other += 1 }
          guard index < left.count, other < right.count else { return index == left.count && other == right.count }
          guard folded(left[index]) == folded(right[other]) else { return false }
          index += 1
          other += 1
        }
      }
    }
  }

  private static func folded(_ byte: UInt8) -> UInt8 { Identifier.isUpper(byte) ? byte | 0x20 : byte }

  private static func isPart(_ byte: UInt8) -> Bool {
    Identifier.isLower(byte) || Identifier.isUpper(byte) || Identifier.isDigit(byte) || byte >= 0x80
  }

  /// Returns true if a word starts with `byte`: `Token` in `userToken`, `Parser` in `URLParser`, `2` in `token2`.
  private static func isStart(_ byte: UInt8, after last: UInt8, before next: UInt8) -> Bool {
    if Identifier.isDigit(byte) { return !Identifier.isDigit(last) }
    if Identifier.isUpper(byte) { return !Identifier.isUpper(last) || Identifier.isLower(next) }
    return Identifier.isDigit(last)
  }
}

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
