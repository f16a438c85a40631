/// The fields at the first column of a file.
package enum RootField {
  /// The names of the fields of catalogs and project files. The language has a table of each; a test compares them.
  package static let names: Set<String> = [
    "localdata", "catalog", "access", "imports", "defaults", "types", "sources", "databases", "records", "keys",
    "signingKeys",
    "reserved", "backupFiles", "unmanaged", "targets", "owners", "rules",
    "policies", "processing",
  ]
}

/// Findings about a field at the first column.
extension TreeBuilder {
  /// Reports the field at the first column after which the text at `mark` does not fit.
  ///
  /// A key that is not indented ends the keys above it. YAML can read that line and fails in the next one, where nothing is
  /// wrong.
  ///
  /// - Returns: False, and reports nothing, if the last field at the first column is one of the file's own.
  mutating func reportFieldAtMargin(before mark: YAMLMark) -> Bool {
    guard let (field, line) = lastFieldAtMargin(before: cursor.offset(of: mark)) else { return false }
    let name = String(decoding: bytes[field], as: UTF8.self)
    guard !RootField.names.contains(name) else { return false }
    let range = SourceRange(line: mark.location.line - line, column: 1, length: field.count)
    findings.report(
      .indentation, "'\(name)' is not indented, so it ends the fields above it", at: range,
      help: "indent it like its neighbours",
      notes: [findings.note("this does not fit below it", at: SourceRange(start: mark.location, length: 1))])
    return true
  }

  /// Returns the name of the last field above the line of `offset` that starts at the first column and has a value in its
  /// line, and the number of lines in between.
  private func lastFieldAtMargin(before offset: Int) -> (name: Range<Int>, lines: Int)? {
    var start = lineStart(of: offset)
    guard start < bytes.count, bytes[start].isBlank else { return nil }
    var lines = 0
    while start > 0 {
      start = lineStart(of: start - 1)
      lines += 1
      let first = bytes[start]
      guard !first.isBlankOrBreak, first != UInt8(ascii: "#") else { continue }
      var end = start
      while end < bytes.count, bytes[end].isLetterOrDigit || bytes[end] == UInt8(ascii: "_") { end += 1 }
      guard end > start, end < offset, bytes[end] == UInt8(ascii: ":"), hasValue(after: end + 1) else { return nil }
      return (start..<end, lines)
    }
    return nil
  }

  private func lineStart(of offset: Int) -> Int {
    var start = min(offset, bytes.count)
    while start > 0, bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
    return start
  }

  /// Returns true if more than blanks and a comment follows in the line.
  private func hasValue(after offset: Int) -> Bool {
    var position = offset
    while position < bytes.count, bytes[position].isBlank { position += 1 }
    return position < bytes.count && !bytes[position].isBlankOrBreak && bytes[position] != UInt8(ascii: "#")
  }
}
