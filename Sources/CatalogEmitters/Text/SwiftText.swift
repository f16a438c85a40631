/// Text in Swift source.
extension OutputBuffer {
  /// A string literal.
  mutating func writeLiteral(_ text: String) {
    write("\"")
    writeLiteralPart(text)
    write("\"")
  }

  /// What stands between the quotes of a string literal.
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

  /// An identifier, between backticks where it is a keyword.
  mutating func writeIdentifier(_ name: String) {
    guard SwiftKeyword.contains(name) else { return write(name) }
    write("`")
    write(name)
    write("`")
  }

  /// Text of a `//` comment, on one line.
  mutating func writeComment(_ text: String) {
    write(text, special: Self.specialInComment) { output, scalar in
      switch scalar {
      case "\n", "\r", "\t": output.write(" ")
      default: output.writeNumber(of: scalar)
      }
    }
  }

  private static let specialInComment = ASCIISet("")

  /// A `///` comment that shows `text` as it is, whatever Markdown would make of it.
  ///
  /// Lines end at the hundred-and-twentieth column where a space comes before, and go on with a letter, so that no line
  /// begins a list or a heading.
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

  /// The columns of a line.
  static let width = 120

  /// Where the first line of `text` ends: the last space before a letter that leaves at most `room` characters; `nil`
  /// where `text` fits.
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
  var isASCIILetter: Bool { (self | 0x20) >= UInt8(ascii: "a") && (self | 0x20) <= UInt8(ascii: "z") }
  var isASCIIDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
}

/// The words that an identifier may be only between backticks.
enum SwiftKeyword {
  static func contains(_ name: String) -> Bool { words.contains(name) }

  private static let words: Set<String> = [
    "Any", "Protocol", "Self", "Type", "actor", "as", "associatedtype", "async", "await", "break", "case", "catch",
    "class", "consume", "continue", "copy", "default", "defer", "deinit", "discard", "do", "each", "else", "enum",
    "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout",
    "internal", "is", "let", "nil", "operator", "package", "precedencegroup", "private", "protocol", "public", "repeat",
    "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "then", "throw", "throws", "true",
    "try", "typealias", "var", "where", "while", "yield",
  ]
}
