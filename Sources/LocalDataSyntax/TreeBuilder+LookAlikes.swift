/// Characters that were copied from a document or a web page. They look like YAML's, but are text for it.
extension TreeBuilder {
  /// Reports plain text that begins and ends with typographic quotes.
  mutating func reportTypographicQuotes(of text: UnsafeBufferPointer<UInt8>, at range: SourceRange) {
    guard text.count >= 6, Self.isQuote(text, 0), Self.isQuote(text, text.count - 3) else { return }
    findings.report(
      .lookAlike, "these typographic quotes are text for YAML, and would be part of the value", at: range,
      help: "write the quotes as \" or '; put text that keeps such quotes into quotes itself")
  }

  /// Reports the space or the sign that libyaml stumbles over because it is none, where the line at fault or the one above
  /// has such a space in its indentation or behind a ':', or such a sign behind the name of a field; whether there is one.
  mutating func reportLookAlike(near mark: YAMLMark) -> Bool {
    let end = cursor.offset(of: mark)
    var start = end
    var line = mark.location.line
    for isLineAbove in [false, true] where !isLineAbove || start > 0 {
      if isLineAbove {
        start = start - 1
        line = line - 1
      }
      while start > 0, bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
    }
    var walk = Walk(bytes, offset: start, location: SourceLocation(line: line, column: 1))
    var place = Place.beforeToken
    while walk.offset <= end, let byte = walk.byte {
      if byte >= 0xC2, place != .inText, let found = lookAlike(at: walk.offset, place) {
        findings.report(
          .lookAlike, found.message, at: SourceRange(start: walk.location, length: 1), help: found.help)
        return true
      }
      place = place.after(byte)
      walk.advance()
    }
    return false
  }

  /// The part of a line that the next character belongs to.
  private enum Place {
    /// In the indentation, or behind a sign: a name or a value begins next.
    case beforeToken
    /// In letters and digits that can be the name of a field.
    case inName
    case inText

    func after(_ byte: UInt8) -> Place {
      switch byte {
      case UInt8(ascii: "\n"), UInt8(ascii: ":"), UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ","): .beforeToken
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): self == .beforeToken ? .beforeToken : .inText
      case _ where byte.isLetterOrDigit && self != .inText: .inName
      default: .inText
      }
    }
  }

  private func lookAlike(at offset: Int, _ place: Place) -> LookAlike? {
    let text = String(decoding: bytes[offset..<min(offset + 4, bytes.count)], as: UTF8.self)
    guard let scalar = text.unicodeScalars.first else { return nil }
    return place == .inName ? LookAlike.sign(scalar) : LookAlike.any(scalar)
  }

  /// U+2018 to U+201F.
  private static func isQuote(_ text: UnsafeBufferPointer<UInt8>, _ offset: Int) -> Bool {
    text[offset] == 0xE2 && text[offset + 1] == 0x80 && (0x98...0x9F).contains(text[offset + 2])
  }
}
