import LocalDataModel

/// Text as Swift source.
extension OutputBuffer {
  /// Writes a string literal.
  package mutating func writeLiteral(_ text: String) {
    write("\"")
    writeLiteralPart(text)
    write("\"")
  }

  /// Writes the part of a string literal between its quotes.
  mutating func writeLiteralPart(_ text: String) {
    write(text, special: Self.specialInLiteral) { output, scalar in
      switch scalar {
      case "\"": output.write("\\\"")
      case "\\": output.write("\\\\")
      case "\n": output.write("\\n")
      case "\r": output.write("\\r")
      case "\t": output.write("\\t")
      default: output.writeNumber(of: scalar)
      }
    }
  }

  private static let specialInLiteral = ASCIISet("\"\\")

  /// Writes an identifier, between backticks if it is a keyword.
  package mutating func writeIdentifier(_ name: String) {
    guard SwiftKeyword.contains(name) else { return write(name) }
    write("`")
    write(name)
    write("`")
  }

  /// Writes the text of a `//` comment on one line.
  package mutating func writeComment(_ text: String) {
    write(text, special: Self.specialInComment) { output, scalar in
      switch scalar {
      case "\n", "\r", "\t": output.write(" ")
      default: output.writeNumber(of: scalar)
      }
    }
  }

  private static let specialInComment = ASCIISet("")

  /// Writes a `///` comment that shows `text` unchanged, whatever characters of Markdown it has.
  ///
  /// Lines are broken at spaces before the 120th column. A new line begins with a letter, so that it does not begin a list
  /// or a heading.
  mutating func writeDocComment(_ text: String, indent: Int) {
    let start = count
    writeIndent(indent)
    write("/// ")
    let textStart = count
    writeMarkdown(text, in: .documentation)
    guard count - start > Self.width else { return write("\n") }
    let line = bytes(from: textStart)
    removeLast(line.count)
    var rest = line[...]
    let room = Self.width - (textStart - start)
    while let end = Self.lineEnd(rest, room) {
      write(rest[..<end])
      write("\n")
      writeIndent(indent)
      write("/// ")
      rest = rest[(end + 1)...]
    }
    write(rest)
    write("\n")
  }

  /// The number of columns of a line.
  static let width = 120

  /// Returns the index at which the first line of `text` ends, or nil if all of it fits. It is the last space before a
  /// letter that leaves at most `room` characters.
  private static func lineEnd(_ text: ArraySlice<UInt8>, _ room: Int) -> Int? {
    var characters = 0
    var best: Int?
    for index in text.indices {
      if text[index] & 0xC0 != 0x80 { characters += 1 }
      let isSpace = text[index] == UInt8(ascii: " ") && index + 1 < text.endIndex && text[index + 1].isASCIILetter
      if isSpace, characters <= room + 1 || best == nil { best = index }
      if characters > room, best != nil { return best }
    }
    return nil
  }
}

extension UInt8 {
  package var isASCIILetter: Bool { (self | 0x20) >= UInt8(ascii: "a") && (self | 0x20) <= UInt8(ascii: "z") }
  package var isASCIIDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
}
