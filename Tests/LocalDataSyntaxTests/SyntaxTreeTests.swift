import LocalDataSyntax
import Testing

/// Tests of the trees that good catalogs become, with the place of every node.
@Suite struct SyntaxTreeTests {
  private static let good: [(String, String)] = [
    ("a: b", "{a@1:1-1:2: b@1:4-1:5}@1:1-1:5"),
    ("a:\nb:  \n", "{a@1:1-1:2: @1:3-1:3, b@2:1-2:2: @2:3-2:3}@1:1-2:3"),
    ("a:\n  - b\n  - c\n\n\nd: e", "{a@1:1-1:2: [b@2:5-2:6, c@3:5-3:6]@2:3-3:6, d@6:1-6:2: e@6:4-6:5}@1:1-6:5"),
    ("a: [b, {c: d}]", "{a@1:1-1:2: [b@1:5-1:6, {c@1:9-1:10: d@1:12-1:13}@1:8-1:14]@1:4-1:15}@1:1-1:15"),
    ("a: [\n  b\n]\n", "{a@1:1-1:2: [b@2:3-2:4]@1:4-3:2}@1:1-3:2"),
    ("a: 'b''c'", "{a@1:1-1:2: 'b'c@1:4-1:10}@1:1-1:10"),
    (#"a: "b\tc""#, "{a@1:1-1:2: 'b\tc@1:4-1:10}@1:1-1:10"),
    (#"a: """#, "{a@1:1-1:2: '@1:4-1:6}@1:1-1:6"),
    ("a: b\n  c\n", "{a@1:1-1:2: b c@1:4-2:4}@1:1-2:4"),
    ("a: |\n  b\n  c\n\nd: e", "{a@1:1-1:2: 'b\nc\n@1:4-3:4, d@5:1-5:2: e@5:4-5:5}@1:1-5:5"),
    ("a: >\n  b\n  c\n", "{a@1:1-1:2: 'b c\n@1:4-3:4}@1:1-3:4"),
    ("é: ü # ö\nb: 'ä'", "{é@1:1-1:2: ü@1:4-1:5, b@2:1-2:2: 'ä@2:4-2:7}@1:1-2:7"),
    ("👩‍👩‍👧: x", "{👩‍👩‍👧@1:1-1:6: x@1:8-1:9}@1:1-1:9"),
    ("a: b\r\nc:\r\n  - d\r\n", "{a@1:1-1:2: b@1:4-1:5, c@2:1-2:2: [d@3:5-3:6]@3:3-3:6}@1:1-3:6"),
    ("# one\n---\na: b\n...\n# two\n", "{a@3:1-3:2: b@3:4-3:5}@3:1-3:5"),
    ("\u{FEFF}a: b", "{a@1:1-1:2: b@1:4-1:5}@1:1-1:5"),
    ("just text", "just text@1:1-1:10"),
    ("? a\n: b", "{a@1:3-1:4: b@2:3-2:4}@1:1-2:4"),
    ("a: http://example.com/?b=c#d", "{a@1:1-1:2: http://example.com/?b=c#d@1:4-1:29}@1:1-1:29"),
    (
      "a: {K: T}",
      "{a@1:1-1:2: {K@1:5-1:6: T@1:8-1:9}@1:4-1:10}@1:1-1:10"
    ),
    ("[String: Int]", "[{String@1:2-1:8: Int@1:10-1:13}@1:2-1:13]@1:1-1:14"),
  ]

  @Test(arguments: good)
  func placesAndTexts(text: String, want: String) throws {
    #expect(try tree(text).summary == want)
  }

  @Test(arguments: ["", "\n\n", "# nothing\n", "---\n...\n"])
  func aFileWithoutNodes(text: String) {
    let (tree, diagnostics) = read(text)
    #expect(diagnostics.isEmpty)
    #expect(tree?.root == nil || tree?.root?.text == "")
  }

  @Test func plainTextsAreTold() throws {
    let values = try tree("a: null\nb: 'null'\nc: |\n  null\nd:\ne: ~").fields.map(\.value)
    #expect(values.map(\.isPlain) == [true, false, false, true, true])
  }

  @Test(arguments: [
    ("a: Use #1 now", "1:8"),
    ("a: Use  \t# now", "1:10"),
    ("a: 'Use' #1", "1:10"),
    ("a: one\n  two #1", "2:7"),
    ("a: # one", "1:4"),
    ("a: é #1", "1:6"),
    ("a: Use#1", nil),
    ("a: Use\n# one", nil),
    ("a: '#1'", nil),
    ("a: |\n  Use #1\n", nil),
    ("a: | # one\n  Use\n", nil),
  ])
  func trailingComments(text: String, want: String?) throws {
    let value = try #require(try tree(text).fields.map(\.value).first)
    #expect(value.trailingComment.map { "\($0.line):\($0.column)" } == want)
  }

  @Test func commentsInLists() throws {
    let values = try tree("a:\n  - b # one\n  - c\n").fields.map(\.value)
    #expect(values.first?.children.map { $0.trailingComment?.column } == [7, nil])
  }

  @Test func siblingsAreFoundBehindDeepOnes() throws {
    let root = try tree("a: {b: [c, [d]], e: f}\ng: h")
    #expect(root.fields.map(\.key.text) == ["a", "g"])
    #expect(root.fields.first { $0.key.text == "a" }?.value.fields.map(\.key.text) == ["b", "e"])
    #expect(root.children.map(\.kind) == [.scalar, .mapping, .scalar, .scalar])
  }

  @Test(arguments: [
    ("Catalogs/Account.yaml", "Account"), ("a/b.catalog.yaml", "b"), ("x.yml", "x"), (".yaml", ".yaml"),
    ("account", "account"), ("a.b.yaml", "a.b"),
  ])
  func baseNames(path: String, want: String) {
    #expect(SourceFile(path: path, bytes: []).baseName == want)
  }
}
