/// The line of a place, with its number and a caret below.
struct ExcerptWriter {
  /// Characters shown of a line in front of the caret, and in all.
  private static let before = 60
  private static let shown = 110
  private static let tabWidth = 4

  /// Characters between two marks in a long line; without them each of a thousand findings in one line of
  /// megabytes would count it from its start.
  private static let stride = 1024

  private let style: TerminalStyle

  /// The offsets at which the lines of each file start, in bytes.
  private var lines: [ObjectIdentifier: [Int]] = [:]
  /// The offset of every 1024th character of a line, by the offset of the line, in the file that was used last.
  private var marks: [Int: [Int]] = [:]
  private var markedFile: ObjectIdentifier?

  init(style: TerminalStyle) { self.style = style }

  mutating func write(_ place: SourcePlace, _ role: TerminalStyle.Role, to output: inout String) {
    let starts = lineStarts(of: place.file)
    let start = place.range.start
    guard start.line >= 1, start.line <= starts.count, start.column >= 1 else { return }
    let lineStart = starts[start.line - 1]
    let nextLine = start.line < starts.count ? starts[start.line] : place.file.bytes.count + 1
    var line = place.file.bytes[lineStart..<nextLine - 1]
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    let first = max(0, start.column - 1 - Self.before)
    let window = offset(ofCharacter: first, in: line, of: place.file)
    // A place that goes on over the next lines is underlined to the end of this one.
    let length = place.range.end.line > start.line ? Self.shown : place.range.end.column - start.column
    let excerpt = Excerpt(line, from: window, place: start.column - 1 - first, length: length, shown: Self.shown)

    let number = String(start.line)
    output += "\(spaces(5 - number.utf8.count))\(number) │ \(excerpt.text)\n"
    let caret = "^\(String(repeating: "~", count: excerpt.width - 1))"
    output += "      │ \(spaces(excerpt.indentation))\(style.in(role, caret))\n"
  }

  /// The offset of a character of a line, counted from zero.
  private mutating func offset(ofCharacter index: Int, in line: ArraySlice<UInt8>, of file: SourceFile) -> Int {
    var offset = line.startIndex
    guard line.count > 4 * Self.stride else {
      for _ in 0..<index { line.skipCharacter(&offset) }
      return offset
    }
    if markedFile != ObjectIdentifier(file) {
      markedFile = ObjectIdentifier(file)
      marks = [:]
    }
    let known: [Int]
    if let marked = marks[line.startIndex] {
      known = marked
    } else {
      var marked: [Int] = []
      var count = 0
      for position in line.indices where !line[position].isContinuation {
        if count.isMultiple(of: Self.stride) { marked.append(position) }
        count += 1
      }
      known = marked
      marks[line.startIndex] = marked
    }
    let mark = min(index / Self.stride, known.count - 1)
    offset = known[max(0, mark)]
    for _ in 0..<index - mark * Self.stride { line.skipCharacter(&offset) }
    return offset
  }

  private func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

  private mutating func lineStarts(of file: SourceFile) -> [Int] {
    if let known = lines[ObjectIdentifier(file)] { return known }
    var starts = [0]
    for (offset, byte) in file.bytes.enumerated() where byte == UInt8(ascii: "\n") { starts.append(offset + 1) }
    lines[ObjectIdentifier(file)] = starts
    return starts
  }

  /// The part of a line that is shown.
  private struct Excerpt {
    var text = ""
    /// Cells in front of the caret, and below the place.
    var indentation = 0
    var width = 1

    /// `place` and `length` count characters from the one at `start` on, the first that is shown.
    init(_ line: ArraySlice<UInt8>, from start: Int, place: Int, length: Int, shown: Int) {
      var offset = start
      for _ in 0..<shown { line.skipCharacter(&offset) }
      let isCutBefore = start > line.startIndex
      if isCutBefore { text = "…" }
      var cells = isCutBefore ? 1 : 0
      var position = 0
      var caret: Int?
      var end = cells
      for scalar in String(decoding: line[start..<offset], as: UTF8.self).unicodeScalars {
        if position == place { caret = cells }
        let part = Self.shown(scalar, at: cells)
        text += part.text
        cells += part.cells
        position += 1
        if position <= place + length { end = cells }
      }
      if offset < line.endIndex { text += "…" }
      // A place behind the last character is that of something missing.
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
  }
}

extension ArraySlice<UInt8> {
  /// Over one character, or over what is left of the slice.
  fileprivate func skipCharacter(_ offset: inout Int) {
    guard offset < endIndex else { return }
    offset += 1
    while offset < endIndex, self[offset].isContinuation { offset += 1 }
  }
}
