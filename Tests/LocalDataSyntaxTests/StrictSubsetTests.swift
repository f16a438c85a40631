import LocalDataSyntax
import Testing

/// Tests of the constructs that a catalog must not contain, each with its rule and its exact place.
@Suite struct StrictSubsetTests {
  private static let bad: [(String, [String])] = [
    ("a: &b c", ["1:4-1:6 anchor"]),
    ("a: &b\n  c: d", ["1:4-1:6 anchor"]),
    ("é: [ü, &b c, d]", ["1:8-1:10 anchor"]),
    ("a: !!str &b c", ["1:4-1:9 tag", "1:10-1:12 anchor"]),
    ("a: &b\n  !c d", ["1:4-1:6 anchor", "2:3-2:5 tag"]),
    ("a: &(b", ["1:4-1:5 anchor"]),
    ("a: *b", ["1:4-1:6 alias"]),
    ("*a : b\nc: *d", ["1:1-1:3 alias", "2:4-2:6 alias"]),
    ("a: *bold* text", ["1:4-1:5 alias"]),
    ("a: !b c", ["1:4-1:6 tag"]),
    ("a: !<x", ["1:4-1:5 tag"]),
    ("a: !b!c d", ["1:4-1:5 tag"]),
    ("! a: b", ["1:1-1:2 tag"]),
    ("a:\n  <<: b", ["2:3-2:5 merge-key"]),
    ("a: {b: <<, <<: c}", ["1:12-1:14 merge-key"]),
    ("%YAML 1.1\n---\na: b", ["1:1-1:10 directive"]),
    ("# one\n\n%TAG ! b\r\n%x\n---\na: b", ["3:1-3:9 directive", "4:1-4:3 directive"]),
    ("a: b\n%TAG ! b\n", ["2:1-2:2 directive"]),
    ("a: b\n%\n", ["2:1-2:2 directive"]),
    ("a: b\n---\nc: d", ["2:1-2:4 second-document"]),
    ("a: b\n...\n# one\n--- c", ["4:1-4:4 second-document"]),
    ("---\n---\n", ["2:1-2:4 second-document"]),
    ("'a'\nb: c", ["2:1-2:3 text-after-end"]),
    ("[a]\n]", ["2:1-2:2 text-after-end"]),
    ("a: b\na: c\na: d", ["2:1-2:2 duplicate-field", "3:1-3:2 duplicate-field"]),
    ("a: {b: c, 'b': d}", ["1:11-1:14 duplicate-field"]),
    (#"a: {é: c, "\u00e9": d}"#, ["1:11-1:19 duplicate-field"]),
    ("[a]: b\n{c: d}: e", ["1:1-1:2 key-not-text", "2:1-2:2 key-not-text"]),
    ("? [a]\n: b", ["1:3-1:4 key-not-text"]),
    (": a", ["1:1-1:2 empty-key"]),
    ("'': a", ["1:1-1:2 empty-key"]),
    ("a: Use: now", ["1:7-1:8 unquoted-text"]),
    ("- a: Use: now", ["1:9-1:10 unquoted-text"]),
    ("a: `b`", ["1:4-1:5 unquoted-text"]),
    ("a: @b", ["1:4-1:5 unquoted-text"]),
    ("a: %b", ["1:4-1:5 unquoted-text"]),
    ("a: - b", ["1:4-1:5 unquoted-text"]),
    ("a: 'It's so'", ["1:8-1:9 unquoted-text"]),
    ("a: [b] c", ["1:8-1:9 unquoted-text"]),
    ("a: [b]?", ["1:7-1:8 unquoted-text"]),
    ("a: {b: Use: now}", ["1:11-1:12 unquoted-text"]),
    ("a: {b: Use c: now}", ["1:12-1:13 unquoted-text"]),
    ("a: {b: Use\nc: now}", ["1:4-1:5 unterminated"]),
    ("a: “b c”", ["1:4-1:9 look-alike"]),
    ("‘a’: b", ["1:1-1:4 look-alike"]),
    ("a:\u{A0}b\nc: d", ["1:3-1:4 look-alike"]),
    ("a:\n  b: c\n \u{3000}d: e", ["3:2-3:3 look-alike"]),
    ("a:\n  b: c\n \u{2003}d: e\n", ["3:2-3:3 look-alike"]),
    // Where YAML accepts them: as the beginning of a name, behind a colon between braces, at the end of a text.
    ("keys:\n\u{A0}\u{A0}theme: b", ["2:1-2:2 look-alike"]),
    ("a: {b:\u{A0}c}", ["1:7-1:8 look-alike"]),
    ("a: b\u{A0}", ["1:5-1:6 look-alike"]),
    ("a: \"b\u{A0}\"", ["1:6-1:7 look-alike"]),
    ("- '\u{200B}b'", ["1:4-1:5 look-alike"]),
    ("a: >-\n  b c\n  d\u{2009}", ["1:4-1:5 look-alike"]),
    ("a: {b\u{FF1A}c}", ["1:6-1:7 look-alike"]),
    ("a\u{FF1A}{b: c}", ["1:2-1:3 look-alike"]),
    ("keys:\n  a\u{FF1A}\n    b: c", ["2:4-2:5 look-alike"]),
    ("a: \u{FF5B}b: c\u{FF5D}", ["1:4-1:5 look-alike"]),
    ("\u{2013} a: b", ["1:1-1:2 look-alike"]),
    ("a: \"b\\q\"", ["1:6-1:7 unknown-escape"]),
    ("a: \"\\ud800\"", ["1:7-1:8 unknown-escape"]),
    ("a:\n  b: c\n d: e", ["3:2-3:3 indentation"]),
    ("keys: b\n  c: d", ["2:3-2:5 indentation"]),
    ("keys: b\n  éc: d", ["2:3-2:6 indentation"]),
    // A key at the first column, not the line after it.
    ("keys:\n  a: {b: c}\nd_1: {b: c}\n  e: {b: c}", ["3:1-3:4 indentation"]),
    ("keys:\n  a:\n    b: c\nb: c\n    d: e", ["4:1-4:2 indentation"]),
    ("é: ü\nkeys:\n  a: b\nd: e # f\n\n# g\n  h: i", ["4:1-4:2 indentation"]),
    ("keys:\n  a: b\naccess: c\n  d: e", ["4:3-4:5 indentation"]),
    ("a:\n  - b\n  c: d", ["3:3-3:4 indentation"]),
    ("a:\n\tb: c", ["2:1-2:2 tab"]),
    ("a: b\n\tc: d", ["2:1-2:2 tab"]),
    ("a: b\nfoo bar\nc: d", ["2:1-2:8 missing-colon"]),
    ("a: |b\n  c", ["1:5-1:6 block-text"]),
    ("a: |0\n  c", ["1:5-1:6 block-text"]),
    ("é: \"b\nc: d", ["1:4-1:5 unterminated"]),
    ("a: 'b\nc: d", ["1:4-1:5 unterminated"]),
    ("a:\n  b: [c\nd: e", ["2:6-2:7 unterminated"]),
    ("a: {b: c", ["1:4-1:5 unterminated"]),
    ("a: {b: [", ["1:8-1:9 unterminated"]),
    ("a: {b:", ["1:4-1:5 unterminated"]),
    ("a: [,]", ["1:5-1:6 missing-value"]),
  ]

  @Test(arguments: bad)
  func refused(text: String, want: [String]) {
    let (tree, diagnostics) = read(text)
    #expect(diagnostics.map(\.summary) == want)
    #expect(tree == nil)
    #expect(diagnostics.allSatisfy { $0.help != nil && $0.severity == .error })
  }

  private static let badBytes: [([UInt8], [String])] = [
    (Array("a: b\rc: d".utf8), ["1:5-1:6 line-end"]),
    (Array("a: b\r\r\nc: d\r".utf8), ["1:5-1:6 line-end", "2:5-2:6 line-end"]),
    (Array("é: b\u{85}c: \u{2028}d\u{2029}".utf8), ["1:5-1:6 line-end", "1:9-1:10 line-end", "1:11-1:12 line-end"]),
    (Array("a: \u{1}\nb: \u{7F}\u{9B}".utf8), ["1:4-1:5", "2:4-2:5", "2:5-2:6"].map { "\($0) control-character" }),
    (Array("a: \0".utf8), ["1:4-1:5 control-character"]),
    (
      Array("a: \u{202A}\n# \u{202E}\u{2066}\u{2069}".utf8),
      ["1:4-1:5", "2:3-2:4", "2:4-2:5", "2:5-2:6"].map { "\($0) bidirectional-control" }
    ),
    (Array("a: b\u{FEFF}\u{FFFE}".utf8), ["1:5-1:6 control-character", "1:6-1:7 control-character"]),
    (Array("é: ".utf8) + [0xFF] + Array("\nb: ".utf8) + [0xC3], ["1:4-1:5 not-utf8", "2:4-2:5 not-utf8"]),
    ([0xC0, 0x80], ["1:1-1:2 not-utf8", "1:2-1:3 not-utf8"]),
    (Array("a: ".utf8) + [0xED, 0xA0, 0x80], ["1:4-1:5 not-utf8"]),
    (Array("a: ".utf8) + [0xF4, 0x90, 0x80, 0x80, 0x20, 0xFF], ["1:4-1:5 not-utf8", "1:6-1:7 not-utf8"]),
    ([0xFE, 0xFF, 0, 0x61, 0, 0x3A], ["1:1-1:2 not-utf8"]),
    ([0xFF, 0xFE, 0x61, 0, 0x3A, 0], ["1:1-1:2 not-utf8"]),
    ([0, 0x61, 0, 0x3A], ["1:1-1:2 not-utf8"]),
    ([0x61, 0, 0x3A, 0], ["1:1-1:2 not-utf8"]),
    ([0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0], ["1:1-1:2 not-utf8"]),
    ([0, 0, 0xFE, 0xFF, 0, 0, 0, 0x61], ["1:1-1:2 not-utf8"]),
    ([0, 0, 0, 0x61], ["1:1-1:2 not-utf8"]),
  ]

  @Test(arguments: badBytes)
  func refusedBytes(bytes: [UInt8], want: [String]) {
    let (tree, diagnostics) = read(bytes)
    #expect(diagnostics.map(\.summary) == want)
    #expect(tree == nil)
  }

  private static let refusedControls = (0...0x1F).filter { $0 != 0x09 && $0 != 0x0A } + [0x7F, 0x80, 0xFF] as [UInt8]

  /// The reader checks eight bytes at a time. It must find each refused byte at every position among them, and nothing
  /// else. The text contains a second one, because libyaml would find the first.
  @Test(arguments: refusedControls)
  func whereverItStands(byte: UInt8) {
    for column in 4..<40 {
      var line = Array("b: ~ !\"ordinary\" \ttext of some length, 0123456789".utf8)
      line.insert(byte, at: column - 1)
      let (tree, diagnostics) = read(Array("a: 'an ordinary line'\n".utf8) + line + Array("\nc: ".utf8) + [byte])
      #expect(tree == nil)
      #expect(diagnostics.map { $0.place?.range.summary } == ["2:\(column)-2:\(column + 1)", "3:4-3:5"])
    }
  }

  /// Texts are compared eight bytes at a time.
  @Test(arguments: 1...25)
  func namesThatDifferInOneByte(length: Int) {
    let name = String(repeating: "n", count: length)
    for position in 0..<length {
      var other = Array(name.utf8)
      other[position] = UInt8(ascii: "m")
      #expect(read("\(name): 1\n\(String(decoding: other, as: UTF8.self)): 2\n").diagnostics.isEmpty)
    }
    #expect(read("\(name): 1\n\"\(name)\": 2\n").diagnostics.map(\.rule) == ["duplicate-field"])
  }

  /// In prose, and as an escape, such a character is meant.
  @Test(arguments: [
    "a: « b »", "a: 10\u{A0}km far", "a: \"b\\u00A0\"", "\"b\\u00A0\": c", "a: 主题：颜色", "\"主题：颜色\": b", "a: b – c",
  ])
  func whatIsMeantStays(text: String) { #expect(read(text).diagnostics.map(\.summary) == []) }

  @Test func theEncodingIsNamed() throws {
    let messages = [[0xFE, 0xFF, 0, 0x61], [0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0]].map { read($0).diagnostics[0].message }
    #expect(messages[0].contains("UTF-16"))
    #expect(messages[1].contains("UTF-32"))
  }

  @Test func bothPlacesOfADuplicate() throws {
    let finding = try #require(read("é: b\nc:\n  d: 1\n  e: 2\n  d: 3").diagnostics.first)
    #expect(finding.place?.range.summary == "5:3-5:4")
    #expect(finding.notes.map { $0.place?.range.summary } == ["3:3-3:4"])
  }

  @Test(arguments: [17, 100, 5000])
  func duplicatesAmongMany(count: Int) {
    let fields = (0..<count).map { "key\($0): \($0)\n" }.joined()
    #expect(read(fields).diagnostics.isEmpty)
    let finding = read(fields + "\"key7\": again\n").diagnostics
    #expect(finding.map(\.summary) == ["\(count + 1):1-\(count + 1):7 duplicate-field"])
    #expect(finding.first?.notes.first?.place?.range.summary == "8:1-8:5")
  }

  /// Checks that findings before the place where libyaml stops are reported too.
  @Test func severalFindings() {
    let text = "a: &b c\na: !d e\nf: {g: 1, g: 2, <<: *h}\ni: [j\n"
    #expect(
      read(text).diagnostics.map(\.summary) == [
        "1:4-1:6 anchor", "2:1-2:2 duplicate-field", "2:4-2:6 tag", "3:11-3:12 duplicate-field", "3:17-3:19 merge-key",
        "3:21-3:23 alias", "4:4-4:5 unterminated",
      ])
  }

  @Test func whereAnUnterminatedThingWasReadTo() throws {
    let finding = try #require(read("a: \"b\n\nc: d\n").diagnostics.first)
    #expect(finding.notes.map { $0.place?.range.start.line } == [4])
  }

  /// `bar` seems to go on with a text that a comment has ended.
  @Test(arguments: ["a: foo # one\n  bar\nc: d", "a: foo # one\nbar\nc: d"])
  func theCommentThatCutsATextShort(text: String) throws {
    let finding = try #require(read(text).diagnostics.first)
    #expect(finding.place?.range.start.line == 2)
    #expect(finding.notes.contains { $0.place?.range.summary == "1:8-1:9" })
  }
}
