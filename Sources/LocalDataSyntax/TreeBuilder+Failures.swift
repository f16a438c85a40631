extension TreeBuilder {
  /// Puts libyaml's complaint into words of ours, at the place where a person would look for it.
  mutating func report(_ failure: YAMLFailure) {
    guard var problem = failure.problemMark else { return reportWithoutMark(failure) }
    let isAtEnd = cursor.offset(of: problem) == bytes.count
    // libyaml ends the last line where the file does not.
    if isAtEnd, bytes.last != UInt8(ascii: "\n") { problem = endOfText(problem) }
    if reportLookAlike(near: problem) { return }
    let problemRange = SourceRange(start: problem.location, length: 1)
    let marked = failure.contextMark ?? problem
    let context = marked.index == problem.index ? problem : marked
    let contextRange = SourceRange(start: context.location, length: 1)

    switch (failure.context, failure.problem) {
    case ("while scanning an anchor", _):
      findings.report(
        .anchor, "a catalog has no anchors", at: contextRange, help: "put text that starts with '&' into quotes")
    case ("while scanning an alias", _):
      findings.report(
        .alias, "a catalog has no aliases", at: contextRange, help: "put text that starts with '*' into quotes")
    case ("while scanning a tag", _), ("while parsing a tag", _):
      reportTag(contextRange)
    case (_, "found undefined tag handle"):
      reportTag(problemRange)
    case ("while scanning a directive", _), ("while scanning a %YAML directive", _),
      ("while scanning a %TAG directive", _):
      findings.report(
        .directive, "a catalog has no directives", at: contextRange,
        help: "remove the line; put text that starts with '%' into quotes")
    case ("while scanning a quoted scalar", _):
      findings.report(
        .unterminated, "the text that starts here has no closing quote", at: contextRange,
        help: "close it, or put the text into quotes of the other kind",
        notes: [findings.note("read up to here", at: problemRange)])
    case ("while parsing a quoted scalar", _):
      findings.report(
        .unknownEscape, "this is not an escape of YAML", at: problemRange,
        help: "write '\\\\' for a backslash, or use single quotes, where a backslash is itself")
    case ("while scanning a block scalar", let words): reportBlockText(words, at: problemRange, from: contextRange)
    case (_, "found character that cannot start any token"): reportCharacter(at: problem)
    case (_, "found a tab character that violates indentation"): reportTab(problemRange)
    case (_, "mapping values are not allowed in this context"): reportColon(at: problem)
    case (_, "mapping keys are not allowed in this context") where cursor.followsBracket(problem):
      reportTextBehindBracket(problemRange)
    case (_, "block sequence entries are not allowed in this context"),
      (_, "mapping keys are not allowed in this context"):
      findings.report(
        .unquotedText, "text cannot start like this here", at: problemRange,
        help: "put the text into quotes; each element of a list starts on a new line")
    case (_, "could not find expected ':'"): reportMissingColon(at: context)
    case ("while parsing a block mapping", _), ("while parsing a block collection", _):
      reportMisfit(at: problem, from: contextRange, isMapping: failure.context == "while parsing a block mapping")
    case ("while parsing a flow mapping", _) where cursor.byte(at: problem) == UInt8(ascii: ":"):
      reportColonInBraces(at: problem)
    case ("while parsing a flow mapping", _): reportUnclosed("{", "}", at: contextRange, problemRange)
    case ("while parsing a flow sequence", _): reportUnclosed("[", "]", at: contextRange, problemRange)
    case (_, "did not find expected node content"):
      if isAtEnd, let (start, isMapping) = innermostFlow {
        let range = SourceRange(start: start, length: 1)
        return reportUnclosed(isMapping ? "{" : "[", isMapping ? "}" : "]", at: range, problemRange)
      }
      findings.report(
        .missingValue, "a value is missing here", at: problemRange,
        help: "put text with such a character into quotes",
        notes: contextNotes(contextRange, problemRange))
    default: reportUnknown(at: problemRange, notes: contextNotes(contextRange, problemRange))
    }
  }

  private func endOfText(_ mark: YAMLMark) -> YAMLMark {
    var end = mark
    let lastLine = bytes[((bytes.lastIndex { $0 == UInt8(ascii: "\n") } ?? -1) + 1)...]
    end.line = bytes.count { $0 == UInt8(ascii: "\n") }
    end.column = lastLine.count { !$0.isContinuation }
    return end
  }

  private mutating func reportWithoutMark(_ failure: YAMLFailure) {
    switch failure.stage {
    case .memory: findings.report(.outOfMemory, "there is not enough memory to read the file", at: nil)
    case .reader:
      // Nothing that was checked before lets libyaml stumble here; if it does, the byte is all it says.
      var walk = Walk(bytes, offset: 0, location: SourceLocation(line: 1, column: 1))
      while walk.offset < min(failure.offset, bytes.count) { walk.advance() }
      findings.report(
        .notUTF8, "this character is not allowed in a catalog", at: SourceRange(start: walk.location, length: 1),
        help: "save the file as UTF-8")
    case .scanner, .parser, .unknown: reportUnknown(at: SourceRange(line: 1, column: 1, length: 1), notes: [])
    }
  }

  private mutating func reportUnknown(at range: SourceRange, notes: [Diagnostic.Note]) {
    findings.report(
      .notYAML, "this cannot be read as YAML", at: range, help: "put text with special characters into quotes",
      notes: notes)
  }

  private func contextNotes(_ context: SourceRange, _ problem: SourceRange) -> [Diagnostic.Note] {
    context == problem ? [] : [findings.note("in what starts here", at: context)]
  }

  private mutating func reportTag(_ range: SourceRange) {
    findings.report(
      .tag, "a catalog has no tags", at: range, help: "put text that starts with '!' into quotes")
  }

  private mutating func reportTab(_ range: SourceRange) {
    findings.report(.tab, "a tab cannot indent a line of YAML", at: range, help: "indent with spaces")
  }

  private mutating func reportUnclosed(
    _ opening: String, _ closing: String, at context: SourceRange, _ problem: SourceRange
  ) {
    findings.report(
      .unterminated, "the '\(opening)' that starts here has no '\(closing)'", at: context,
      help: "close it, divide its elements by ',', or put the text into quotes",
      notes: [findings.note("read up to here, where ',' or '\(closing)' is expected", at: problem)])
  }

  private mutating func reportBlockText(_ words: String, at problem: SourceRange, from context: SourceRange) {
    if words == "found a tab character where an indentation space is expected" { return reportTab(problem) }
    findings.report(
      .blockText, "only '-', '+', a digit from 1 to 9 and a comment can follow '|' or '>'", at: problem,
      help: "start the text on the next line, or put it into quotes", notes: contextNotes(context, problem))
  }

  private mutating func reportCharacter(at mark: YAMLMark) {
    let offset = cursor.offset(of: mark)
    let range = SourceRange(start: mark.location, length: 1)
    guard offset < bytes.count, bytes[offset] != UInt8(ascii: "\t") else { return reportTab(range) }
    findings.report(
      .unquotedText, "text cannot start with '\(Unicode.Scalar(bytes[offset]))' unless it is in quotes",
      at: range,
      help: "put the whole text into quotes")
  }

  private mutating func reportTextBehindBracket(_ range: SourceRange) {
    findings.report(
      .unquotedText, "more text follows the closing bracket", at: range, help: "put the whole text into quotes")
  }

  /// Something that cannot follow what came before: a wrong indentation, or more text behind a closing quote.
  private mutating func reportMisfit(at mark: YAMLMark, from context: SourceRange, isMapping: Bool) {
    let range = SourceRange(start: mark.location, length: 1)
    if range == context, cursor.offset(of: mark) < bytes.count, bytes[cursor.offset(of: mark)] == UInt8(ascii: ":") {
      return reportEmptyKey(at: mark)
    }
    var before = cursor.offset(of: mark)
    while before > 0, bytes[before - 1].isBlank { before -= 1 }
    if before > 0, "\"'".utf8.contains(bytes[before - 1]) {
      findings.report(
        .unquotedText, "more text follows the closing quote", at: range,
        help: "put the whole text into quotes; inside single quotes a quote is written twice")
    } else if cursor.followsBracket(mark) {
      reportTextBehindBracket(range)
    } else if !commentNotes(before: mark).isEmpty || !reportFieldAtMargin(before: mark) {
      findings.report(
        .indentation, "this does not fit into the \(isMapping ? "fields" : "list") above", at: range,
        help: "give it the indentation of its neighbours",
        notes: [findings.note("\(isMapping ? "the fields start" : "the list starts") here", at: context)]
          + commentNotes(before: mark))
    }
  }
}
