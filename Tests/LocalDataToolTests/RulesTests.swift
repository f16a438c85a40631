import Foundation
import Testing

/// The verbs about rules, and the options that change their severity.
@Suite struct RulesTests {
  private static let terse =
    "localdata: 1\ncatalog: A\ndefaults: {owner: Team, domain: userDefaults, security: none}\n"
    + "keys:\n  theme: {type: String, description: The theme.}\n"

  @Test func rules() throws {
    let tool = try Tool()
    let text = try tool.run("rules")
    #expect(text.code == 0)
    #expect(text.output.contains("  unknown-domain "))
    let markdown = try tool.run("rules", "--format", "markdown")
    #expect(markdown.output.contains("| `unknown-domain` | error | A domain is one that the library knows. |"))
    let json = try tool.run("rules", "--format", "json")
    let document = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let rules = try #require(document?["rules"] as? [[String: Any]])
    #expect(rules.contains { $0["id"] as? String == "unknown-domain" && $0["severity"] as? String == "error" })
    #expect(rules.allSatisfy { $0["purpose"] is String && $0["category"] is String && $0["good"] is String })
  }

  @Test func explain() throws {
    let tool = try Tool()
    let result = try tool.run("explain", "terse-description")
    #expect(result.code == 0)
    #expect(
      result.output == """
        terse-description (warning)

          A description says more than the name of its key or record.
          A reader of the audit sees the name already.

        Wrong:

            launchCount: {type: Int, description: The launch count.}

        Right:

            launchCount: {type: Int, description: How often the app was opened since it was installed.}

        The declaration of a finding accepts it with `allow: [{rule: terse-description, reason: …, until: 2027-12-31}]`.
        The options --deny, --warn and --allow change the severity of all findings.

        """)
    #expect(try tool.run("explain", "wrong-default").output.hasSuffix("A finding of this rule is always an error.\n"))
    let unknown = try tool.run("explain", "tersedescription")
    #expect(unknown.code == 2)
    #expect(unknown.errors.contains("did you mean 'terse-description'?"))
  }

  @Test func severities() throws {
    let tool = try Tool()
    try tool.write("Catalogs/A.yaml", Self.terse)
    func run(_ arguments: String...) throws -> (Int32, String) {
      let result = try tool.start(["validate"] + arguments).finish()
      return (result.code, result.output.split(separator: "\n").last.map(String.init) ?? "")
    }
    #expect(try run() == (0, "1 warning in 1 catalog"))
    #expect(try run("--deny", "terse-description") == (1, "1 error in 1 catalog"))
    #expect(try run("--deny", "warnings") == (1, "1 error in 1 catalog"))
    #expect(try run("--deny", "warnings", "--warn", "terse-description") == (0, "1 warning in 1 catalog"))
    #expect(try run("--allow", "terse-description", "--allow", "unused-type") == (0, "no findings in 1 catalog"))

    let denied = try tool.run("generate", "--deny", "warnings", "--diagnostics", "xcode")
    #expect(denied.code == 1)
    #expect(denied.errors.contains(": error: "))
    #expect(tool.files() == ["Catalogs/A.yaml"])
    let generated = try tool.run("generate", "--diagnostics", "xcode")
    #expect(generated.code == 0)
    #expect(generated.errors.contains(": warning: "))
  }

  @Test(arguments: [
    ("--allow", "tersedescription", "did you mean 'terse-description'?"),
    ("--allow", "wrong-default", "always an error"), ("--warn", "wrong-default", "always an error"),
    ("--warn", "warnings", "'warnings' is not a rule"), ("--deny", "nonsense", "'nonsense' is not a rule"),
  ])
  func wrongSeverities(option: String, rule: String, part: String) throws {
    let tool = try Tool()
    try tool.write("Catalogs/A.yaml", Self.terse)
    for verb in ["validate", "generate"] {
      let result = try tool.run(verb, option, rule)
      #expect(result.code == 2)
      #expect(result.errors.contains(part), "\(result.errors)")
      #expect(tool.files() == ["Catalogs/A.yaml"])
    }
  }

  @Test func allowedFindingsAreCounted() throws {
    let tool = try Tool()
    let allow = "allow: [{rule: terse-description, reason: The name says everything."
    try tool.write("Catalogs/A.yaml", Self.terse.replacing("The theme.}", with: "The theme., \(allow)}]}"))
    #expect(try tool.run("validate", "--deny", "warnings").output == "no findings in 1 catalog, 1 finding allowed\n")
    try tool.write(
      "Catalogs/A.yaml", Self.terse.replacing("The theme.}", with: "The theme., \(allow), until: 2020-01-01}]}"))
    let over = try tool.run("validate", "--format", "xcode")
    #expect(over.output.contains("[terse-description]") && over.output.contains("[stale-suppression]"))
  }

  @Test(arguments: [("github", "::error file=Catalogs/A.yaml,line=1"), ("sarif", "\"version\": \"2.1.0\"")])
  func formats(format: String, part: String) throws {
    let tool = try Tool()
    try tool.write("Catalogs/A.yaml", "a: *c\n")
    let validated = try tool.run("validate", "--format", format)
    #expect(validated.code == 1)
    #expect(validated.output.contains(part))
    let generated = try tool.run("generate", "--diagnostics", format)
    #expect(generated.errors.contains(part))
  }

  @Test func colors() throws {
    let tool = try Tool()
    try tool.write("Catalogs/A.yaml", "a: *c\n")
    #expect(try !tool.run("validate").output.contains("\u{1B}"), "no terminal")
    #expect(try tool.run("validate", "--color", "always").output.contains("\u{1B}[1;31merror:"))
    #expect(try tool.run("generate", "--color", "always").errors.contains("\u{1B}[1;31merror:"))
  }

  @Test func twentyThousandFindings() throws {
    let tool = try Tool()
    let keys = (0..<20_000).map { "  key\($0): {type: Int, maxSize: x, description: The value.}\n" }
    try tool.write(
      "Catalogs/A.yaml",
      "localdata: 1\ncatalog: A\ndefaults: {owner: Team, domain: userDefaults, security: none}\nkeys:\n" + keys.joined()
    )
    let result = try tool.run("validate")
    #expect(result.code == 1)
    #expect(result.output.hasSuffix("\n19000 more findings are not shown\n20000 errors in 1 catalog\n"))
  }
}
