/// Findings about a ':' that is misplaced or missing.
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
    } else if !reportFieldAtMargin(before: mark) {
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
      .unquotedText, "': ' is not allowed in text without quotes", at: range, help: "put the whole text into quotes")
  }

  /// `: ` after text between braces: the text contains the next field, because a ',' or the closing '}' is missing.
  mutating func reportColonInBraces(at mark: YAMLMark) {
    let range = SourceRange(start: mark.location, length: 1)
    guard let (start, isMapping) = innermostFlow, isMapping, let text = records.last, text.kind == .scalar, text.isPlain
    else { return reportColonInText(range) }
    let end = cursor.offset(of: mark)
    var name = end
    while name > 0, bytes[name - 1].isLetterOrDigit { name -= 1 }
    let field = SourceRange(
      start: SourceLocation(line: mark.location.line, column: mark.location.column - (end - name)), length: end - name)
    guard name < end, Int(text.textStart) < name, bytes[name - 1].isBlankOrBreak else {
      return reportColonInText(range)
    }
    guard text.startPosition.line == UInt32(mark.location.line) else {
      return findings.report(
        .unterminated, "the '{' that starts here has no '}'", at: SourceRange(start: start, length: 1),
        help: "close it before the next field",
        notes: [findings.note("this field would be part of the text before it", at: field)])
    }
    let word = String(decoding: bytes[name..<end], as: UTF8.self)
    findings.report(
      .unquotedText, "a ',' is missing before '\(word)'", at: field,
      help: "write `, \(word):`, or put the text in quotes if '\(word):' is part of it")
  }

  mutating func reportMissingColon(at mark: YAMLMark) {
    var walk = Walk(bytes, offset: cursor.offset(of: mark), location: mark.location)
    while let byte = walk.byte, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") { walk.advance() }
    findings.report(
      .missingColon, "no ':' follows the name of a field", at: SourceRange(start: mark.location, end: walk.location),
      help: "write 'name: value'; indent text that continues the line above deeper, or put it into quotes",
      notes: commentNotes(before: mark))
  }

  /// A comment that ended the text which the line at fault seems to go on with.
  func commentNotes(before mark: YAMLMark) -> [Diagnostic.Note] {
    guard let last = records.last, last.commentColumn > 0, last.endPosition.line == mark.line else { return [] }
    let comment = SourceLocation(line: mark.line, column: Int(last.commentColumn))
    return [findings.note("this comment ends the text before it", at: SourceRange(start: comment, length: 1))]
  }
}
