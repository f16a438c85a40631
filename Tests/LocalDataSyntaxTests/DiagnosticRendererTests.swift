import LocalDataSyntax
import LocalDataDocuments
import Testing

/// Findings in words: the form that people, Xcode and machines read.
@Suite struct DiagnosticRendererTests {
  private func file(_ text: String, path: String = "Catalogs/account.yaml") -> SourceFile {
    SourceFile(path: path, bytes: Array(text.utf8))
  }

  private func place(_ file: SourceFile, _ line: Int, _ columns: Range<Int>) -> SourcePlace {
    SourcePlace(
      file: file,
      range: SourceRange(
        start: SourceLocation(line: line, column: columns.lowerBound),
        end: SourceLocation(line: line, column: columns.upperBound)))
  }

  /// The caret's line below an excerpt, and the excerpt, without the columns of line numbers.
  private func excerpt(_ text: String, _ line: Int, _ columns: Range<Int>) -> [String] {
    let finding = Diagnostic(rule: "r", "m", at: place(file(text), line, columns))
    let lines = DiagnosticRenderer.render([finding], as: .text, catalogs: 1).split(separator: "\n")
    return lines[1...2].map { String($0.drop { $0 != "│" }.dropFirst(2)) }
  }

  @Test func theFormOfTheContract() {
    let text = String(repeating: "\n", count: 13) + "    domain: keychian\n"
    let finding = Diagnostic(
      rule: "unknown-domain", "'keychian' is not a storage domain; did you mean 'keychain'?",
      at: place(file(text), 14, 13..<21),
      help: "one of userDefaults, appGroupUserDefaults, keychain, fileSystem, encryptedFileSystem, appGroupFileSystem")
    let want = """
      Catalogs/account.yaml:14:13: error: 'keychian' is not a storage domain; did you mean 'keychain'? [unknown-domain]
         14 │     domain: keychian
            │             ^~~~~~~~
        help: one of userDefaults, appGroupUserDefaults, keychain, fileSystem, encryptedFileSystem, appGroupFileSystem
      1 error in 2 catalogs

      """
    #expect(DiagnosticRenderer.render([finding], as: .text, catalogs: 2) == want)
  }

  @Test func notesAndWarnings() {
    let other = file("x: y", path: "b.yaml")
    let finding = Diagnostic(
      rule: "same-place", severity: .warning, "two keys in one place", at: place(file("a: b"), 1, 1..<2),
      notes: [.init("the other one", at: place(other, 1, 4..<5)), .init("both are in the keychain")])
    let want = """
      Catalogs/account.yaml:1:1: warning: two keys in one place [same-place]
          1 │ a: b
            │ ^
      b.yaml:1:4: note: the other one
          1 │ x: y
            │    ^
        note: both are in the keychain
      1 warning in 1 catalog

      """
    #expect(DiagnosticRenderer.render([finding], as: .text, catalogs: 1) == want)
    let lines = """
      Catalogs/account.yaml:1:1: warning: two keys in one place [same-place]
      b.yaml:1:4: note: the other one

      """
    #expect(DiagnosticRenderer.render([finding], as: .xcode, catalogs: 1) == lines)
    #expect(DiagnosticRenderer.render([], as: .xcode, catalogs: 1) == "")
  }

  private static let excerpts: [(String, Range<Int>, [String])] = [
    ("a: b", 1..<2, ["a: b", "^"]),
    ("a: b", 4..<5, ["a: b", "   ^"]),
    ("a: b", 5..<6, ["a: b", "    ^"]),
    ("a: b\r\n", 1..<5, ["a: b", "^~~~"]),
    ("\ta:\tb", 5..<6, ["    a:  b", "        ^"]),
    ("\ta: b", 1..<2, ["    a: b", "^~~~"]),
    ("漢字: ü", 5..<6, ["漢字: ü", "      ^"]),
    ("漢字: ü", 1..<3, ["漢字: ü", "^~~~"]),
    ("e\u{301}: x", 5..<6, ["e\u{301}: x", "   ^"]),
    ("👍: x", 4..<5, ["👍: x", "    ^"]),
    ("a\u{1B}[1m: x", 8..<9, ["a\\u{1B}[1m: x", "            ^"]),
    ("a\u{202E}: x", 1..<2, ["a\\u{202E}: x", "^"]),
    ("", 1..<2, ["", "^"]),
  ]

  @Test(arguments: excerpts)
  func oneLine(text: String, columns: Range<Int>, want: [String]) {
    #expect(excerpt(text, 1, columns) == want)
  }

