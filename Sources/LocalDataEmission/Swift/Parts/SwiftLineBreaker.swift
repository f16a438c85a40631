import LocalDataSyntax

/// Breaks lines of generated Swift that are longer than linters accept. The code and the texts in it stay the same.
///
/// Code is broken behind a comma or an opening bracket, and a text by a line end that Swift ignores. A comment stays as it is.
package struct SwiftLineBreaker {
  /// The most columns of a line.
  static let width = 200

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
    for line in long {
      breaker.output += bytes[kept..<line.lowerBound]
      breaker.addCode(bytes[line], indent: bytes[line].prefix { $0 == UInt8(ascii: " ") }.count)
      kept = line.upperBound
    }
    breaker.output += bytes[kept...]
    return breaker.output
  }

  /// Returns the lines that are too long. Comments are left out.
  private static func longLines(_ bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    while start + width < bytes.count {
      // Lines that end within the width of the first one are not looked at.
      if let feed = bytes[start...(start + width)].lastIndex(of: UInt8(ascii: "\n")) {
        start = feed + 1
        continue
      }
      let end = bytes.lineFeed(from: start + width) ?? bytes.count
      if UnsafeBufferPointer(rebasing: bytes[start..<end]).characterCount > width,
        !bytes[start..<end].drop(while: { $0 == UInt8(ascii: " ") }).starts(with: "//".utf8)
      {
        lines.append(start..<end)
      }
      start = end + 1
    }
    return lines
  }

  fileprivate static func columns(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBufferPointer { $0.characterCount }
  }

  // MARK: Text

  /// Adds lines of a literal, of which all but the last one end with an escape.
  private mutating func addText(_ line: ArraySlice<UInt8>) {
    let margin = line.prefix { $0 == UInt8(ascii: " ") }
    let room = Self.width - margin.count - 1
    var rest = line.dropFirst(margin.count)
    output += margin
    while Self.columns(rest) > room {
      let end = Self.end(of: rest, room)
      output += rest[..<end]
      output += "\\\n".utf8
      output += margin
      rest = rest[end...]
    }
    output += rest
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
    addText((margin + text)[...])
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

extension OutputBuffer {
  /// Breaks the row of JSON that was written from an offset on, in a literal that has no escapes but `\#`.
  ///
  /// There are thousands of rows, and nearly each is long. They are broken one by one, so that the text is not copied as a
  /// whole.
  mutating func breakRow(from start: Int) {
    guard count - start > SwiftLineBreaker.width else { return }
    let row = bytes(from: start)
    guard SwiftLineBreaker.columns(row[...]) > SwiftLineBreaker.width else { return }
    let margin = row.prefix { $0 == UInt8(ascii: " ") }
    let continuation: StaticString = "\\#\n"
    let room = SwiftLineBreaker.width - margin.count - (continuation.utf8CodeUnitCount - 1)
    var rest = row.dropFirst(margin.count)
    removeLast(rest.count)
    while SwiftLineBreaker.columns(rest) > room {
      let end = Self.endOfRow(rest, room)
      write(rest[..<end])
      write(continuation)
      write(margin)
      rest = rest[end...]
    }
    write(rest)
  }

  /// Returns where the first line of a row ends: behind a space or a comma in its second half if there is one, and within no
  /// character.
  private static func endOfRow(_ text: ArraySlice<UInt8>, _ room: Int) -> Int {
    var end = min(text.startIndex + room, text.endIndex)
    while end > text.startIndex, end < text.endIndex, text[end] & 0xC0 == 0x80 { end -= 1 }
    let half = text.startIndex + room / 2
    let best = text[half..<end].lastIndex { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") }
    return best.map { $0 + 1 } ?? end
  }
}
