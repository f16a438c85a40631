import TestSupport
import Testing

@testable import LocalDataSyntax

/// A catalog that is read in pieces has the tree that it has as a whole.
@Suite struct CatalogPiecesTests {
  /// Returns the tree of a text that is read as a whole, and nil if there is anything to report.
  private func whole(_ source: SourceFile) -> SyntaxTree? {
    var findings = Findings(source: source)
    let text = SourceText.check(source, &findings)
    guard findings.diagnostics.isEmpty else { return nil }
    let tree = TreeBuilder.build(source, text: text, &findings)
    return findings.diagnostics.isEmpty ? tree : nil
  }

  /// Divides a text before each line that looks like a key, before two of them, and before all. Returns the number of
  /// divisions that gave a tree.
  @discardableResult
  private func check(_ text: String) -> Int {
    let source = SourceFile(path: "test.yaml", bytes: Array(text.utf8))
    let tree = whole(source)
    let lines = source.bytes.withUnsafeBufferPointer { KeyLines($0)?.starts(every: 1) ?? [] }
    let divisions =
      lines.map { [$0] } + zip(lines, lines.dropFirst(2)).map { [$0, $1] } + (lines.count > 2 ? [lines] : [])
    return divisions.count { starts in
      let isASCII = source.bytes.allSatisfy { $0 < 0x80 }
      guard let pieces = CatalogPieces(source, isASCII: isASCII, starts: starts).read() else { return false }
      // The whole text may have findings that are not libyaml's, of characters for example. They are looked for first.
      if let tree {
        #expect(pieces.records == tree.records, "\(text) divided at \(starts)")
        #expect(pieces.decoded == tree.decoded, "\(text) divided at \(starts)")
      } else {
        Issue.record("only the whole text has findings: \(text) divided at \(starts)")
      }
      return true
    }
  }

  @Test func ordinaryCatalogsAreDividedAtEachKey() {
    let catalog = """
      # A catalog.
      localdata: 1
      catalog: Ünïcödé
      types:
        Theme: {enum: [system, light]}
      keys:
        # The first key.
        theme:
          type: Theme
          description: >
            The colour scheme

            of the user.

        draft: {type: String, name: "draft\\u00e4"}
        note:
          type: String   # a comment
          note: |+
            漢字 👩‍👩‍👧

        last:
          description: plain text
            over two lines
        empty:
        cut: 'in
          quotes'
      # The names of former keys.
      reserved:
        - {name: a, cleanup: delete}

      """
    // Before each of the last five keys, and before each two of them. Nothing can be divided before the first key.
    #expect(check(catalog) == 8)
    #expect(check(catalog.replacing("\n", with: "\r\n")) == 8)
    #expect(check(String(catalog.dropLast())) == 8)
  }

  /// Lines that look like keys of the map and are not, and texts that end before them.
  @Test(arguments: [
    "about: |\n  keys:\n  a: b\nkeys:\n  c: d\n  e: f\n",
    "keys:\n  a: b\nabout: |\n  c: d\n  e: f\n",
    "keys:\n  a: b\nabout: 'c\n  d: e'\n",
    "keys:\n  a: {b: c,\n  d: e}\n  f: g\n",
    "keys:\n  a: [b,\n  c: d]\n",
    "keys:\n  {a: b}\n  c: d\n",
    "keys:\n  a: b\n...\n  c: d\n",
    "keys:\n  a: b\n---\nkeys:\n  c: d\n",
    "keys:\n  a: b\n  c d\n",
    "keys:\n  a: b\n  c\n  d: e\n",
    "keys:\n  ? a\n  b: c\n",
    "keys:\n  ? a\n  : b\n  c: d\n",
    "keys:\n  a: &b c\n  d: e\n",
    "keys:\n  a: b\n  a: c\n",
    "keys:\n  a: b\nkeys:\n  c: d\n",
    "keys:\n   a: b\n  c: d\n",
    "keys:\n  a: b\nother:\n    c: d\n  e: f\n",
    "keys:\n  a: b\nother: c\n  d: e\n",
    "keys:\n  a: b\n - c\n  d: e\n",
    "keys:\n  a: b\n\tc: d\n  e: f\n",
    "- keys:\nkeys:\n  a: b\n  c: d\n",
    "keys: a\n  b: c\n  d: e\n",
    " a: \"b\nkeys:\n  c\"\n keys:\n  d: e\n  f: g\nh: i\n",
  ])
  func wrongGuessesAreNoticed(text: String) {
    check(text)
  }

  /// Lines of catalogs in any order, with some that no catalog has.
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func linesInAnyOrder(seed: UInt64) {
    let ordinary = [
      "  a", "  b: c", "    d: e", "  é: ü", "  f:", "  g: 'h'", "  i: |", "    text", "", "  # comment", "# comment",
      "  \"j\": >+", "  k: l # m", "  n: {o: p}", "  q: [r]\r", "  s: \"\\n\"",
    ]
    let other = [
      "    t: 'u", "      v'", "  w: {x: y,", "  z: 1}", "  - 2", "3: 4", "5:", "...", "---", "  ? 6", "  : 7",
      "  keys:", "keys:", "   8: 9", "  10: &11 12", "  13 14", "  15: \"16", "\"", "  - |", " ", "  \t", "  17: !18",
    ]
    var random = SeededRandom(seed: seed)
    var count = 0
    for _ in 0..<Sweep.count(quick: 100, full: 1_000) {
      let lines = (0..<Int.random(in: 1...10, using: &random)).map { index in
        let line = (Int.random(in: 0..<8, using: &random) == 0 ? other : ordinary).randomElement(using: &random) ?? ""
        // Names are written once.
        return line.hasPrefix("  ") && line.contains(": ") ? "  \(index)\(line.dropFirst(2))\n" : line + "\n"
      }
      count += check("keys:\n  first: 1\n" + lines.joined())
    }
    #expect(count > Sweep.count(quick: 50, full: 500))
  }

  // MARK: Through the reader

  private func catalog(keys: Int, last: String) -> String {
    let keys = (0..<keys).map { "  key\($0):\n    type: String\n    description: The number \($0).\n" }
    return "localdata: 1\nkeys:\n" + keys.joined() + last
  }

  @Test func largeCatalogsAreReadInPieces() throws {
    let source = SourceFile(path: "test.yaml", bytes: Array(catalog(keys: 20_000, last: "reserved: [a]\n").utf8))
    try #require(source.bytes.count > 2 * CatalogPieces.defaultSize)
    #expect(CatalogPieces(source, isASCII: true).read() != nil)
    #expect(CatalogReader.read(source).tree?.records == whole(source)?.records)
  }

  @Test func findingsOfLargeCatalogsAreThoseOfTheWholeText() throws {
    let duplicate = read(catalog(keys: 20_000, last: "  key1:\n    type: Int\n"))
    #expect(duplicate.diagnostics.map(\.summary) == ["60003:3-60003:7 duplicate-field"])
    let inKey = read(catalog(keys: 20_000, last: "  last:\n    type: Int\n    type: Int\n"))
    #expect(inKey.diagnostics.map(\.summary) == ["60005:5-60005:9 duplicate-field"])
    let unclosed = read(catalog(keys: 20_000, last: "  last: {type: Int\n"))
    #expect(unclosed.diagnostics.map(\.rule) == ["unterminated"])
  }
}
