/// The line of a place, with its number and a caret below.
struct ExcerptWriter {
  /// Characters shown of a line in front of the caret, and in all.
  private static let before = 60
  private static let shown = 110
  private static let tabWidth = 4

  /// Where the lines of each file start, in bytes.
  private var lines: [ObjectIdentifier: [Int]] = [:]

  mutating func write(_ place: SourcePlace, to output: inout String) {
    let starts = lineStarts(of: place.file)
    let start = place.range.start
    guard start.line >= 1, start.line <= starts.count, start.column >= 1 else { return }
    let bytes = place.file.bytes[starts[start.line - 1]...].prefix { $0 != UInt8(ascii: "\n") }
    let line = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
    // A place that goes on over the next lines is underlined to the end of this one.
    let length = place.range.end.line > start.line ? Int.max : place.range.end.column - start.column
    let excerpt = Excerpt(line, from: start.column - 1, length: length, before: Self.before, shown: Self.shown)

    let number = String(start.line)
    output += "\(spaces(5 - number.utf8.count))\(number) │ \(excerpt.text)\n"
    output += "      │ \(spaces(excerpt.indentation))^\(String(repeating: "~", count: excerpt.width - 1))\n"
  }

  private func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

  private mutating func lineStarts(of file: SourceFile) -> [Int] {
    if let known = lines[ObjectIdentifier(file)] { return known }
    var starts = [0]
    for (offset, byte) in file.bytes.enumerated() where byte == UInt8(ascii: "\n") { starts.append(offset + 1) }
    lines[ObjectIdentifier(file)] = starts
    return starts
  }

  /// What of a line is shown.
  private struct Excerpt {
    var text = ""
    /// Cells in front of the caret, and below the place.
    var indentation = 0
    var width = 1

    /// `start` and `length` count characters of the line.
    init(_ line: ArraySlice<UInt8>, from start: Int, length: Int, before: Int, shown: Int) {
      let first = max(0, start - before)
      var offset = line.startIndex
      for _ in 0..<first { Self.skipCharacter(line, &offset) }
      let windowStart = offset
      for _ in 0..<shown { Self.skipCharacter(line, &offset) }

      let isCutBefore = first > 0 && windowStart > line.startIndex
      if isCutBefore { text = "…" }
      var cells = isCutBefore ? 1 : 0
      var position = first
      var caret: Int?
      var end = cells
      for scalar in String(decoding: line[windowStart..<offset], as: UTF8.self).unicodeScalars {
        if position == start { caret = cells }
        let part = Self.shown(scalar, at: cells)
        text += part.text
        cells += part.cells
        position += 1
        if length == .max || position <= start + length { end = cells }
      }
      if offset < line.endIndex { text += "…" }
      // A place behind the last character, as that of something missing.
      indentation = caret ?? cells
      width = max(1, end - indentation)
      while text.last == " " { text.removeLast() }
    }

    private static func shown(_ scalar: Unicode.Scalar, at cells: Int) -> (text: String, cells: Int) {
      if scalar == "\t" {
        let count = tabWidth - cells % tabWidth
        return (String(repeating: " ", count: count), count)
      }
      if SafeText.isShown(scalar) { return (String(scalar), SafeText.width(scalar)) }
      let escape = SafeText.escape(scalar)
      return (escape, escape.utf8.count)
    }

    private static func skipCharacter(_ line: ArraySlice<UInt8>, _ offset: inout Int) {
      guard offset < line.endIndex else { return }
      offset += 1
      while offset < line.endIndex, line[offset].isContinuation { offset += 1 }
    }
  }
}
