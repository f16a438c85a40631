import LocalDataSyntax
import LocalDataVocabulary
import Testing

@testable import LocalDataModel

/// Expressions on keys, and the policies of a project.
@Suite struct PolicyTests {
  private func key(_ fields: String) throws -> ResolvedKey {
    let run = try Run(
      """
      localdata: 1
      catalog: Test
      defaults: {owner: Team, domain: userDefaults, security: none, type: String}
      keys:
        a: {\(fields), description: A value for tests.}
      """)
    return try #require(run.catalogs.first?.keys.first, "\(run.findings)")
  }

  @Test(arguments: [
    ("domain = userDefaults", true), ("domain != userDefaults", false), ("domain = keychain", false),
    ("domain in [keychain, userDefaults]", true), ("not domain in [keychain]", true),
    ("maxSize = 4096", true), ("maxSize = 4097", false), ("retention.maxAge = 30d", true),
    ("privacy.purposes = analytics", true), ("privacy.purposes = other", false), ("legacy", false),
    ("retention.maxAge", true), ("domain.suite", false), ("domain.suite = none", true), ("not legacy", true),
    ("owner = \"Team\" and (domain = keychain or maxSize = 4096)", true),
    // 'and' binds tighter than 'or', and 'not' tighter than both.
    ("domain = userDefaults or domain = keychain and legacy", true),
    ("(domain = userDefaults or domain = keychain) and legacy", false),
    ("not domain = keychain and maxSize = 4096", true), ("not (domain = keychain and maxSize = 4096)", true),
    ("not not legacy", false), ("  name=a  ", true),
    ("retention", true), ("privacy", true), ("deprecated", false), ("not watch and retention", true),
    ("retention.maxAge = 720h", true), ("maxSize = 04096", true), ("schema = 1", true), ("maxSize = none", false),
  ])
  func anExpressionHolds(text: String, want: Bool) throws {
    let key = try key(
      "maxSize: 4096, retention: {maxAge: 30d}, "
        + "privacy: {collected: true, dataType: name, purposes: [analytics, appFunctionality]}")
    #expect(try Expression(text).holds(for: key) == want)
  }

  /// A map of fields is there, even if its only field is `false`.
  @Test func aMapIsThereWithAFieldThatIsFalse() throws {
    let key = try key("privacy: {collected: false}")
    #expect(try Expression("privacy").holds(for: key))
    #expect(try Expression("privacy.collected").holds(for: key) == false)
    #expect(try Expression("retention").holds(for: key) == false)
  }

  @Test(arguments: [
    ("", 0, "a field of a key is expected here"), ("domain =", 8, "a value is expected here"),
    ("domian = keychain", 0, "'domian' is not a field of a key; did you mean 'domain'?"),
    ("domain = keychian", 9, "'keychian' is not a value of 'domain'; did you mean 'keychain'?"),
    ("(domain = keychain", 18, "')' is missing"), ("domain in keychain", 10, "'in' needs a list"),
    ("domain in [keychain", 19, "']' is missing"), ("domain = keychain legacy", 18, "nothing is expected here"),
    ("owner = \"Team", 8, "the text has no closing quote"), ("domain ! keychain", 7, "'!' is not an operator"),
    ("owner = a & b", 10, "'&' cannot be used here"), ("and", 0, "a field of a key is expected here"),
    ("owner = abc = d", 12, "nothing is expected here"),
    ("security.keyDerivation.iterations = abc", 36, "'abc' is not a number"),
    ("maxSize = five", 10, "'five' is not a number"), ("schema in [1, two]", 14, "'two' is not a number"),
    ("watch.schema != \"1.5\"", 16, "'1.5' is not a number"),
    ("retention.maxAge = long", 19, "'long' is not a duration"),
    ("retention = none", 10, "'retention' has no value that can be compared"),
    ("privcy", 0, "'privcy' is not a field of a key; did you mean 'privacy'?"),
  ])
  func aProblemHasItsPlace(text: String, offset: Int, message: String) throws {
    let problem = try #require(throws: Expression.Problem.self) { try Expression(text) }
    #expect(problem.offset == offset)
    #expect(problem.message == message)
    #expect(!problem.help.isEmpty)
  }

  @Test(arguments: [
    String(repeating: "(", count: 3_000), String(repeating: "not ", count: 1_000) + "legacy",
    String(repeating: "a", count: 100_000),
  ])
  func aHugeExpressionIsRefused(text: String) {
    #expect(throws: Expression.Problem.self) { try Expression(text) }
  }

  // MARK: Projects

