import LocalDataModel
import LocalDataSyntax
import Testing

/// The last pass: allowances, severities, duplicates, order.
@Suite struct FindingsPassTests {
  private static let file = SourceFile(path: "a.yaml", bytes: [])

  private static func place(_ line: Int, _ file: SourceFile = file) -> SourcePlace {
    let start = SourceLocation(line: line, column: 1)
    return SourcePlace(file: file, range: SourceRange(start: start, end: start))
  }

  private static func warning(_ rule: String, _ key: String?, _ line: Int = 1, _ message: String = "m") -> Diagnostic {
    Diagnostic(rule: rule, severity: .warning, message, at: place(line), key: key)
  }

  private static func day(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text)) }

  private static func allowance(_ rule: String, _ key: String, until: String? = nil) throws -> Allowance {
    Allowance(rule: rule, reason: "r", until: try until.map(day), key: key, place: place(9))
  }

  private func summaries(_ report: FindingsReport) -> [String] {
    report.findings.map { "\($0.severity) \($0.rule) \($0.key ?? "-")" }
  }

  /// One finding at an inherited field once hid the same finding for all other keys.
  @Test func aFindingIsToldOncePerKey() {
    let found = [Self.warning("r", "one"), Self.warning("r", "two"), Self.warning("r", "one")]
    #expect(summaries(FindingsPass().report(found, files: [Self.file])) == ["warning r one", "warning r two"])
  }

  /// A finding about `defaults` itself is a finding for every key.
  @Test func aFindingOfEveryKeyIsToldOnce() {
    let found = [Self.warning("r", "one"), Self.warning("r", nil), Self.warning("r", nil), Self.warning("s", "one")]
    #expect(summaries(FindingsPass().report(found, files: [Self.file])) == ["warning r -", "warning s one"])
  }

  @Test func differentMessagesOfOneKeyStay() {
    let found = [Self.warning("r", "one", 1, "a"), Self.warning("r", "one", 1, "b"), Self.warning("r", "one", 2, "a")]
    #expect(FindingsPass().report(found, files: [Self.file]).findings.count == 3)
  }

  @Test func theOrderIsThatOfTheFiles() {
    let other = SourceFile(path: "A.yaml", bytes: [])
    let found = [
      Diagnostic(rule: "4", "m", at: Self.place(1, other)), Diagnostic(rule: "3", "m", at: Self.place(7)),
      Diagnostic(rule: "2", "m", at: Self.place(2)), Diagnostic(rule: "1", "m", at: nil),
    ]
    let report = FindingsPass().report(found, files: [Self.file, other])
    #expect(report.findings.map(\.rule) == ["1", "2", "3", "4"])
    #expect(report.catalogs == 2)
  }

  // MARK: Allowances

  @Test func anAllowanceHidesTheFindingsOfItsKeyAndRule() throws {
    let found = [
      Self.warning("terse-description", "one"), Self.warning("terse-description", "two"),
      Self.warning("todo-in-description", "one"), Self.warning("terse-description", "one", 4),
    ]
    let report = FindingsPass().report(
      found, allowances: [try Self.allowance("terse-description", "one")], files: [Self.file])
    #expect(summaries(report) == ["warning terse-description two", "warning todo-in-description one"])
    #expect(report.allowed == 2)
    #expect(report.summary == "2 warnings in 1 catalog, 2 findings allowed")
  }

  @Test(arguments: [("2026-06-30", true), ("2026-07-01", true), ("2026-07-02", false)])
  func theLastDayCounts(today: String, isAllowed: Bool) throws {
    let pass = FindingsPass(today: try Self.day(today))
    let allowance = try Self.allowance("terse-description", "one", until: "2026-07-01")
    let report = pass.report([Self.warning("terse-description", "one")], allowances: [allowance], files: [Self.file])
    #expect(report.allowed == (isAllowed ? 1 : 0))
    #expect(
      summaries(report) == (isAllowed ? [] : ["warning terse-description one", "warning stale-suppression one"]))
    if !isAllowed { #expect(report.findings.last?.message.hasSuffix("ended on 2026-07-01") == true) }
  }

  @Test func anAllowanceOfNothingIsStale() throws {
    let allowance = try Self.allowance("terse-description", "one")
    let report = FindingsPass().report([], allowances: [allowance], files: [Self.file])
    #expect(summaries(report) == ["warning stale-suppression one"])
    // An error may have kept the rule from being checked.
    let error = Diagnostic(rule: "wrong-default", "m", at: Self.place(3), key: "one")
    #expect(
      summaries(FindingsPass().report([error], allowances: [allowance], files: [Self.file])) == [
        "error wrong-default one"
      ])
  }

  @Test func aFactCannotBeAllowed() throws {
    let error = Diagnostic(rule: "wrong-default", "m", at: Self.place(3), key: "one")
    let report = FindingsPass().report(
      [error], allowances: [try Self.allowance("wrong-default", "one")], files: [Self.file])
    #expect(report.hasErrors)
    #expect(report.allowed == 0)
  }

  /// An option that hides a rule does not make the allowances of its findings stale.
  @Test func allowancesAreComparedBeforeSeverities() throws {
    var severities = Severities()
    try severities.set(.allow, for: "terse-description")
    let report = FindingsPass(severities: severities).report(
      [Self.warning("terse-description", "one"), Self.warning("terse-description", "two")],
      allowances: [try Self.allowance("terse-description", "one")], files: [Self.file])
    #expect(report.findings.isEmpty)
    #expect(report.allowed == 1)
  }

  @Test func aCatalogAllowsItsOwnFindings() throws {
    let run = try Run(
      """
      localdata: 1
      catalog: Test
      defaults: {owner: Team, domain: userDefaults, security: none}
      keys:
        code:
          type: String
          sensitivity: credential
          description: What opens the garden gate.
          allow: [{rule: credential-outside-keychain, reason: The gate is open anyway.}]
      """)
    #expect(run.findings == "")
    #expect(run.catalogs.count == 1)
  }

  // MARK: Severities

  @Test func severities() throws {
    var severities = Severities()
    try severities.set(.deny, for: "todo-in-description")
    try severities.set(.warn, for: "credential-outside-keychain")
    try severities.set(.allow, for: "unused-type")
    let credential = Diagnostic(rule: "credential-outside-keychain", "m", at: Self.place(1), key: "one")
    let found = [
      credential, Self.warning("todo-in-description", "one", 2), Self.warning("unused-type", nil, 3),
      Self.warning("terse-description", "one", 4),
    ]
    #expect(
      summaries(FindingsPass(severities: severities).report(found, files: [Self.file])) == [
        "warning credential-outside-keychain one", "error todo-in-description one", "warning terse-description one",
      ])
    try severities.set(.deny, for: "warnings")
    #expect(
      summaries(FindingsPass(severities: severities).report(found, files: [Self.file])) == [
        "warning credential-outside-keychain one", "error todo-in-description one", "error terse-description one",
      ])
  }

  @Test func rulesThatCannotBeSet() {
    var severities = Severities()
    #expect(throws: Severities.Problem.unknownRule("tersedescription", suggestion: "terse-description")) {
      try severities.set(.warn, for: "tersedescription")
    }
    #expect(throws: Severities.Problem.alwaysAnError("wrong-default")) {
      try severities.set(.allow, for: "wrong-default")
    }
    #expect(throws: Severities.Problem.alwaysAnError("wrong-default")) {
      try severities.set(.warn, for: "wrong-default")
    }
    #expect(throws: Severities.Problem.unknownRule("warnings", suggestion: nil)) {
      try severities.set(.allow, for: "warnings")
    }
    #expect(throws: Never.self) { try severities.set(.deny, for: "wrong-default") }
    severities.add(ids: ["no-health-data"])
    #expect(throws: Never.self) { try severities.set(.allow, for: "no-health-data") }
  }

  /// A denied warning stops the run as an error does.
  @Test func aDeniedWarningLeavesNoCatalogs() throws {
    let text = """
      localdata: 1
      catalog: Test
      defaults: {owner: Team, domain: userDefaults, security: none}
      keys:
        theme: {type: String, description: The theme.}
      """
    let tree = try #require(CatalogReader.read(SourceFile(path: "Test.yaml", bytes: Array(text.utf8))).tree)
    #expect(CatalogResolver.resolve([tree]).catalogs.count == 1)
    var severities = Severities()
    try severities.set(.deny, for: "warnings")
    let (catalogs, report) = CatalogResolver.resolve([tree], FindingsPass(severities: severities))
    #expect(catalogs.isEmpty)
    #expect(report.hasErrors)
  }

  // MARK: Days

  @Test(arguments: [
    ("2026-02-28", true), ("2024-02-29", true), ("2026-02-29", false), ("1900-02-29", false), ("2000-02-29", true),
    ("2026-13-01", false), ("2026-00-10", false), ("2026-04-31", false), ("2026-4-30", false), ("26-04-30", false),
    ("2026-04-30 ", false), ("+026-04-30", false), ("", false), ("2026-04-30-01", false),
  ])
  func days(text: String, isDay: Bool) {
    #expect((CalendarDate(text) != nil) == isDay)
    if let date = CalendarDate(text) { #expect(date.text == text) }
  }

  @Test(arguments: [
    (0, "1970-01-01"), (86_399, "1970-01-01"), (86_400, "1970-01-02"), (-1, "1969-12-31"),
    (951_782_400, "2000-02-29"), (4_102_444_799, "2099-12-31"), (1_798_761_600, "2027-01-01"),
  ])
  func dayOfASecond(seconds: Int, text: String) {
    #expect(CalendarDate(secondsSince1970: seconds).text == text)
  }
}
