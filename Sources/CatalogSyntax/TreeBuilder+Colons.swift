/// A ':' where none can stand, and none where one must.
extension TreeBuilder {
  /// `: ` inside plain text, or a field below a field that has a value already.
  mutating func reportColon(at mark: YAMLMark) {
    let offset = cursor.offset(of: mark)
    var start = offset
    while start > 0, bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
    var isInValue = false
    for position in start..<offset where bytes[position] == UInt8(ascii: ":") || bytes[position] == UInt8(ascii: "-") {
      isInValue = isInValue || bytes[position + 1].isBlank
    }
    if isInValue {
      reportColonInText(SourceRange(start: mark.location, length: 1))
    } else {
      while start < offset, bytes[start].isBlank { start += 1 }
      let length = bytes[start..<offset].count { !$0.isContinuation }
      let name = SourceLocation(line: mark.location.line, column: mark.location.column - length)
      let range = SourceRange(start: name, length: length + 1)
      findings.report(
        .indentation, "no field can start here: the line above has a value already", at: range,
        help: "give it the indentation of its neighbours, or put text that goes on over several lines into quotes")
    }
  }

  mutating func reportColonInText(_ range: SourceRange) {
    findings.report(
      .unquotedText, "': ' cannot stand in text without quotes", at: range, help: "put the whole text into quotes")
  }

  mutating func reportMissingColon(at mark: YAMLMark) {
    var walk = Walk(bytes, offset: cursor.offset(of: mark), location: mark.location)
    while let byte = walk.byte, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") { walk.advance() }
    findings.report(
      .missingColon, "no ':' follows the name of a field", at: SourceRange(start: mark.location, end: walk.location),
      help: "write 'name: value'; text that goes on from the line above is indented deeper or stands in quotes",
      notes: commentNotes(before: mark))
  }

  /// A comment that ended the text which the line at fault seems to go on with.
  func commentNotes(before mark: YAMLMark) -> [Diagnostic.Note] {
    guard let last = records.last, last.commentColumn > 0, last.endPosition.line == mark.line else { return [] }
    let comment = SourceLocation(line: mark.line, column: Int(last.commentColumn))
    return [findings.note("this comment ends the text before it", at: SourceRange(start: comment, length: 1))]
  }
}
