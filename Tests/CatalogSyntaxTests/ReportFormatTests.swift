import CatalogSyntax
import Foundation
import Testing

/// The forms of findings that other programs read, and what all forms share.
@Suite struct ReportFormatTests {
  private static let source = SourceFile(
    path: "Catalogs/a b,c:%.yaml", bytes: Array("theme: keychian\nother: x\n".utf8))

  private static func place(_ line: Int, _ columns: Range<Int>, to endLine: Int? = nil) -> SourcePlace {
    SourcePlace(
      file: source,
      range: SourceRange(
        start: SourceLocation(line: line, column: columns.lowerBound),
        end: SourceLocation(line: endLine ?? line, column: columns.upperBound)))
  }

  private static let rule = Rule(
    "some-rule", .values, "A value is known.", why: "Others are not.", bad: nil, good: .catalog("keys: {}"))

  private static func finding(_ message: String, at place: SourcePlace?) -> Diagnostic {
    Diagnostic(rule: "some-rule", message, at: place)
  }

  // MARK: GitHub

  @Test func workflowCommands() {
    let error = Diagnostic(
      rule: "some-rule", "100% of 'a, b: c'", at: Self.place(1, 8..<16), help: "mend it",
      notes: [.init("the other", at: Self.place(2, 1..<6)), .init("a fact")])
    let warning = Diagnostic(rule: "r", severity: .warning, "m", at: Self.place(1, 1..<3, to: 2))
    let report = FindingsReport([error, warning, Self.finding("no place", at: nil)], catalogs: 1)
    let file = "Catalogs/a b%2Cc%3A%25.yaml"
    #expect(
      DiagnosticRenderer.render(report, as: .github) == """
        ::error file=\(file),line=1,endLine=1,col=8,endColumn=16,title=some-rule::100%25 of 'a, b: c'%0Ahelp: mend it\
        %0ACatalogs/a b,c:%25.yaml:2:1: note: the other%0Anote: a fact
        ::warning file=\(file),line=1,endLine=2,col=1,title=r::m
        ::error title=some-rule::no place

        """)
    #expect(DiagnosticRenderer.render(FindingsReport(catalogs: 1), as: .github) == "")
  }

  /// If a line end of a catalog were printed, the catalog could write its own commands.
  @Test func aCatalogCannotWriteCommands() {
    let evil = Self.finding("a\n::set-env name=X::y\r::error::z", at: Self.place(1, 1..<2))
    let lines = DiagnosticRenderer.render(FindingsReport([evil], catalogs: 1), as: .github).split(separator: "\n")
    #expect(lines.count == 1)
    #expect(lines.first?.contains("\r") == false)
  }

  // MARK: SARIF

  private func sarif(_ report: FindingsReport) throws -> [String: Any] {
    let text = DiagnosticRenderer.render(report, as: .sarif)
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// The properties that the specification requires (SARIF 2.1.0, sections 3.13, 3.14, 3.19, 3.27 to 3.30), and ours.
  @Test func sarifDocument() throws {
    let error = Diagnostic(
      rule: "some-rule", "a \"b\"", at: Self.place(1, 8..<16), help: "mend it",
      notes: [.init("the other", at: Self.place(2, 1..<6)), .init("a fact")], key: "theme")
    let policy = Diagnostic(rule: "policy", severity: .warning, "m", at: nil)
    let document = try sarif(FindingsReport([error, policy], catalogs: 1, rules: [Self.rule]))
    #expect(document["version"] as? String == "2.1.0")
    #expect((document["$schema"] as? String)?.hasSuffix("sarif-schema-2.1.0.json") == true)
    let run = try #require((document["runs"] as? [[String: Any]])?.first)
    #expect(run["columnKind"] as? String == "unicodeCodePoints")
    let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
    #expect(driver["name"] as? String == "local-data")
    let rule = try #require((driver["rules"] as? [[String: Any]])?.first)
    #expect(rule["id"] as? String == "some-rule")
    #expect((rule["shortDescription"] as? [String: Any])?["text"] as? String == "A value is known.")
    #expect((rule["defaultConfiguration"] as? [String: Any])?["level"] as? String == "error")

    let results = try #require(run["results"] as? [[String: Any]])
    #expect(results.map { $0["ruleId"] as? String } == ["some-rule", "policy"])
    #expect(results.map { $0["ruleIndex"] as? Int } == [0, nil])
    #expect(results.map { $0["level"] as? String } == ["error", "warning"])
    #expect((results[0]["message"] as? [String: Any])?["text"] as? String == "a \"b\"\nhelp: mend it")
    let location = try #require((results[0]["locations"] as? [[String: Any]])?.first)
    let physical = try #require(location["physicalLocation"] as? [String: Any])
    #expect((physical["artifactLocation"] as? [String: Any])?["uri"] as? String == "Catalogs/a%20b%2Cc%3A%25.yaml")
    #expect(
      physical["region"] as? [String: Int] == ["startLine": 1, "startColumn": 8, "endLine": 1, "endColumn": 16])
    #expect((location["logicalLocations"] as? [[String: String]]) == [["name": "theme"]])
    let related = try #require(results[0]["relatedLocations"] as? [[String: Any]])
    #expect(related.map { ($0["message"] as? [String: Any])?["text"] as? String } == ["the other", "a fact"])
    #expect(results[1]["locations"] == nil)
  }

  @Test func sarifWithoutFindings() throws {
    let run = try #require((try sarif(FindingsReport(catalogs: 1))["runs"] as? [[String: Any]])?.first)
    #expect((run["results"] as? [Any])?.isEmpty == true)
  }

  // MARK: The cap

  @Test func atMostAThousandFindingsArePrinted() throws {
    let warnings = (1...1_500).map {
      Diagnostic(rule: "w", severity: .warning, "warning \($0)", at: Self.place(1, $0..<$0 + 1))
    }
    let errors = (1...3).map { Self.finding("error \($0)", at: Self.place(2, $0..<$0 + 1)) }
    let report = FindingsReport(warnings + errors, catalogs: 1)
    #expect(report.shown.count == 1_000)
    #expect(report.shown.suffix(3).map(\.message) == errors.map(\.message), "errors are kept")
    #expect(report.shown.prefix(997).map(\.message) == warnings.prefix(997).map(\.message))
    let text = DiagnosticRenderer.render(report, as: .text)
    #expect(text.hasSuffix("503 more findings are not shown\n3 errors and 1500 warnings in 1 catalog\n"))
    #expect(DiagnosticRenderer.render(report, as: .xcode).hasSuffix("\nnote: 503 more findings are not shown\n"))
    #expect(DiagnosticRenderer.render(report, as: .github).hasSuffix("\n::notice::503 more findings are not shown\n"))
    #expect(DiagnosticRenderer.render(report, as: .json).contains("\"omitted\": 503,"))
    let run = try #require((try sarif(report)["runs"] as? [[String: Any]])?.first)
    #expect((run["results"] as? [Any])?.count == 1_000)
    let invocation = try #require((run["invocations"] as? [[String: Any]])?.first)
    #expect((invocation["toolExecutionNotifications"] as? [[String: Any]])?.count == 1)
    let exact = FindingsReport(Array(warnings.prefix(1_000)), catalogs: 1)
    #expect(!DiagnosticRenderer.render(exact, as: .text).contains("not shown"))
  }

  // MARK: Colour

  @Test func onlyTextIsColored() {
    let error = Diagnostic(
      rule: "r", "m", at: Self.place(1, 8..<16), help: "h", notes: [.init("n", at: Self.place(2, 1..<6))])
    let warning = Diagnostic(rule: "r", severity: .warning, "m", at: Self.place(1, 8..<16))
    let report = FindingsReport([error, warning], catalogs: 1)
    let text = DiagnosticRenderer.render(report, as: .text, isColored: true)
    #expect(text.contains("\u{1B}[1;31merror:\u{1B}[0m"))
    #expect(text.contains("\u{1B}[1;31m^~~~~~~~\u{1B}[0m"))
    #expect(text.contains("\u{1B}[1;33mwarning:\u{1B}[0m"))
    #expect(text.contains("\u{1B}[1;33m^~~~~~~~\u{1B}[0m"))
    let plain = text.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    #expect(plain == DiagnosticRenderer.render(report, as: .text))
    for format in DiagnosticRenderer.Format.allCases where format != .text {
      #expect(!DiagnosticRenderer.render(report, as: format, isColored: true).contains("\u{1B}"))
    }
  }

  @Test(
    arguments: [
      (ColorChoice.auto, true, nil, nil, true), (.auto, true, "", "xterm", true), (.auto, true, "1", "xterm", false),
      (.auto, true, nil, "dumb", false), (.auto, false, nil, "xterm", false), (.always, false, "1", "dumb", true),
      (.never, true, nil, "xterm", false),
    ] as [(ColorChoice, Bool, String?, String?, Bool)])
  func whenOutputIsColored(choice: ColorChoice, isTerminal: Bool, noColor: String?, term: String?, want: Bool) {
    #expect(choice.isColored(isTerminal: isTerminal, noColor: noColor, term: term) == want)
  }
}
