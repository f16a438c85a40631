extension TreeBuilder {
  /// Reports the anchor and the tag before a node, each at its own place.
  mutating func reportProperties(of event: borrowing YAMLEvent) {
    var walk = Walk(bytes, offset: cursor.offset(of: event.start), location: event.start.location)
    for _ in 0..<2 {
      walk.skipSpaceAndComments()
      guard let first = walk.byte, first == UInt8(ascii: "&") || first == UInt8(ascii: "!") else { return }
      let start = walk.location
      walk.skipWord()
      let range = SourceRange(start: start, end: walk.location)
      if first == UInt8(ascii: "&") {
        findings.report(
          .anchor, "a catalog has no anchors", at: range,
          help: "write the value out where it is needed; put text that starts with '&' into quotes")
      } else {
        findings.report(
          .tag, "a catalog has no tags", at: range,
          help: "the field says what its text means; put text that starts with '!' into quotes")
      }
    }
  }

  /// Reports what follows the document, without a look at what it means.
  mutating func reportRest(after event: borrowing YAMLEvent) {
    // The end that is written out is `...`; one that is not is the place where the next thing starts.
    var walk = Walk(bytes, offset: cursor.offset(of: event.end), location: event.end.location)
    walk.skipSpaceAndComments()
    while walk.starts(with: "...") {
      walk.skipWord()
      walk.skipSpaceAndComments()
    }
    guard let byte = walk.byte else { return }
    if byte == UInt8(ascii: "%"), walk.location.column == 1 {
      findings.report(
        .directive, "a catalog has no directives", at: SourceRange(start: walk.location, length: 1),
        help: "remove the line; put text that starts with '%' into quotes")
    } else if walk.starts(with: "---"), walk.location.column == 1 {
      findings.report(
        .secondDocument, "a second document starts here; a file holds one catalog",
        at: SourceRange(start: walk.location, length: 3), help: "move it to another file")
    } else {
      let start = walk.location
      walk.skipWord()
      findings.report(
        .textAfterEnd, "the catalog has ended before this text", at: SourceRange(start: start, end: walk.location),
        help: "give it the indentation of the fields that it belongs to")
    }
  }

  /// Returns the column at which a comment starts on the rest of the line, or 0 if none does.
  func commentColumn(after end: Int, column: UInt32) -> UInt32 {
    var offset = end
    while offset < bytes.count, bytes[offset].isBlank { offset += 1 }
    guard offset > end, offset < bytes.count, bytes[offset] == UInt8(ascii: "#") else { return 0 }
    return column + UInt32(offset - end)
  }

  /// Returns the end of the text of a literal or folded scalar. For libyaml it ends where the next token starts.
  func endOfBlock(from start: Int, to end: Int, _ record: SyntaxRecord) -> SyntaxRecord.Position {
    var position = record.endPosition
    var offset = end
    while offset > start, bytes[offset - 1].isBlankOrBreak {
      offset -= 1
      if bytes[offset] == UInt8(ascii: "\n") { position.line -= 1 }
    }
    var column: UInt32 = 1
    var lineStart = offset
    while lineStart > 0, bytes[lineStart - 1] != UInt8(ascii: "\n") {
      lineStart -= 1
      if !bytes[lineStart].isContinuation { column += 1 }
    }
    position.column = column
    return position
  }
}

/// A way through the text that keeps count of lines and columns.
struct Walk {
  private let bytes: UnsafeBufferPointer<UInt8>
  private(set) var offset: Int
  private(set) var location: SourceLocation

  init(_ bytes: UnsafeBufferPointer<UInt8>, offset: Int, location: SourceLocation) {
    self.bytes = bytes
    self.offset = offset
    self.location = location
  }

  /// The byte ahead; `nil` at the end of the file.
  var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  func starts(with text: StaticString) -> Bool {
    bytes.hasEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount), at: offset)
  }

  mutating func advance() {
    if bytes[offset] == UInt8(ascii: "\n") {
      location = SourceLocation(line: location.line + 1, column: 1)
    } else if !bytes[offset].isContinuation {
      location.column += 1
    }
    offset += 1
  }

  mutating func skipSpaceAndComments() {
    while let byte {
      if byte == UInt8(ascii: "#") {
        skipLine()
      } else if byte.isBlankOrBreak {
        advance()
      } else {
        return
      }
    }
  }

  /// To the end of the line, not over it.
  mutating func skipLine() {
    while let byte, byte != UInt8(ascii: "\n") { advance() }
  }

  /// Over at least one character, to the next space, line end or separator of a flow collection.
  mutating func skipWord() {
    repeat {
      advance()
    } while byte.map { !$0.isBlankOrBreak && !",]}".utf8.contains($0) } ?? false
  }
}
