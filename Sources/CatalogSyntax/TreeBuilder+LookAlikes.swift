/// Characters that were copied from a document or a web page. They look like YAML's, but are text for it.
extension TreeBuilder {
  /// Reports plain text that begins and ends with typographic quotes.
  mutating func reportTypographicQuotes(of text: UnsafeBufferPointer<UInt8>, at range: SourceRange) {
    guard text.count >= 6, Self.isQuote(text, 0), Self.isQuote(text, text.count - 3) else { return }
    findings.report(
      .lookAlike, "these typographic quotes are text for YAML, and would be part of the value", at: range,
      help: "write the quotes as \" or '; put text that keeps such quotes into quotes itself")
  }

  /// Reports the space that libyaml stumbles over because it is none, where the line at fault or the one above has
  /// such a space in its indentation or behind a ':'; whether there is one.
  mutating func reportLookAlikeSpace(near mark: YAMLMark) -> Bool {
    let end = cursor.offset(of: mark)
    var start = end
    var line = mark.location.line
    for isLineAbove in [false, true] where !isLineAbove || start > 0 {
      if isLineAbove { (start, line) = (start - 1, line - 1) }
      while start > 0, bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
    }
    var walk = Walk(bytes, offset: start, location: SourceLocation(line: line, column: 1))
    var isExpected = true
    while walk.offset <= end, let byte = walk.byte {
      if isExpected, let name = Self.spaceName(bytes, walk.offset) {
        findings.report(
          .lookAlike, "\(name) looks like a space, and is text for YAML",
          at: SourceRange(start: walk.location, length: 1), help: "write a space of the keyboard instead")
        return true
      }
      isExpected = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: ":") || isExpected && byte.isBlank
      walk.advance()
    }
    return false
  }

  /// U+2018 to U+201F.
  private static func isQuote(_ text: UnsafeBufferPointer<UInt8>, _ offset: Int) -> Bool {
    text[offset] == 0xE2 && text[offset + 1] == 0x80 && (0x98...0x9F).contains(text[offset + 2])
  }

  private static func spaceName(_ text: UnsafeBufferPointer<UInt8>, _ offset: Int) -> String? {
    guard offset + 1 < text.count else { return nil }
    if text[offset] == 0xC2, text[offset + 1] == 0xA0 { return "the no-break space U+00A0" }
    guard offset + 2 < text.count else { return nil }
    switch (text[offset], text[offset + 1], text[offset + 2]) {
    case (0xE2, 0x80, 0x80...0x8B):
      return "the space U+200\(String(text[offset + 2] - 0x80, radix: 16, uppercase: true))"
    case (0xE2, 0x80, 0xAF): return "the narrow no-break space U+202F"
    case (0xE3, 0x80, 0x80): return "the ideographic space U+3000"
    default: return nil
    }
  }
}
