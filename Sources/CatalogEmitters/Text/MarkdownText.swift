import StorageVocabulary

/// Where Markdown stands.
enum MarkdownPlace {
  /// A documentation comment: read as source too, so that as little as possible is escaped.
  case documentation
  /// A document or a cell of a table in one: HTML is spelled out as well.
  case document
}

extension OutputBuffer {
  /// Text on one line that Markdown shows as it is: no emphasis, code, link, image, list, heading, table, HTML or
  /// directive of DocC comes of it.
  mutating func writeMarkdown(_ text: String, in place: MarkdownPlace) {
    text.withBytes { source in
      let special = place == .document ? Self.specialInDocument : Self.specialInDocumentation
      let first = source.firstIndex { $0 > UInt8(ascii: " ") } ?? source.count
      var start = first
      var index = first
      while index < source.count {
        let byte = source[index]
        if !special.contains(byte), index > first {
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

  private static let specialInDocument = ASCIISet("\\`*[]<>~|&_:.$")
  private static let specialInDocumentation = ASCIISet("\\`*[]<~&_:.")
}

/// A character of a line and its neighbours, which decide what Markdown makes of it.
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

  /// What stands for the character; `nil` where it stands for itself.
  func replacement(of scalar: Unicode.Scalar, in place: MarkdownPlace) -> Replacement? {
    switch scalar {
    case "\n", "\r", "\t": return .text(" ")
    case "\\", "`", "*", "[", "]", "~", "|", "$": return .backslash
    case "<": return place == .document ? .text("&lt;") : .backslash
    case ">": return place == .document ? .text("&gt;") : index == first ? .backslash : nil
    case "&":
      let mayBeEntity = byte(1).isASCIILetter || byte(1) == UInt8(ascii: "#")
      return place == .document ? .text("&amp;") : mayBeEntity ? .backslash : nil
    case "_":
      let isWithinWord = byte(-1).isWordByte && byte(1).isWordByte
      return isWithinWord ? nil : .backslash
    // Bare addresses become links: `http://`, `www.`.
    case ":":
      let isAddress = byte(1) == UInt8(ascii: "/") && byte(2) == UInt8(ascii: "/")
      return isAddress ? .backslash : nil
    case ".":
      let isAddress = (1...3).allSatisfy { byte(-$0) | 0x20 == UInt8(ascii: "w") }
      return isAddress || isListNumber ? .backslash : nil
    case "#", "-", "+", "=", "@", "!": return index == first ? .backslash : nil
    default: return InvisibleCharacter.contains(scalar) ? .number : nil
    }
  }

  /// Whether a line begins with digits that this dot would turn into a numbered list.
  private var isListNumber: Bool { (first..<index).allSatisfy { source[$0].isASCIIDigit } }
}

extension UInt8 {
  fileprivate var isWordByte: Bool { isASCIILetter || isASCIIDigit || self >= 0x80 }
}
