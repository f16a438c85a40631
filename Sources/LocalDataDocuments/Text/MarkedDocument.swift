import LocalDataEmission

/// A Markdown document with one part between markers, which a tool writes. Everything else belongs to its author.
///
///     <!-- local-data:begin, written by local-data audit -->
///     …
///     <!-- local-data:end -->
///
/// Each marker is a line by itself. The first one may say more after `begin`. Lines in fenced code are no markers, so that
/// a document can show them.
package struct MarkedDocument: Sendable {
  /// The reason for which a document has no part to replace.
  package enum Problem: Error, Sendable, Hashable {
    case noMarkers
    case notClosed(line: Int)
    case notOpened(line: Int)
    case secondBegin(line: Int, first: Int)
    case secondEnd(line: Int, first: Int)
    /// The comment of a marker does not end in its line.
    case unfinishedMarker(line: Int)
  }

  private let bytes: [UInt8]
  /// The bytes between the lines of the markers.
  private let part: Range<Int>
  /// The level of the heading above the part, or 0 if there is none.
  private let level: Int
  private let endsLinesWithCRLF: Bool

  package init(_ bytes: [UInt8]) throws(Problem) {
    var scan = Scan()
    for line in Self.lines(of: bytes) { try scan.take(line, of: bytes) }
    guard let begin = scan.begin else { throw .noMarkers }
    guard let end = scan.end else { throw .notClosed(line: begin.number) }
    self.bytes = bytes
    part = begin.end..<end.start
    level = scan.level
    endsLinesWithCRLF = bytes[..<begin.end].suffix(2) == [0x0D, 0x0A]
  }

  /// Returns the document with a new part, whose headings are below the heading above it.
  ///
  /// - Parameter markdown: Lines that end with LF, without fenced code.
  package func replacing(with markdown: [UInt8]) -> [UInt8] {
    var lines: [UInt8] = []
    lines.reserveCapacity(markdown.count + 64)
    var isAtStart = true
    for (index, byte) in markdown.enumerated() {
      if isAtStart, byte == UInt8(ascii: "#") {
        let own = markdown[index...].prefix { $0 == UInt8(ascii: "#") }.count
        lines += Array(repeating: byte, count: max(0, min(level, 6 - own)))
      }
      if byte == 0x0A, endsLinesWithCRLF { lines.append(0x0D) }
      lines.append(byte)
      isAtStart = byte == 0x0A
    }
    return bytes[..<part.lowerBound] + lines + bytes[part.upperBound...]
  }

  // MARK: Lines

  fileprivate struct Line {
    var number: Int
    var start: Int
    /// The offset behind the line end.
    var end: Int
    /// The line without white space around it.
    var text: ArraySlice<UInt8>
    /// The number of spaces before the text; a tab counts as four.
    var indent: Int
  }

  private static func lines(of bytes: [UInt8]) -> [Line] {
    var lines: [Line] = []
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
      var text = bytes[start..<end]
      while let last = text.last, last <= 0x20 { text.removeLast() }
      var indent = 0
      while let first = text.first, first <= 0x20 {
        indent += first == 0x09 ? 4 : 1
        text.removeFirst()
      }
      lines.append(Line(number: lines.count + 1, start: start, end: end, text: text, indent: indent))
      start = end
    }
    return lines
  }

  /// What is known after the lines so far.
  private struct Scan {
    var begin: Line?
    var end: Line?
    var level = 0
    /// The character and the length of the fence of the code that has begun.
    private var fence: (byte: UInt8, length: Int)?

    private static let begin = Array("<!-- local-data:begin".utf8)
    private static let end = Array("<!-- local-data:end".utf8)

    mutating func take(_ line: Line, of bytes: [UInt8]) throws(Problem) {
      guard !isCode(line), line.indent < 4 else { return }
      if let level = Self.headingLevel(line.text), begin == nil { self.level = level }
      let isBegin = Self.isMarker(line.text, Self.begin)
      guard isBegin || Self.isMarker(line.text, Self.end) else { return }
      guard line.text.suffix(3).elementsEqual("-->".utf8) else { throw .unfinishedMarker(line: line.number) }
      if isBegin {
        if let begin { throw .secondBegin(line: line.number, first: begin.number) }
        begin = line
      } else {
        if let end { throw .secondEnd(line: line.number, first: end.number) }
        guard begin != nil else { throw .notOpened(line: line.number) }
        end = line
      }
    }

    private static func isMarker(_ text: ArraySlice<UInt8>, _ start: [UInt8]) -> Bool {
      // A longer word is the marker of another tool.
      guard text.starts(with: start) else { return false }
      return text.dropFirst(start.count).first.map { !$0.isASCIILetter && !$0.isASCIIDigit } ?? true
    }

    private static func headingLevel(_ text: ArraySlice<UInt8>) -> Int? {
      let level = text.prefix { $0 == UInt8(ascii: "#") }.count
      guard (1...6).contains(level) else { return nil }
      return text.dropFirst(level).first.map { $0 == 0x20 || $0 == 0x09 } ?? true ? level : nil
    }

    /// Returns true if a line is in fenced code, or begins or ends it.
    private mutating func isCode(_ line: Line) -> Bool {
      let byte = line.text.first ?? 0
      let length = line.text.prefix { $0 == byte }.count
      let isFence = (byte == UInt8(ascii: "`") || byte == UInt8(ascii: "~")) && length >= 3 && line.indent < 4
      if let fence {
        if isFence, fence.byte == byte, length >= fence.length, length == line.text.count { self.fence = nil }
        return true
      }
      guard isFence else { return false }
      fence = (byte, length)
      return true
    }
  }
}

extension MarkedDocument.Problem {
  /// The problem in words, for a message that names the document.
  package var message: String {
    switch self {
    case .noMarkers: "has no line '<!-- local-data:begin -->'"
    case .notClosed(let line): "has no line '<!-- local-data:end -->' after line \(line), which begins the part"
    case .notOpened(let line): "has '<!-- local-data:end -->' in line \(line) before a part begins"
    case .secondBegin(let line, let first):
      "begins a second part in line \(line); the first one begins in line \(first)"
    case .secondEnd(let line, let first): "ends its part twice, in lines \(first) and \(line)"
    case .unfinishedMarker(let line): "has a marker in line \(line) that does not end with '-->' there"
    }
  }

  package var help: String {
    switch self {
    case .noMarkers, .notClosed, .notOpened:
      "write '<!-- local-data:begin -->' and '<!-- local-data:end -->', each on a line by itself"
    case .secondBegin, .secondEnd: "keep one line of each marker"
    case .unfinishedMarker: "write the whole comment on one line"
    }
  }
}