  @Test func aPlaceOfSeveralLinesIsUnderlinedToTheEndOfTheFirst() {
    let range = SourceRange(start: SourceLocation(line: 1, column: 4), end: SourceLocation(line: 2, column: 2))
    let finding = Diagnostic(rule: "r", "m", at: SourcePlace(file: file("a: bcd\n e"), range: range))
    #expect(DiagnosticRenderer.render([finding], as: .text, catalogs: 1).contains("│    ^~~\n"))
  }

  /// Beyond a window around the caret a line is cut; the places of marks in very long ones are kept.
  @Test(arguments: [100, 1000, 5000, 100_000])
  func longLines(count: Int) {
    let text = String(repeating: "ü", count: count) + "X" + String(repeating: "ä", count: count)
    let lines = excerpt(text, 1, count + 1..<count + 2)
    #expect(lines[0] == "…" + String(repeating: "ü", count: 60) + "X" + String(repeating: "ä", count: 49) + "…")
    #expect(lines[1] == String(repeating: " ", count: 61) + "^")
    let both = (0..<2).map { _ in
      Diagnostic(rule: "r", "m", at: place(file(text), 1, count + 1..<count + 2))
    }
    let rendered = DiagnosticRenderer.render(both, as: .text, catalogs: 1).split(separator: "\n")
    #expect(rendered[1] == rendered[4])
  }

  @Test func aPlaceOutsideTheFileHasNoExcerpt() {
    let finding = Diagnostic(rule: "r", "m", at: place(file("a"), 7, 1..<2))
    #expect(
      DiagnosticRenderer.render([finding], as: .text, catalogs: 1)
        == "Catalogs/account.yaml:7:1: error: m [r]\n1 error in 1 catalog\n")
  }

  @Test func nothingOfACatalogReachesTheTerminalRaw() {
    let evil = "a\u{1B}[31m\n\r\u{9B}\u{202E}\u{2028}\u{E0041}b"
    let finding = Diagnostic(
      rule: "r", evil, at: place(file(evil, path: evil), 1, 1..<2), help: evil,
      notes: [.init(evil), .init(evil, at: place(file(evil, path: evil), 1, 1..<2))])
    for format in FindingsFormat.allCases {
      let text = format.render(FindingsReport([finding], catalogs: 1))
      let raw = text.unicodeScalars.filter {
        $0 != "\n" && ($0.properties.generalCategory == .control || $0.properties.generalCategory == .format)
      }
      #expect(raw.isEmpty, "\(format)")
    }
  }

  @Test func summaries() {
    let error = Diagnostic(rule: "r", "m", at: nil)
    let warning = Diagnostic(rule: "r", severity: .warning, "m", at: nil)
    #expect(FindingsReport(catalogs: 1).summary == "no findings in 1 catalog")
    #expect(FindingsReport([error, warning, error], catalogs: 3).summary == "2 errors and 1 warning in 3 catalogs")
    #expect(FindingsReport(allowed: .samples(1), catalogs: 1).summary == "no findings in 1 catalog, 1 finding allowed")
    #expect(
      FindingsReport([error], allowed: .samples(2), catalogs: 2).summary == "1 error in 2 catalogs, 2 findings allowed")
  }

  @Test func json() {
    let finding = Diagnostic(
      rule: "same-place", "a \"b\"\u{1}\\", at: place(file("a: b"), 1, 1..<2), help: "é",
      notes: [.init("n", at: place(file("a: b"), 1, 4..<5))], key: "theme")
    let want = #"""
      {
        "version": 1,
        "catalogs": 1,
        "errors": 1,
        "warnings": 0,
        "allowed": 0,
        "omitted": 0,
        "findings": [
          {"rule": "same-place", "severity": "error", "message": "a \"b\"\u0001\\", "key": "theme", "path": "Catalogs/account.yaml", "line": 1, "column": 1, "endLine": 1, "endColumn": 2, "help": "é", "notes": [{"message": "n", "path": "Catalogs/account.yaml", "line": 1, "column": 4, "endLine": 1, "endColumn": 5}]}
        ]
      }

      """#
    #expect(FindingsFormat.json.render(FindingsReport([finding], catalogs: 1)) == want)
    #expect(FindingsFormat.json.render(FindingsReport(catalogs: 0)).contains("\"findings\": []\n"))
  }

  @Test func findingsAreSortedByFileAndPlace() {
    let (first, second) = (file("", path: "a"), file("", path: "b"))
    let findings = [
      Diagnostic(rule: "5", "m", at: place(second, 1, 1..<2)), Diagnostic(rule: "3", "m", at: place(first, 2, 1..<2)),
      Diagnostic(rule: "4", "m", at: place(first, 10, 1..<2)), Diagnostic(rule: "1", "m", at: nil),
      Diagnostic(rule: "2", "m", at: place(first, 1, 9..<10)),
    ]
    #expect(findings.sortedByPlace().map(\.rule) == ["1", "2", "3", "4", "5"])
  }
}
