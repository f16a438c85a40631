import LocalDataAudit
import LocalDataVocabulary

/// The kind of text that contains Markdown.
package enum MarkdownPlace {
  /// A documentation comment. It is also read as source, so as little as possible is escaped.
  case documentation
  /// A document, or a table cell in it. HTML is escaped as well.
  case document
  /// A comment on a change, where mentions of people and of other changes are links too.
  case comment

  /// A Boolean value that indicates whether HTML is escaped.
  fileprivate var escapesHTML: Bool { self != .documentation }
}

extension OutputBuffer {
  /// Writes text on one line so that Markdown shows it unchanged: without emphasis, code, links, images, lists, quotes,
  /// headings, rules, tables, HTML, math, emoji codes or directives of DocC.
  ///
  /// Leading white space is omitted, because four spaces begin a code block.
  package mutating func writeMarkdown(_ text: String, in place: MarkdownPlace) {
    text.withBytes { source in
      let special = place.escapesHTML ? Self.specialInDocument : Self.specialInDocumentation
      let first = source.firstIndex { $0 > UInt8(ascii: " ") } ?? source.count
      var start = first
      var index = first
      while index < source.count {
        let byte = source[index]
        if !special.contains(byte), index > first || byte.isASCIILetter {
          index += 1
          continue
        }
        let (scalar, length) = Unicode.Scalar.decode(source, at: index)
        let context = MarkdownContext(source: source, first: first, index: index)
        guard let replacement = context.replacement(of: scalar, in: place) else {
          index += length
          continue
        }
        write(UnsafeBufferPointer(rebasing: source[start..<index]))
        switch replacement {
        case .text(let text): write(text)
        case .backslash: write("\\")
        case .number: writeNumber(of: scalar)
        }
        start = replacement == .backslash ? index : index + length
        index += length
      }
      write(UnsafeBufferPointer(rebasing: source[start...]))
    }
  }

  private static let specialInDocument = ASCIISet("\\`*[]<>~|&_:.)$@#")
  private static let specialInDocumentation = ASCIISet("\\`*[]<~&_:.)")
}

/// A character of a line with its neighbours, which decide whether it has a meaning in Markdown.
private struct MarkdownContext {
  let source: UnsafeBufferPointer<UInt8>
  let first: Int
  let index: Int

  enum Replacement: Equatable {
    case text(StaticString)
    case backslash
    case number

    static func == (left: Self, right: Self) -> Bool {
      switch (left, right) {
      case (.backslash, .backslash), (.number, .number): true
      default: false
      }
    }
  }

  private func byte(_ offset: Int) -> UInt8 {
    let place = index + offset
    return place >= first && place < source.count ? source[place] : UInt8(ascii: " ")
  }

  /// Returns the replacement of the character, or nil if it is written unchanged.
  func replacement(of scalar: Unicode.Scalar, in place: MarkdownPlace) -> Replacement? {
    switch scalar {
    case "\n", "\r", "\t": return .text(" ")
    case "\\", "`", "*", "[", "]", "~", "|", "$": return .backslash
    case "<": return place.escapesHTML ? .text("&lt;") : .backslash
    case ">": return place.escapesHTML ? .text("&gt;") : index == first ? .backslash : nil
    case "&":
      let mayBeEntity = byte(1).isASCIILetter || byte(1) == UInt8(ascii: "#")
      return place.escapesHTML ? .text("&amp;") : mayBeEntity ? .backslash : nil
    case "_":
      let isWithinWord = byte(-1).isWordByte && byte(1).isWordByte
      return isWithinWord ? nil : .backslash
    // Addresses become links: `http://`, `www.`.
    case ":":
      let isAddress = byte(1) == UInt8(ascii: "/") && byte(2) == UInt8(ascii: "/")
      return isAddress || place.escapesHTML && beginsEmojiCode ? .backslash : nil
    case ".":
      let isAddress = (1...3).allSatisfy { byte(-$0) | 0x20 == UInt8(ascii: "w") }
      return isAddress || isListNumber ? .backslash : nil
    case ")": return isListNumber ? .backslash : nil
    case "#", "@": return index == first || place == .comment ? .backslash : nil
    case "-", "+", "=", "!": return index == first ? .backslash : nil
    default: return InvisibleCharacter.contains(scalar) ? .number : nil
    }
  }

  /// True if the line begins with digits, which the dot or parenthesis after them would turn into a numbered list.
  private var isListNumber: Bool {
    // A number of a list has at most nine digits.
    index > first && index - first <= 9 && (first..<index).allSatisfy { source[$0].isASCIIDigit }
  }

  /// True if a code such as `:smile:` begins here.
  private var beginsEmojiCode: Bool {
    let name = (1...Self.longestEmojiCode).prefix {
      byte($0).isWordByte || Self.signsOfEmojiCodes.contains(byte($0))
    }
    // A name has a letter or a sign. Digits alone are a time of day.
    return byte(name.count + 1) == UInt8(ascii: ":") && !name.allSatisfy { byte($0).isASCIIDigit }
  }

  private static let longestEmojiCode = 60
  private static let signsOfEmojiCodes = Array("_+-".utf8)
}

extension UInt8 {
  fileprivate var isWordByte: Bool { isASCIILetter || isASCIIDigit || self >= 0x80 }
}
