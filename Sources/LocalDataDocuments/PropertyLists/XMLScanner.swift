import LocalDataSyntax

/// The tags and texts of a file in XML, in order.
///
/// It accepts what editors and Xcode write into property lists. Everything that could make the file mean something else
/// than it shows is refused: declarations of entities, CDATA sections, processing instructions and control characters.
struct XMLScanner {
  struct Tag {
    var name: String
    var range: Range<Int>
    var isClosing = false
    /// True for `<array/>`.
    var isEmpty = false
    var hasAttributes = false
  }

  let file: SourceFile
  private let bytes: [UInt8]
  private(set) var offset = 0

  init(_ file: SourceFile) {
    self.file = file
    bytes = file.bytes
  }

  var isAtEnd: Bool { offset == bytes.count }

  func failure(_ message: String, at range: Range<Int>, help: String) -> PropertyListFailure {
    PropertyListFailure(message, at: file.place(of: range), help: help)
  }

  /// Returns true if the next bytes are `text`.
  func isNext(_ text: StaticString) -> Bool {
    offset + text.utf8CodeUnitCount <= bytes.count
      && (0..<text.utf8CodeUnitCount).allSatisfy { bytes[offset + $0] == text.utf8Start[$0] }
  }

  mutating func skipSpace() {
    while offset < bytes.count, bytes[offset].isBlankOrBreak { offset += 1 }
  }

  mutating func skipSpaceAndComments() throws(PropertyListFailure) {
    skipSpace()
    while isNext("<!--") {
      try skip(past: "-->", from: 4, of: "a comment")
      skipSpace()
    }
  }

  /// Skips what begins here and ends with `end`.
  ///
  /// - Parameter length: The length of the beginning, which the end does not overlap.
  mutating func skip(past end: StaticString, from length: Int, of name: String) throws(PropertyListFailure) {
    let start = offset
    offset += length
    while offset < bytes.count {
      if isNext(end) {
        offset += end.utf8CodeUnitCount
        return
      }
      offset += 1
    }
    throw failure("\(name) does not end", at: start..<start + length, help: "close it with '\(end)'")
  }

  // MARK: Tags

  /// Returns the tag that begins here.
  mutating func tag(in element: String?) throws(PropertyListFailure) -> Tag {
    let start = offset
    guard offset < bytes.count else {
      let name = element.map { "<\($0)>" } ?? "<plist>"
      throw failure("the file ends before \(name) is closed", at: start..<start, help: "restore the end of the file")
    }
    guard bytes[offset] == UInt8(ascii: "<") else {
      throw failure(
        "there is text between the elements", at: start..<start + 1, help: "remove it, or write it as a comment")
    }
    try refuseSpecial()
    offset += 1
    var tag = Tag(name: "", range: start..<start)
    if isNext("/") {
      tag.isClosing = true
      offset += 1
    }
    let name = offset
    while offset < bytes.count, bytes[offset].isLetterOrDigit { offset += 1 }
    tag.name = String(decoding: bytes[name..<offset], as: UTF8.self)
    try skipAttributes(of: &tag)
    tag.range = start..<offset
    return tag
  }

  private mutating func skipAttributes(of tag: inout Tag) throws(PropertyListFailure) {
    let start = tag.range.lowerBound
    var quote: UInt8?
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: ">") {
        tag.isEmpty = bytes[offset - 2] == UInt8(ascii: "/") && !tag.isClosing
        return
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "<") {
        break
      } else if !byte.isBlankOrBreak, byte != UInt8(ascii: "/") {
        tag.hasAttributes = true
      }
    }
    throw failure("a tag does not end", at: start..<start + 1, help: "close it with '>'")
  }

  private func refuseSpecial() throws(PropertyListFailure) {
    if isNext("<![CDATA[") {
      throw failure(
        "a CDATA section is not supported", at: offset..<offset + 9,
        help: "write the text with '&lt;', '&gt;' and '&amp;'")
    }
    if isNext("<!") || isNext("<?") {
      throw failure(
        "a declaration or an instruction is not supported here", at: offset..<offset + 2,
        help: "remove it; the file needs no more than the first two lines that Xcode writes")
    }
  }

  // MARK: Text

  /// Returns the text up to the next tag.
  mutating func text() throws(PropertyListFailure) -> String {
    var text: [UInt8] = []
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "<") {
      if bytes[offset] == UInt8(ascii: "&") {
        text += String(try reference()).utf8
      } else {
        text.append(bytes[offset])
        offset += 1
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the character of a reference: `&amp;` or `&#38;`.
  private mutating func reference() throws(PropertyListFailure) -> Unicode.Scalar {
    let start = offset
    var end = offset + 1
    while end < bytes.count, end - start < 12, bytes[end].isLetterOrDigit || bytes[end] == UInt8(ascii: "#") {
      end += 1
    }
    let name = String(decoding: bytes[start + 1..<end], as: UTF8.self)
    guard end < bytes.count, bytes[end] == UInt8(ascii: ";"), let scalar = Self.scalar(name) else {
      throw failure(
        "'&' does not begin one of the five entities of XML, or the number of a character", at: start..<end,
        help: "write '&amp;' for the character itself")
    }
    offset = end + 1
    return scalar
  }

  private static func scalar(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    guard name.hasPrefix("#") else { return nil }
    let isHexadecimal = name.hasPrefix("#x")
    let digits = name.dropFirst(isHexadecimal ? 2 : 1)
    guard let value = UInt32(digits, radix: isHexadecimal ? 16 : 10), !XMLCharacters.isControl(value) else {
      return nil
    }
    return Unicode.Scalar(value)
  }
}
