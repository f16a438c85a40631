import Foundation
import Testing

/// Tests of bad input: a finding with a location, exit code 1, and outputs that are not touched.
@Suite struct BadInputTests {
  struct Input: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var text: String
    /// Line and column.
    var place: String
    var rule: String
    /// The other place that is shown.
    var other: String?

    init(_ name: String, _ text: String, _ place: String, _ rule: String, other: String? = nil) {
      (testDescription, self.text, self.place, self.rule, self.other) = (name, text, place, rule, other)
    }
  }

  /// The catalog beside the bad one, in which nothing is wrong.
  private static let account = """
    localdata: 1
    catalog: Account
    types:
      Theme: {enum: [light, dark]}
    keys:
      theme: {type: Theme, domain: userDefaults, security: none, owner: Team, description: The scheme chosen.}

    """

  private static let head =
    "localdata: 1\ncatalog: Bad\ndefaults: {domain: userDefaults, security: none, owner: Team}\n"

  private static func key(_ fields: String, _ name: String = "count") -> String {
    "keys:\n  \(name): {\(fields)}\n"
  }

  private static let fields = [
    Input("an unknown field", head + key("typ: Int, description: How many."), "5:11", "unknown-field"),
    Input("a duplicate field", head + key("type: Int, type: Int"), "5:22", "duplicate-field", other: "Bad.yaml:5:11"),
    Input(
      "an unknown domain", head + key("type: Int, domain: keychian, description: How many there are."), "5:30",
      "unknown-domain"),
    Input("an unknown type", head + key("type: Intt, description: How many there are."), "5:17", "unknown-type"),
    Input(
      "a default of the wrong type", head + key("type: Int, default: many, description: How many there are."), "5:31",
      "wrong-default"),
    Input(
      "a missing owner", "localdata: 1\ncatalog: Bad\n" + key("type: Int, domain: userDefaults, description: A count."),
      "4:3", "missing-owner"),
    Input("a missing description", head + key("type: Int"), "5:3", "missing-description"),
    Input(
      "a comment that cuts a sentence short",
      head + "keys:\n  count:\n    type: Int\n    description: The issue #4 of it\n", "7:28", "comment-cuts-text"),
  ]

  private static let names = [
    Input(
      "two keys in one place", head + key("type: Int, name: theme, description: How many there are."), "5:28",
      "same-place", other: "Account.yaml:6:3"),
    Input(
      "two equal members", head + key("type: Int, name: other, description: How many there are.", "theme"), "5:3",
      "duplicate-member", other: "Account.yaml:6:3"),
    Input(
      "two equal type names", head + "types:\n  Theme: {enum: [system]}\n", "5:3", "duplicate-type",
      other: "Account.yaml:4:3"),
    Input(
      "families whose names can meet",
      head + "keys:\n  a: {type: Int, name: \"a_{x}\", parameters: {x: String}, description: One of many.}\n"
        + "  b: {type: Int, name: \"{y}_b\", parameters: {y: String}, description: One of many.}\n", "6:24",
      "meeting-names", other: "Bad.yaml:5:24"),
    Input(
      "a name that Swift cannot take", head + key("type: Int, description: How many there are.", "my-count"), "5:3",
      "invalid-identifier"),
  ]

  private static let yaml = [
    Input("an anchor", "a: &b c", "1:4", "anchor"),
    Input("an alias", "a: *b", "1:4", "alias"),
    Input("a tag", "a: !b c", "1:4", "tag"),
    Input("a second document", "a: b\n---\nc: d\n", "2:1", "second-document"),
    Input("UTF-16", "\u{0}a\u{0}:", "1:1", "not-utf8"),
    Input("a lone CR", "a: b\rc: d\n", "1:5", "line-end"),
    Input("text that needs quotes", "a: Use: this\n", "1:7", "unquoted-text"),
    Input("100,000 open brackets", "a: " + String(repeating: "[", count: 100_000), "1:67", "too-deep"),
  ]

  @Test(arguments: fields + names + yaml)
  func isFoundAndTouchesNothing(_ input: Input) throws {
    let tool = try Tool()
    try tool.write("Catalogs/Account.yaml", Self.account)
    try #require(try tool.run("generate").code == 0)
    let before = try tool.state(of: "Generated")

    try tool.write("Catalogs/Bad.yaml", input.text)
    let result = try tool.run("generate", "--diagnostics", "xcode")
    #expect(result.code == 1)
    #expect(result.output.isEmpty)
    let lines = result.errors.split(separator: "\n")
    #expect(
      lines.contains { $0.hasPrefix("Catalogs/Bad.yaml:\(input.place): error: ") && $0.hasSuffix("[\(input.rule)]") },
      "\(result.errors)")
    if let other = input.other {
      #expect(lines.contains { $0.hasPrefix("Catalogs/\(other): note: ") }, "\(result.errors)")
    }
    #expect(try tool.state(of: "Generated") == before)
  }
}
