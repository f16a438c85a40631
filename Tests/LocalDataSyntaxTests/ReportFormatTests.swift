import LocalDataSyntax
import Foundation
import LocalDataDocuments
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
      FindingsFormat.github.render(report) == """
        ::error file=\(file),line=1,endLine=1,col=8,endColumn=16,title=some-rule::100%25 of 'a, b: c'%0Ahelp: mend it\
        %0ACatalogs/a b,c:%25.yaml:2:1: note: the other%0Anote: a fact
        ::warning file=\(file),line=1,endLine=2,col=1,title=r::m
        ::error title=some-rule::no place

        """)
    #expect(FindingsFormat.github.render(FindingsReport(catalogs: 1)) == "")
  }

  /// If a line end of a catalog were printed, the catalog could write its own commands.
  @Test func aCatalogCannotWriteCommands() {
    let evil = Self.finding("a\n::set-env name=X::y\r::error::z", at: Self.place(1, 1..<2))
    let lines = FindingsFormat.github.render(FindingsReport([evil], catalogs: 1)).split(separator: "\n")
    #expect(lines.count == 1)
    #expect(lines.first?.contains("\r") == false)
  }

  // MARK: SARIF

  private func sarif(_ report: FindingsReport) throws -> [String: Any] {
    let text = FindingsFormat.sarif.render(report)
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

  private func results(_ report: FindingsReport) throws -> [[String: Any]] {
    let run = try #require((try sarif(report)["runs"] as? [[String: Any]])?.first)
    return try #require(run["results"] as? [[String: Any]])
  }

  private func fingerprints(_ findings: [Diagnostic]) throws -> [String?] {
    try results(FindingsReport(findings, catalogs: 1)).map { result in
      let prints = result["partialFingerprints"] as? [String: String]
      #expect(prints?["localData/v1"] == prints?["primaryLocationLineHash"])
      return prints?["localData/v1"]
    }
  }

  /// A finding that moved to another line is the same one, and each other difference makes another one.
  @Test func aFingerprintSurvivesMovedLines() throws {
    let finding = Diagnostic(rule: "r", "m", at: Self.place(1, 8..<16), key: "theme")
    var moved = finding
    moved.place = Self.place(2, 1..<6)
    let first = try fingerprints([finding])
    #expect(first[0]?.wholeMatch(of: /[0-9a-f]{16}:1/) != nil)
    #expect(try fingerprints([moved]) == first)
    let others = [
      Diagnostic(rule: "s", "m", at: finding.place, key: "theme"),
      Diagnostic(rule: "r", "n", at: finding.place, key: "theme"),
      Diagnostic(rule: "r", "m", at: finding.place, key: "other"), Diagnostic(rule: "r", "m", at: nil, key: "theme"),
    ]
    #expect(Set(try fingerprints(others + [finding])).count == 5)
    // Two equal findings are two.
    #expect(Set(try fingerprints([finding, moved])).count == 2)
    #expect(try fingerprints([finding, moved]).first == first[0])
  }

  @Test func allowedFindingsAreSuppressed() throws {
    let report = FindingsReport([Self.finding("shown", at: nil)], allowed: .samples(2), catalogs: 1, rules: [Self.rule])
    let results = try results(report)
    #expect(
      results.map { ($0["message"] as? [String: Any])?["text"] as? String } == ["shown", "allowed 0", "allowed 1"])
    #expect(results.map { ($0["suppressions"] as? [Any])?.count } == [0, 1, 1])
    #expect(results.map { $0["ruleIndex"] as? Int } == [0, 0, 0])
    let suppression = try #require((results[1]["suppressions"] as? [[String: Any]])?.first)
    #expect(suppression["kind"] as? String == "inSource" && suppression["status"] as? String == "accepted")
    #expect(suppression["justification"] as? String == "It is \"known\".")
    #expect((suppression["properties"] as? [String: Any])?["until"] as? String == "2026-12-31")
    let place = (suppression["location"] as? [String: Any])?["physicalLocation"] as? [String: Any]
    #expect((place?["region"] as? [String: Int])?["startLine"] == 9)
  }

  @Test func rulesHaveHelpAndWeaknesses() throws {
    let security = Rule(
      "sensitive-in-backup", .protection, .warning, "A *secret* is in no `<backup>`.", why: "It is.",
      bad: .catalog("keys: {a: b}"), good: .catalog("keys: {}"))
    let document = try sarif(FindingsReport(catalogs: 1, rules: [Self.rule, security]))
    let run = try #require((document["runs"] as? [[String: Any]])?.first)
    let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
    let rules = try #require(driver["rules"] as? [[String: Any]])
    let help = try #require(rules[1]["help"] as? [String: String])
    #expect(help["text"]?.hasPrefix("sensitive-in-backup (warning)\n\n  A *secret* is in no `<backup>`.") == true)
    #expect(help["markdown"]?.hasPrefix("A \\*secret\\* is in no `<backup>`. It is.\n\nWrong:\n\n```yaml\n") == true)
    let properties = rules.map { $0["properties"] as? [String: Any] }
    #expect(properties.map { $0?["security-severity"] as? String } == [nil, "5.0"])
    #expect(properties.map { $0?["precision"] as? String } == ["very-high", "very-high"])
    #expect(properties[1]?["tags"] as? [String] == ["security", "external/cwe/cwe-530"])
    let relationship = try #require((rules[1]["relationships"] as? [[String: Any]])?.first)
    #expect((relationship["target"] as? [String: Any])?["id"] as? String == "530")
    #expect(rules[0]["relationships"] == nil)
    let taxonomy = try #require((run["taxonomies"] as? [[String: Any]])?.first)
    #expect(taxonomy["name"] as? String == "CWE")
    let taxa = try #require(taxonomy["taxa"] as? [[String: Any]])
    #expect(taxa.map { $0["helpUri"] as? String } == ["https://cwe.mitre.org/data/definitions/530.html"])
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
    let text = FindingsFormat.text.render(report)
    #expect(text.hasSuffix("503 more findings are not shown\n3 errors and 1500 warnings in 1 catalog\n"))
    #expect(FindingsFormat.xcode.render(report).hasSuffix("\nnote: 503 more findings are not shown\n"))
    #expect(FindingsFormat.github.render(report).hasSuffix("\n::notice::503 more findings are not shown\n"))
    #expect(FindingsFormat.json.render(report).contains("\"omitted\": 503,"))
    let run = try #require((try sarif(report)["runs"] as? [[String: Any]])?.first)
    #expect((run["results"] as? [Any])?.count == 1_000)
    let invocation = try #require((run["invocations"] as? [[String: Any]])?.first)
    #expect((invocation["toolExecutionNotifications"] as? [[String: Any]])?.count == 1)
    let exact = FindingsReport(Array(warnings.prefix(1_000)), catalogs: 1)
    #expect(!FindingsFormat.text.render(exact).contains("not shown"))
  }

  // MARK: Colour

  @Test func onlyTextIsColored() {
    let error = Diagnostic(
      rule: "r", "m", at: Self.place(1, 8..<16), help: "h", notes: [.init("n", at: Self.place(2, 1..<6))])
    let warning = Diagnostic(rule: "r", severity: .warning, "m", at: Self.place(1, 8..<16))
    let report = FindingsReport([error, warning], catalogs: 1)
    let text = FindingsFormat.text.render(report, isColored: true)
    #expect(text.contains("\u{1B}[1;31merror:\u{1B}[0m"))
    #expect(text.contains("\u{1B}[1;31m^~~~~~~~\u{1B}[0m"))
    #expect(text.contains("\u{1B}[1;33mwarning:\u{1B}[0m"))
    #expect(text.contains("\u{1B}[1;33m^~~~~~~~\u{1B}[0m"))
    let plain = text.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    #expect(plain == FindingsFormat.text.render(report))
    for format in FindingsFormat.allCases where format != .text {
      #expect(!format.render(report, isColored: true).contains("\u{1B}"))
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
