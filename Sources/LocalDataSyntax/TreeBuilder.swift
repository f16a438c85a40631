/// Events to the records of a tree, with all that the strict subset refuses reported on the way.
struct TreeBuilder {
  /// The greatest depth of mappings and sequences in each other. The time that libyaml takes is quadratic in the depth of
  /// flow collections.
  static let maximumDepth = 64
  /// The longest text, in bytes.
  static let maximumText = 64 << 10

  /// A mapping or sequence that has not ended.
  struct Open {
    var index: Int
    var isMapping: Bool
    var isFlow: Bool
    /// Keys and values of a mapping come in turn.
    var childCount = 0
  }

  let bytes: UnsafeBufferPointer<UInt8>
  var cursor: ByteCursor
  var findings: Findings
  private(set) var records: [SyntaxRecord] = []
  private(set) var decoded: [UInt8] = []
  private var open: [Open] = []
  /// The end of the last node whose end libyaml reports.
  private var lastEnd = SyntaxRecord.Position(line: 1, column: 1)
  private var documentEnd: YAMLMark?
  /// The depth from which on maps are searched for fields that are written twice.
  private var searchedDepth = 0

  private init(_ bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool, findings: Findings) {
    self.bytes = bytes
    self.findings = findings
    cursor = ByteCursor(bytes, isASCII: isASCII)
    open.reserveCapacity(Self.maximumDepth)
  }

  /// The tree of the bytes; what is found on the way is added to `findings`.
  static func build(_ source: SourceFile, text: SourceText, _ findings: inout Findings) -> SyntaxTree {
    source.bytes.withUnsafeBufferPointer { bytes in
      var builder = TreeBuilder(bytes, isASCII: text.isASCII, findings: findings)
      builder.run()
      findings = builder.findings
      return SyntaxTree(
        source: source, records: builder.records, decoded: builder.decoded, isASCII: text.isASCII)
    }
  }

  // MARK: Pieces

  /// Returns the records of a piece of a catalog, or nil if there is anything to report.
  ///
  /// The map of the document and the maps in it go on in the next piece. `finish` searches them.
  static func piece(_ bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool, _ source: SourceFile) -> PieceTree? {
    var builder = TreeBuilder(bytes, isASCII: isASCII, findings: Findings(source: source))
    builder.searchedDepth = 2
    builder.run()
    guard builder.findings.diagnostics.isEmpty, let end = builder.documentEnd else { return nil }
    // Neither `...` nor a value that libyaml did not see the end of: that of a key without a value is the next token.
    let isOpen = builder.cursor.offset(of: end) == bytes.count && builder.lastEnd.line <= end.line
    return PieceTree(records: builder.records, decoded: builder.decoded, lineCount: end.line, isOpen: isOpen)
  }

  /// Returns the tree of all pieces, or nil if there is anything to report.
  static func finish(_ tree: PieceTree, isASCII: Bool, _ source: SourceFile) -> SyntaxTree? {
    source.bytes.withUnsafeBufferPointer { bytes in
      var builder = TreeBuilder(bytes, isASCII: isASCII, findings: Findings(source: source))
      builder.records = tree.records
      builder.decoded = tree.decoded
      var child = 0
      while child < builder.records.count {
        if builder.records[child].kind == .mapping { builder.reportDuplicates(in: child) }
        child = child == 0 ? 1 : Int(builder.records[child].end)
      }
      guard builder.findings.diagnostics.isEmpty else { return nil }
      return SyntaxTree(source: source, records: builder.records, decoded: builder.decoded, isASCII: isASCII)
    }
  }

  // MARK: Events

  private mutating func run() {
    // A catalog has about a node for 13 bytes; growing by doubling would hold three times as much for a moment.
    let count = bytes.count / 13 + 16
    records = Array(unsafeUninitializedCapacity: count) { memory, _ in LargeMemory.prepare(.init(memory)) }
    do throws(YAMLFailure) {
      var parser = try YAMLParser(bytes)
      while try parser.next({ event in take(event) }) {}
    } catch {
      report(error)
    }
    // What libyaml or a limit left open is still searched for fields given twice.
    while let container = open.popLast() {
      close(container, end: lastEnd)
    }
  }

  /// Returns true if another event is wanted.
  private mutating func take(_ event: borrowing YAMLEvent) -> Bool {
    if event.hasProperties { reportProperties(of: event) }
    switch event.kind {
    case .scalar: addScalar(event)
    case .mappingStart: return addContainer(.mapping, event)
    case .sequenceStart: return addContainer(.sequence, event)
    case .mappingEnd, .sequenceEnd: endContainer(event)
    case .alias: addAlias(event)
    case .documentEnd:
      documentEnd = event.start
      // Never asked to go on from here, libyaml cannot spend its time on what another document holds.
      reportRest(after: event)
      return false
    case .streamEnd: return false
    case .streamStart, .documentStart: break
    }
    return !findings.isFull
  }

