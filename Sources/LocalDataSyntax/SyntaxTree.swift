/// A parsed catalog: every node in one array, in the order of the text.
///
/// A catalog of 10,000 keys has a quarter of a million nodes; one allocation each would cost more than libyaml's scan.
package final class SyntaxTree: Sendable {
  package let source: SourceFile
  /// The source's own array: to ask the source for it would count a reference to the source, which all aliases share.
  private let bytes: [UInt8]
  let records: [SyntaxRecord]
  /// The text of scalars that is not their source: quoted ones with escapes, folded and block scalars.
  let decoded: [UInt8]
  /// A Boolean value that indicates whether the source has ASCII characters only.
  let isASCII: Bool

  init(source: SourceFile, records: [SyntaxRecord], decoded: [UInt8], isASCII: Bool) {
    self.source = source
    bytes = source.bytes
    self.records = records
    self.decoded = decoded
    self.isASCII = isASCII
  }

  /// The node of the document, or `nil` if the file is empty.
  package var root: SyntaxNode? { records.isEmpty ? nil : SyntaxNode(tree: self, index: 0) }

  /// A copy of the tree, with another reference count.
  ///
  /// Every node counts as a reference to its tree: threads that read one tree would wait for each other at each of them.
  package func aliased() -> SyntaxTree {
    SyntaxTree(source: source, records: records, decoded: decoded, isASCII: isASCII)
  }

  func record(_ index: Int) -> SyntaxRecord { records[index] }

  /// Lends the bytes of a scalar's text. A buffer, since a slice would count a reference to its array.
  func withText<Result>(of record: SyntaxRecord, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    let range = Int(record.textStart)..<Int(record.textStart) + Int(record.textLength)
    if record.isDecoded {
      return decoded.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
    }
    return bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
  }
}

/// The record of a node in its tree.
struct SyntaxRecord: Equatable, Sendable {
  var kind: SyntaxNode.Kind
  /// A Boolean value that indicates whether a scalar was written without quotes.
  var isPlain = false
  /// A Boolean value that indicates whether the text is in the tree's `decoded` instead of the source.
  var isDecoded = false
  /// A Boolean value that indicates whether the source of a decoded text has a character that looks like a space. An escape for
  /// one is none.
  var hasLookAlike = false
  var startPosition: Position
  var endPosition: Position
  var textStart: UInt32 = 0
  var textLength: UInt32 = 0
  /// Index after the last descendant: the next sibling, if there is one.
  var end: UInt32 = 0
  /// Column of a comment that follows on the line of the scalar's end; 0 where there is none.
  var commentColumn: UInt32 = 0

  /// A `SourceLocation` in half the room.
  struct Position: Equatable, Sendable {
    var line: UInt32
    var column: UInt32

    init(line: UInt32, column: UInt32) {
      self.line = line
      self.column = column
    }

    init(_ mark: YAMLMark) {
      line = UInt32(mark.line + 1)
      column = UInt32(mark.column + 1)
    }

    var location: SourceLocation { SourceLocation(line: Int(line), column: Int(column)) }
  }

  init(_ kind: SyntaxNode.Kind, from start: YAMLMark, to end: YAMLMark) {
    self.kind = kind
    startPosition = Position(start)
    endPosition = Position(end)
  }
}

/// One node of a catalog, with its place.
package struct SyntaxNode: Sendable {
  package enum Kind: UInt8, Sendable {
    case scalar, sequence, mapping
  }

  package let tree: SyntaxTree
  let index: Int

  /// The same node of an alias of its tree.
  package func within(_ alias: SyntaxTree) -> SyntaxNode { SyntaxNode(tree: alias, index: index) }

  private var record: SyntaxRecord { tree.record(index) }

  package var kind: Kind { record.kind }

  package var range: SourceRange {
    let record = record
    return SourceRange(start: record.startPosition.location, end: record.endPosition.location)
  }

  package var place: SourcePlace { SourcePlace(file: tree.source, range: range) }

  /// The line on which it starts.
  package var line: Int { Int(record.startPosition.line) }

  /// The text of a scalar, with quotes and escapes undone; empty for other kinds.
  package var text: String { withText { String(decoding: $0, as: UTF8.self) } }

  /// Lends the bytes of `text`, for what is only compared and needs no string.
  package func withText<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    tree.withText(of: record, body)
  }

  /// A Boolean value that indicates whether the text differs from its source, as one with escapes does.
  var isDecoded: Bool { record.isDecoded }

  /// A Boolean value that indicates whether the source of a decoded text has a character that looks like a space.
  var hasLookAlike: Bool { record.hasLookAlike }

  /// The number of bytes of `text`; 0 for other kinds.
  package var textLength: Int { Int(record.textLength) }

  /// A Boolean value that indicates whether a scalar was written without quotes (`null`, `~` and nothing mean "the
  /// default" only so).
  package var isPlain: Bool { record.isPlain }

  /// A comment that follows a scalar on its last line, from `#` on.
  package var trailingComment: SourceLocation? {
    let record = record
    return record.commentColumn == 0
      ? nil : SourceLocation(line: Int(record.endPosition.line), column: Int(record.commentColumn))
  }

  /// The elements of a sequence; for a mapping its keys and values in turn.
  package var children: Children { Children(node: self) }

  /// The fields of a mapping in their order.
  package var fields: Fields { Fields(node: self) }

  package struct Children: Sequence, IteratorProtocol, Sendable {
    private let tree: SyntaxTree
    private var position: Int
    private let end: Int

    init(node: SyntaxNode) {
      tree = node.tree
      position = node.index + 1
      end = node.kind == .scalar ? position : Int(tree.record(node.index).end)
    }

    package mutating func next() -> SyntaxNode? {
      guard position < end else { return nil }
      defer { position = Int(tree.record(position).end) }
      return SyntaxNode(tree: tree, index: position)
    }
  }

  package struct Fields: Sequence, IteratorProtocol, Sendable {
    private var children: Children

    init(node: SyntaxNode) { children = Children(node: node) }

    package mutating func next() -> (key: SyntaxNode, value: SyntaxNode)? {
      guard let key = children.next(), let value = children.next() else { return nil }
      return (key, value)
    }
  }
}
