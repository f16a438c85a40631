/// The pieces of a large catalog, which are read on several threads.
///
/// libyaml reads a text on one thread, and takes longer for it than each later stage of a run. Every piece but the first
/// starts at the line of a key. It is read behind a line that opens a map, because libyaml is inside a map when it reaches
/// this line of the whole text.
///
/// This is a guess: a line that looks like a key can be part of a longer text, for example. `read` returns nil if a guess
/// is wrong.
struct CatalogPieces {
  /// The size of a piece, in bytes, for which another thread is worth its start.
  static let defaultSize = 512 << 10

  /// The line before each piece but the first: a field whose value is the map that the piece is part of.
  private static let opening = Array("k:\n".utf8)

  private let source: SourceFile
  private let isASCII: Bool
  private let ranges: [Range<Int>]

  /// Divides a text into pieces of about `size` bytes. A text for which this is not possible is one piece.
  init(_ source: SourceFile, isASCII: Bool, size: Int = defaultSize) {
    let starts = source.bytes.withUnsafeBufferPointer { KeyLines($0)?.starts(every: size) ?? [] }
    self.init(source, isASCII: isASCII, starts: starts)
  }

  /// Divides a text at some of its lines.
  ///
  /// - Parameter starts: The offset of each piece but the first.
  init(_ source: SourceFile, isASCII: Bool, starts: [Int]) {
    self.source = source
    self.isASCII = isASCII
    ranges = zip([0] + starts, starts + [source.bytes.count]).map { $0..<$1 }
  }

  /// Reads the pieces, and joins them to the tree that the whole text has.
  ///
  /// Returns nil if the text has to be read as a whole: if it has one piece only, if a piece starts at a wrong place, or if
  /// there is anything to report.
  func read() -> SyntaxTree? {
    guard ranges.count > 1 else { return nil }
    let pieces = ranges.concurrentMap { range in
      source.bytes.withUnsafeBufferPointer { bytes in
        let text = UnsafeBufferPointer(rebasing: bytes[range])
        if range.lowerBound == 0 { return TreeBuilder.piece(text, isASCII: isASCII, source) }
        return (Self.opening + text).withUnsafeBufferPointer { TreeBuilder.piece($0, isASCII: isASCII, source) }
      }
    }
    guard var tree = pieces.first ?? nil else { return nil }
    tree.reserveCapacity(pieces.reduce(0) { $0 + ($1?.records.count ?? 0) })
    for (range, piece) in zip(ranges, pieces).dropFirst() {
      guard let piece, tree.append(piece, textStart: range.lowerBound - Self.opening.count) else { return nil }
    }
    return TreeBuilder.finish(tree, isASCII: isASCII, source)
  }
}

/// The lines of a text that look like keys.
struct KeyLines {
  private let bytes: UnsafeBufferPointer<UInt8>
  /// The number of spaces before a key.
  private let indentation: Int

  /// Returns nil if the text has no line that starts with `keys:`, or no key below it.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    let name: StaticString = "keys:"
    let field = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    var line = 0
    while !bytes.hasEqual(field, at: line) {
      guard let next = bytes.nextLine(after: line) else { return nil }
      line = next
    }
    repeat {
      guard let next = bytes.nextLine(after: line) else { return nil }
      line = next
    } while !bytes.isLetterOrDigit(at: bytes.skippingSpaces(from: line))
    self.bytes = bytes
    indentation = bytes.skippingSpaces(from: line) - line
    guard indentation > 0 else { return nil }
  }

  /// Returns the offsets of lines, each at least `size` bytes after the one before it or the start of the text.
  func starts(every size: Int) -> [Int] {
    var starts: [Int] = []
    var offset = size
    while bytes.count - offset > size / 2, let start = firstKey(after: offset) {
      starts.append(start)
      offset = start + size
    }
    return starts
  }

  private func firstKey(after offset: Int) -> Int? {
    var line = offset
    while let next = bytes.nextLine(after: line) {
      let first = bytes.skippingSpaces(from: next)
      if first == next + indentation, bytes.isLetterOrDigit(at: first) { return next }
      line = next
    }
    return nil
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func nextLine(after offset: Int) -> Int? {
    lineFeed(from: offset).map { $0 + 1 }
  }

  fileprivate func skippingSpaces(from offset: Int) -> Int {
    self[offset...].firstIndex { $0 != UInt8(ascii: " ") } ?? count
  }

  fileprivate func isLetterOrDigit(at offset: Int) -> Bool { offset < count && self[offset].isLetterOrDigit }
}

