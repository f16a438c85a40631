import LocalDataSyntax

/// Breaks lines of generated Swift that are longer than linters accept. The code and the texts in it stay the same.
///
/// Code is broken behind a comma or an opening bracket, and a text by a line end that Swift ignores. A comment stays as it is.
package struct SwiftLineBreaker {
  /// The most columns of a line.
  static let width = 200
  /// The lines around rows of JSON: a literal that has no escapes but `\#`.
  private static let rowsStart = Array("#\"\"\"".utf8)
  private static let rowsEnd = Array("\"\"\"#".utf8)

  private var output: [UInt8] = []
  /// The columns of the line that is being written.
  private var column = 0
  /// The indentation of a line that goes on.
  private var indent = 0

  package static func broken(_ bytes: [UInt8]) -> [UInt8] {
    let long = bytes.withUnsafeBufferPointer { longLines($0) }
    guard !long.isEmpty else { return bytes }
    var breaker = SwiftLineBreaker()
    breaker.output.reserveCapacity(bytes.count + bytes.count / 32)
    var kept = 0
    for (line, isInRows) in long {
      breaker.output += bytes[kept..<line.lowerBound]
      if isInRows {
        breaker.addText(bytes[line], isJSON: true)
      } else {
        breaker.addCode(bytes[line], indent: bytes[line].prefix { $0 == UInt8(ascii: " ") }.count)
      }
      kept = line.upperBound
    }
    breaker.output += bytes[kept...]
    return breaker.output
  }

  /// Returns the lines that are too long, and whether each is a row of JSON. Comments are left out.
  private static func longLines(_ bytes: UnsafeBufferPointer<UInt8>) -> [(line: Range<Int>, isInRows: Bool)] {
    var lines: [(line: Range<Int>, isInRows: Bool)] = []
    var isInRows = false
    var start = 0
    while start < bytes.count {
      let end = bytes.lineFeed(from: start) ?? bytes.count
      var first = start
      while first < end, bytes[first] == UInt8(ascii: " ") { first += 1 }
      let mark = isInRows ? rowsEnd : rowsStart
      if first < end, bytes[first] == mark[0], bytes[first..<end].starts(with: mark) { isInRows.toggle() }
      if end - start > width, !bytes[first..<end].starts(with: "//".utf8),
        bytes[start..<end].count(where: { !$0.isContinuation }) > width
      {
        lines.append((start..<end, isInRows))
      }
      start = end + 1
    }
    return lines
  }

  private static func columns(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.count <= width ? bytes.count : bytes.count { $0 & 0xC0 != 0x80 }
  }

  // MARK: Text

  /// Adds lines of a literal, of which all but the last one end with an escape.
  ///
  /// - Parameter isJSON: Whether the literal is one of the rows, in which `\` alone begins no escape of Swift.
  private mutating func addText(_ line: ArraySlice<UInt8>, isJSON: Bool) {
    let margin = line.prefix { $0 == UInt8(ascii: " ") }
    let continuation = isJSON ? "\\#" : "\\"
    let room = Self.width - margin.count - continuation.utf8.count
    var rest = line.dropFirst(margin.count)
    output += margin
    while Self.columns(rest) > room {
      let end = isJSON ? Self.endOfRow(rest, room) : Self.end(of: rest, room)
      output += rest[..<end]
      output += continuation.utf8
      output.append(UInt8(ascii: "\n"))
      output += margin
      rest = rest[end...]
    }
    output += rest
  }

  /// Returns where the first line of a row ends: behind a space or a comma in its second half if there is one, and within no
  /// character. There are thousands of rows, and nearly each is long.
  private static func endOfRow(_ text: ArraySlice<UInt8>, _ room: Int) -> Int {
    var end = min(text.startIndex + room, text.endIndex)
    while end > text.startIndex, end < text.endIndex, text[end] & 0xC0 == 0x80 { end -= 1 }
    let half = text.startIndex + room / 2
    let best = text[half..<end].lastIndex { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") }
    return best.map { $0 + 1 } ?? end
  }

  /// Returns where the first line of a text ends: behind a space or a comma in its second half if there is one, and within no
  /// character, escape or interpolation.
  private static func end(of text: ArraySlice<UInt8>, _ room: Int) -> Int {
    var index = text.startIndex
    var column = 0
    var depth = 0
    var best = text.endIndex
    var bestColumn = 0
    while index < text.endIndex, column < room || best == text.endIndex {
      let byte = text[index]
      var next = index + 1
      if byte == UInt8(ascii: "\\"), next < text.endIndex {
        if text[next] == UInt8(ascii: "(") { depth += 1 }
        if text[next...].starts(with: "u{".utf8) { next = text[next...].firstIndex(of: UInt8(ascii: "}")) ?? next }
        next += 1
      } else if depth > 0 {
        depth += byte == UInt8(ascii: "(") ? 1 : byte == UInt8(ascii: ")") ? -1 : 0
      }
      while next < text.endIndex, text[next] & 0xC0 == 0x80 { next += 1 }
      column += text[index..<next].count { $0 & 0xC0 != 0x80 }
      index = next
      guard depth == 0 else { continue }
      let isBetween = byte == UInt8(ascii: " ") || byte == UInt8(ascii: ",")
      if isBetween || bestColumn < room / 2, column <= room || best == text.endIndex {
        best = index
        bestColumn = column
      }
    }
    return best
  }

  // MARK: Code

  private mutating func addCode(_ line: ArraySlice<UInt8>, indent: Int) {
    self.indent = indent + 4
    column = 0
    var start = line.startIndex
    var index = start + indent
    while index < line.endIndex {
      switch line[index] {
      case UInt8(ascii: "\""):
        let end = Self.endOfLiteral(line, from: index)
        if Self.columns(line[index..<end]) + self.indent + 8 > Self.width {
          add(line[start..<index])
          addLiteral(line[(index + 1)..<(end - 1)])
          start = end
        }
        index = end
      case UInt8(ascii: ","), UInt8(ascii: "("), UInt8(ascii: "["):
        index += 1
        if index < line.endIndex, line[index] == UInt8(ascii: " ") { index += 1 }
        add(line[start..<index])
        start = index
      default: index += 1
      }
    }
    add(line[start...])
  }

  /// Adds a piece of code, behind which a line can end.
  private mutating func add(_ piece: ArraySlice<UInt8>) {
    var count = Self.columns(piece)
    if piece.last == UInt8(ascii: " ") { count -= 1 }
    if column > indent, column + count > Self.width {
      while output.last == UInt8(ascii: " ") { output.removeLast() }
      startLine()
    }
    output += piece
    column += Self.columns(piece)
  }

  /// Adds a text as a literal of several lines. The escapes are those of a literal of one line.
  private mutating func addLiteral(_ text: ArraySlice<UInt8>) {
    output += "\"\"\"".utf8
    startLine()
    let margin = Array(repeating: UInt8(ascii: " "), count: indent)
    output.removeLast(indent)
    addText((margin + text)[...], isJSON: false)
    startLine()
    output += "\"\"\"".utf8
    column = indent + 3
  }

  private mutating func startLine() {
    output.append(UInt8(ascii: "\n"))
    output += Array(repeating: UInt8(ascii: " "), count: indent)
    column = indent
  }

  /// Returns the index behind the closing quote of a literal, which can contain literals between the parentheses of an
  /// interpolation.
  private static func endOfLiteral(_ line: ArraySlice<UInt8>, from start: Int) -> Int {
    var index = start + 1
    while index < line.endIndex, line[index] != UInt8(ascii: "\"") {
      guard line[index] == UInt8(ascii: "\\"), index + 1 < line.endIndex else {
        index += 1
        continue
      }
      index += 2
      guard line[index - 1] == UInt8(ascii: "(") else { continue }
      var depth = 1
      while index < line.endIndex, depth > 0 {
        switch line[index] {
        case UInt8(ascii: "\""): index = endOfLiteral(line, from: index) - 1
        case UInt8(ascii: "("): depth += 1
        case UInt8(ascii: ")"): depth -= 1
        default: break
        }
        index += 1
      }
    }
    return min(index + 1, line.endIndex)
  }
}
