import LocalDataSyntax

/// The line ends and the indentation of a property list.
struct PropertyListStyle {
  let lineEnd: String
  /// The indentation of one level.
  private let unit: String
  private let bytes: [UInt8]

  init(_ list: PropertyList) {
    let bytes = list.file.bytes
    self.bytes = bytes
    let lineFeed = bytes.firstIndex(of: UInt8(ascii: "\n"))
    let hasReturn = lineFeed.map { $0 > 0 && bytes[$0 - 1] == UInt8(ascii: "\r") } ?? false
    lineEnd = hasReturn ? "\r\n" : "\n"
    unit = Self.unit(of: list.root, in: bytes) ?? "\t"
  }

  /// Returns the indentation that the values of the root have more than the root, or nil if they have none.
  private static func unit(of root: PropertyList.Node, in bytes: [UInt8]) -> String? {
    guard let first = root.firstChild, startsLine(first, in: bytes) else { return nil }
    let outer = indentation(at: root.range.lowerBound, in: bytes)
    let inner = indentation(at: first, in: bytes)
    guard inner.hasPrefix(outer), inner != outer else { return nil }
    return String(inner.dropFirst(outer.count))
  }

  /// Returns the text of lines, each with its line end.
  func text(_ lines: [PropertyListLine], indentation: String) -> String {
    lines.map { indentation + String(repeating: unit, count: $0.level) + $0.text + lineEnd }.joined()
  }

  /// Returns the indentation of the line in which a byte is.
  func indentation(at offset: Int) -> String { Self.indentation(at: offset, in: bytes) }

  /// Returns the indentation of the values in a dictionary or an array.
  func indentationOfChildren(in node: PropertyList.Node) -> String {
    if let first = node.firstChild, Self.startsLine(first, in: bytes) { return indentation(at: first) }
    return indentation(at: node.range.lowerBound) + unit
  }

  /// Returns the start of the line of a closing tag, if only blanks are before the tag.
  func startOfBlankLine(before end: Int, after start: Int) -> Int? {
    var offset = end
    while offset > start, bytes[offset - 1].isBlank { offset -= 1 }
    return offset > start && bytes[offset - 1] == UInt8(ascii: "\n") ? offset : nil
  }

  private static func indentation(at offset: Int, in bytes: [UInt8]) -> String {
    let start = startOfLine(at: offset, in: bytes)
    return String(decoding: bytes[start...].prefix { $0.isBlank }, as: UTF8.self)
  }

  private static func startsLine(_ offset: Int, in bytes: [UInt8]) -> Bool {
    bytes[startOfLine(at: offset, in: bytes)..<offset].allSatisfy(\.isBlank)
  }

  private static func startOfLine(at offset: Int, in bytes: [UInt8]) -> Int {
    var start = offset
    while start > 0, bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
    return start
  }
}

extension PropertyList.Node {
  /// The first byte of the first value in it, or of its name.
  fileprivate var firstChild: Int? {
    switch content {
    case .dictionary(let entries): entries.first?.nameRange.lowerBound
    case .array(let elements): elements.first?.range.lowerBound
    case .text, .flag, .other: nil
    }
  }
}
