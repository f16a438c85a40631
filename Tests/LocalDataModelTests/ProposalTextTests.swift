import LocalDataModel
import LocalDataSyntax
import Foundation
import TestSupport
import Testing

/// What help texts propose between backticks: it is read as it is meant.
@Suite struct ProposalTextTests {
  /// The parts of a help text between backticks that are YAML.
  private static func proposals(in text: String) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { !$0.offset.isMultiple(of: 2) && ($0.element.contains(": ") || $0.element.hasPrefix("{")) }
      .map { String($0.element) }
  }

  private static func diagnostics(_ text: String) -> [String] {
    CatalogReader.read(SourceFile(path: "a.yaml", bytes: Array(text.utf8))).diagnostics.map(\.message)
  }

  @Test(arguments: try GoldenCase.all) func everyProposalCanBeRead(_ golden: GoldenCase) throws {
    for proposal in try Run(golden.catalogs).diagnostics.compactMap(\.help).flatMap(Self.proposals) {
      #expect(Self.diagnostics(proposal) == [], "\(proposal)")
    }
  }

  /// A proposal that is not YAML is not printed, whatever a rule has put together.
  @Test(arguments: [
    ("write `name: a`", true), ("write `migration: {from: {name: \"a\"}}`, or `{maxAge: 30d}`", true),
    ("run `local-data rules`", true), ("write `name: [a`", false), ("write `name: a` or `{b: \"}`", false),
  ])
  func helpThatCannotBeReadIsLeftOut(help: String, isKept: Bool) {
    let finding = Diagnostic(rule: "terse-description", "a message", at: nil, help: help)
    let report = FindingsPass().report([finding], files: [])
    #expect(report.findings.map(\.help) == [isKept ? help : nil])
    #expect(report.undated.open.map(\.help) == [isKept ? help : nil])
  }

  private static func catalog(_ types: String, keys: String = "{}") -> String {
    "localdata: 1\ncatalog: Test\ndefaults: {domain: userDefaults, security: none, owner: Team}\n"
      + "types: \(types)\nkeys: \(keys)\n"
  }

  /// A number is proposed as the one that was meant, and no number twice.
  @Test func numbersAreThoseThatWereMeant() throws {
    let run = try Run(
      Self.catalog("{Level: {raw: Int, enum: {a: 1, b: 0x10, c: 1_000, d: \"2,000\", e: many, f: 0x1}}}"))
    #expect(
      run.diagnostics.filter { $0.severity == .error }.compactMap(\.help) == [
        "write `b: 16`", "write `c: 1000`", "write `d: 2000`", "write `e: 0`", "write `f: 2`",
      ])
    let size = try Run(Self.catalog("{}", keys: "{a: {type: Data, maxSize: 64_000, description: Says what it is.}}"))
    #expect(size.diagnostics.first?.help == "write a whole number from 1 to 2147483647: `maxSize: 64000`")
  }

  /// A field without a space behind its colon, with each text that YAML reads in another way.
  @Test(arguments: ["a\"b", "'a'b", "a#b", "@a", "%a", "null", "~", "&a", "*", "a\\b", "-"])
  func aProposedTextIsReadAsItIs(text: String) throws {
    let types = "{T: {swift:\(text)}}"
    guard Self.diagnostics(Self.catalog(types)).isEmpty else { return }
    let help = try #require(Run(Self.catalog(types)).diagnostics.first { $0.message.contains("no space") }?.help)
    let proposal = try #require(Self.proposals(in: help).first)
    let (tree, diagnostics) = CatalogReader.read(SourceFile(path: "a.yaml", bytes: Array(proposal.utf8)))
    #expect(diagnostics.map(\.message) == [], "\(proposal)")
    let fields = try #require(tree?.root).fields.map { "\($0.key.text): \($0.value.text)" }
    #expect(fields == ["swift: \(text)"], "\(proposal)")
  }

  /// The words of a description that cannot be cases are not proposed as some.
  @Test func casesAreProposedOnlyIfTheyCanBeSome() throws {
    func help(_ words: String) throws -> String? {
      let key = "{a: {type: String, description: \"The network, one of \(words).\"}}"
      return try Run(Self.catalog("{}", keys: key)).diagnostics.first { $0.rule == "stringly-typed" }?.help
    }
    #expect(try help("fast or slow") == "declare an enum: `types: {A: {enum: [fast, slow]}}`")
    #expect(try help("3g or 4g") == "declare an enum, with these words as the raw values of its cases")
  }

  // MARK: Look-alikes

  private static let names = [
    "keys: {a: {type: Int, name: x\u{A0}y, description: Says what it is.}}",
    "keys: {a: {type: Int, name: \"x\u{202F}y\", description: Says what it is.}}",
    "keys: {a: {type: Int, domain: {userDefaults: {suite: com\u{200B}.a}}, description: Says what it is.}}",
    "keys: {a: {type: Int, owner: The\u{A0}Team, description: Says what it is.}}",
    "keys: {a: {type: Int, domain: {fileSystem: {directory: {custom: A\u{2009}B}}}, description: Says what it is.}}",
    "keys: {a: {type: \u{3000}Int, description: Says what it is.}}",
    "types: {T: {enum: {a: \"x\u{A0}y\"}}}", "types: {T: {enum: [a\u{FF0C}b]}}", "types: {T: {enum: [a\u{A0}b, c]}}",
    "reserved: [{name: x\u{A0}y, domain: userDefaults}]",
  ]

  /// In a name such a character is found also in the middle, where a reader cannot see it.
  @Test(arguments: names) func aNameHasNoLookAlikes(text: String) throws {
    let file = SourceFile(path: "a.yaml", bytes: Array("localdata: 1\ncatalog: Test\n\(text)\n".utf8))
    let (tree, diagnostics) = CatalogReader.read(file)
    let found = tree.map { CatalogResolver.resolve([$0]).diagnostics } ?? diagnostics
    #expect(found.map(\.rule).contains("look-alike"), "\(found.map(\.message))")
  }

  /// A stored name of an app that exists may have such a character: an escape says so, and proposals write it as one.
  @Test func anEscapeInANameIsMeant() throws {
    let name = #""x\u00A0y""#
    let run = try Run(Self.catalog("{}", keys: "{a: {type: Int, name: \(name), description: Says what it is.}}"))
    #expect(run.findings == "")
    #expect(run.catalogs.first?.keys.first?.descriptor.name == "x\u{A0}y")
    #expect(FieldValue.scalar("x\u{A0}y") == name)
  }

  @Test func aDefaultMayHaveThem() throws {
    let key = "{a: {type: String, default: \"10\u{A0}km far\", description: Says what it is.}}"
    #expect(try Run(Self.catalog("{}", keys: key)).findings == "")
  }
}