  private mutating func addScalar(_ event: borrowing YAMLEvent) {
    var record = SyntaxRecord(.scalar, from: event.start, to: event.end)
    let start = cursor.offset(of: event.start)
    let end = cursor.offset(of: event.end)
    let count = event.text.count

    // Most texts are equal to a part of the source. Only the others are kept.
    let quote = event.style == .singleQuoted || event.style == .doubleQuoted ? 1 : 0
    if end - start == count + 2 * quote, bytes.hasEqual(event.text, at: start + quote) {
      record.textStart = UInt32(start + quote)
    } else {
      record.isDecoded = true
      record.hasLookAlike = LookAlike.isSpace(in: bytes[start..<end])
      record.textStart = UInt32(decoded.count)
      decoded.append(contentsOf: event.text)
    }
    record.textLength = UInt32(count)
    record.isPlain = event.style == .plain
    if event.style == .block {
      record.endPosition = endOfBlock(from: start, to: end, record)
    } else {
      record.commentColumn = commentColumn(after: end, column: record.endPosition.column)
    }

    if count > Self.maximumText {
      findings.report(
        .textTooLong, "the text has \(count) bytes; \(Self.maximumText) is the most a text may have",
        at: SourceRange(start: event.start.location, length: 1))
    }
    if record.isPlain, event.text.first == 0xE2 {
      reportTypographicQuotes(
        of: event.text, at: SourceRange(start: event.start.location, end: event.end.location))
    }
    if countChild() {
      if count == 0 {
        reportEmptyKey(at: event.start)
      } else if record.isPlain, count == 2, event.text[0] == UInt8(ascii: "<"), event.text[1] == UInt8(ascii: "<") {
        findings.report(
          .mergeKey, "a catalog has no merge keys", at: SourceRange(start: event.start.location, length: 2),
          help: "write the fields out, or put what all keys share into 'defaults'")
      }
    }
    append(record)
  }

  mutating func reportEmptyKey(at mark: YAMLMark) {
    findings.report(
      .emptyKey, "a field has no name", at: SourceRange(start: mark.location, length: 1), help: "write 'name: value'")
  }

  private mutating func addAlias(_ event: borrowing YAMLEvent) {
    findings.report(
      .alias, "a catalog has no aliases", at: SourceRange(start: event.start.location, end: event.end.location),
      help: "write the value out; put text that starts with '*' into quotes")
    _ = countChild()
    append(SyntaxRecord(.scalar, from: event.start, to: event.end))
  }

  /// Adds a leaf.
  private mutating func append(_ record: SyntaxRecord) {
    records.append(record)
    records[records.count - 1].end = UInt32(records.count)
    lastEnd = record.endPosition
  }

  private mutating func addContainer(_ kind: SyntaxNode.Kind, _ event: borrowing YAMLEvent) -> Bool {
    if open.count == Self.maximumDepth {
      findings.report(
        .tooDeep, "maps and lists are nested more than \(Self.maximumDepth) deep here",
        at: SourceRange(start: event.start.location, length: 1))
      return false
    }
    if countChild() {
      findings.report(
        .keyNotText, "the name of a field must be text, not a \(kind == .mapping ? "map" : "list")",
        at: SourceRange(start: event.start.location, length: 1), help: "put text with braces or brackets into quotes")
    }
    open.append(Open(index: records.count, isMapping: kind == .mapping, isFlow: event.style == .flow))
    append(SyntaxRecord(kind, from: event.start, to: event.start))
    return !findings.isFull
  }

  private mutating func endContainer(_ event: borrowing YAMLEvent) {
    guard let container = open.popLast() else { return }
    // A block collection ends for libyaml where the next thing starts, which may be pages below.
    if container.isFlow { lastEnd = SyntaxRecord.Position(event.end) }
    close(container, end: lastEnd)
  }

  private mutating func close(_ container: Open, end: SyntaxRecord.Position) {
    records[container.index].end = UInt32(records.count)
    records[container.index].endPosition = end
    if container.isMapping, open.count >= searchedDepth { reportDuplicates(in: container.index) }
  }

  /// The start of the last `{` or `[` that is not closed.
  var innermostFlow: (start: SourceLocation, isMapping: Bool)? {
    guard let last = open.last, last.isFlow else { return nil }
    return (records[last.index].startPosition.location, last.isMapping)
  }

  /// Counts a node in the collection around it; whether it is the name of a field.
  private mutating func countChild() -> Bool {
    guard let last = open.indices.last else { return false }
    defer { open[last].childCount += 1 }
    return open[last].isMapping && open[last].childCount.isMultiple(of: 2)
  }
}