/// The records of a piece, or of several that follow each other.
struct PieceTree: Sendable {
  private(set) var records: [SyntaxRecord]
  private(set) var decoded: [UInt8]
  /// The number of line feeds in the text.
  private var lineCount: Int
  /// A Boolean value that indicates whether more of the document can follow the text.
  private var isOpen: Bool

  /// The number of records before the first key of a piece: the map of the document, the field that opens the piece, and
  /// the field's value.
  private static let openingCount = 3

  init(records: [SyntaxRecord], decoded: [UInt8], lineCount: Int, isOpen: Bool) {
    self.records = records
    self.decoded = decoded
    self.lineCount = lineCount
    self.isOpen = isOpen
  }

  mutating func reserveCapacity(_ count: Int) {
    let piece = records
    records = Array(unsafeUninitializedCapacity: count) { memory, _ in LargeMemory.prepare(.init(memory)) }
    records += piece
  }

  /// Adds the next piece. Returns false if it does not continue the map in which this text ends.
  ///
  /// - Parameter textStart: What to add to an offset in the text of the piece.
  mutating func append(_ piece: PieceTree, textStart: Int) -> Bool {
    let first = Self.openingCount - 1
    guard isOpen, let map = lastBlockMap, piece.isBlockMap(at: first) else { return false }
    for (index, start) in [(0, piece.records[0].startPosition), (map, piece.records[first].startPosition)] {
      guard records[index].startPosition.column == start.column else { return false }
    }

    let shift = Shift(
      index: records.count - Self.openingCount, line: UInt32(lineCount - 1), text: textStart, decoded: decoded.count)
    let firstAdded = records.count
    records += piece.records[Self.openingCount...]
    for index in firstAdded..<records.count { shift.apply(to: &records[index]) }
    decoded += piece.decoded
    for (index, end) in [(0, piece.records[0]), (map, piece.records[first])] {
      var end = end
      shift.apply(to: &end)
      records[index].end = end.end
      records[index].endPosition = end.endPosition
    }
    lineCount += piece.lineCount - 1
    isOpen = piece.isOpen
    return true
  }

  /// The value of the document's last field, if it is a map in block style.
  private var lastBlockMap: Int? {
    guard let root = records.first, root.kind == .mapping else { return nil }
    var last = 0
    var child = 1
    while child < records.count {
      last = child
      child = Int(records[child].end)
    }
    return isBlockMap(at: last) ? last : nil
  }

  /// Returns true if the record is a map that starts with its first key. One in flow style starts with a brace.
  private func isBlockMap(at index: Int) -> Bool {
    guard index + 1 < records.count, records[index].kind == .mapping else { return false }
    return records[index].end > index + 1 && records[index].startPosition == records[index + 1].startPosition
  }

  /// The difference between a record of a piece and the same record of the whole text.
  private struct Shift {
    var index: Int
    var line: UInt32
    var text: Int
    var decoded: Int

    func apply(to record: inout SyntaxRecord) {
      record.startPosition.line += line
      record.endPosition.line += line
      record.end = UInt32(Int(record.end) + index)
      if record.kind == .scalar {
        record.textStart = UInt32(Int(record.textStart) + (record.isDecoded ? decoded : text))
      }
    }
  }
}