  private func project(_ text: String) throws -> (project: Project, findings: [String]) {
    let source = SourceFile(path: "local-data.yaml", bytes: Array(text.utf8))
    let (tree, diagnostics) = CatalogReader.read(source)
    let decoded = Project.decode(try #require(tree, "\(diagnostics.map(\.message))"))
    let findings = decoded.diagnostics.map { finding in
      "\(finding.place?.range.start.line ?? 0):\(finding.place?.range.start.column ?? 0): \(finding.message)"
    }
    return (decoded.project, findings)
  }

  @Test func aProjectFileIsRead() throws {
    let (project, findings) = try project(
      """
      localdata: 1
      targets:
        - {catalogs: [Catalogs], output: Sources/App/Generated, exclude: [Catalogs/Drafts]}
      owners: [AccountTeam, ShopTeam]
      rules: {unused-legacy-key: deny, watch-sync-never: allow, no-plain-secrets: warn}
      policies:
        - id: no-plain-secrets
          forbid: sensitivity = credential and security = none
          message: credentials must be sealed
          good: {sensitivity: credential}
          bad: {sensitivity: credential, security: none}
      """)
    #expect(findings == [])
    #expect(project.targets.map(\.output) == ["Sources/App/Generated"])
    #expect(project.targets.map(\.exclude) == [["Catalogs/Drafts"]])
    #expect(project.owners == ["AccountTeam", "ShopTeam"])
    var severities = Severities()
    severities.add(ids: ["no-plain-secrets"])
    try severities.set(.deny, for: "unused-legacy-key")
    try severities.set(.allow, for: "watch-sync-never")
    try severities.set(.warn, for: "no-plain-secrets")
    #expect(project.severities == severities)
    #expect(project.policies.map(\.id) == ["no-plain-secrets"])
  }

  @Test(arguments: [
    ("targets: []", "1:1: a project file needs 'localdata'"),
    ("localdata: 2", "1:12: '2' is not the version of the language"),
    (
      "localdata: 1\nrules: {unused-legacy-kye: deny}",
      "2:9: 'unused-legacy-kye' is not a rule; did you mean 'unused-legacy-key'?"
    ),
    ("localdata: 1\nrules: {unused-legacy-key: off}", "2:28: 'off' is not a level"),
    ("localdata: 1\ntargets: [{output: a}]", "2:11: a target needs 'catalogs'"),
    ("localdata: 1\ntargets: [{catalogs: [\"\"]}]", "2:23: 'catalogs' has an empty entry"),
    ("localdata: 1\ntargets: [{catalogs: [a], output: \"\"}]", "2:35: 'output' is empty"),
    ("localdata: 1\ntargets: [{catalogs: [a], exclude: [b, \"\"]}]", "2:40: 'exclude' has an empty entry"),
    ("localdata: 1\nowners: [\"\"]", "2:10: 'owners' has an empty entry"),
    (
      "localdata: 1\npolicies:\n  - {id: A, forbid: legacy, message: no legacy}",
      "3:10: 'A' cannot be the id of a policy"
    ),
    (
      "localdata: 1\npolicies:\n  - {id: same-place, forbid: legacy, message: no legacy}",
      "3:10: 'same-place' is built in, and cannot be the id of a policy"
    ),
    (
      "localdata: 1\npolicies:\n  - {id: warnings, forbid: legacy, message: no legacy}",
      "3:10: 'warnings' is built in, and cannot be the id of a policy"
    ),
    (
      "localdata: 1\npolicies:\n  - {id: a, forbid: legacy, message: b}\n  - {id: a, forbid: backup, message: b}",
      "4:5: the policy 'a' is declared twice"
    ),
    (
      "localdata: 1\npolicies:\n  - {id: a, forbid: lgacy, message: none}",
      "3:21: 'lgacy' is not a field of a key; did you mean 'legacy'?"
    ),
    (
      "localdata: 1\npolicies:\n  - {id: a, forbid: legacy, message: no legacy, good: {legacy: true}}",
      "3:55: the policy forbids its good example"
    ),
    (
      "localdata: 1\npolicies:\n  - {id: a, forbid: legacy, message: no legacy, bad: {backup: true}}",
      "3:54: the policy does not forbid its bad example"
    ),
    (
      "localdata: 1\npolicies:\n  - {id: a, forbid: legacy, message: no legacy, bad: {legcy: true}}",
      "3:55: 'legcy' is not a field of a key; did you mean 'legacy'?"
    ),
  ])
  func aProjectFileIsChecked(text: String, want: String) throws {
    #expect(try project(text).findings == [want])
  }

  @Test func policiesAndOwnersAreAskedOfEveryKey() throws {
    let (project, _) = try project(
      """
      localdata: 1
      owners: [AccountTeam]
      policies: [{id: no-files, forbid: domain = fileSystem, message: use preferences, severity: warning}]
      """)
    let catalog = """
      localdata: 1
      catalog: Test
      defaults: {domain: userDefaults, type: String, security: none, owner: AcountTeam}
      keys:
        a: {domain: {fileSystem: {directory: documents}}, description: A value for tests.}
        other: {owner: AccountTeam, description: Another value for tests.}
      """
    let (tree, _) = CatalogReader.read(SourceFile(path: "Test.yaml", bytes: Array(catalog.utf8)))
    let found = CatalogResolver.resolve([try #require(tree)], FindingsPass(), project: project).report.findings
    #expect(
      found.map { "\($0.place?.range.start.line ?? 0) \($0.severity) \($0.rule): \($0.message)" } == [
        "3 error unknown-owner: 'AcountTeam' is not an owner that the project file lists; did you mean 'AccountTeam'?",
        "5 warning no-files: 'a': use preferences",
      ])
  }
}
