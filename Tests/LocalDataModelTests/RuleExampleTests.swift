@testable import LocalDataDocuments
import LocalDataModel
import LocalDataSyntax
import TestSupport
import Testing

/// Each rule's own examples: the bad one breaks the rule and no other, the good one breaks none.
@Suite struct RuleExampleTests {
  private func rules(_ example: Rule.Example) -> [String] { findings(example.sources).map(\.rule) }

  private func findings(_ sources: [SourceFile]) -> [Diagnostic] {
    var trees: [SyntaxTree] = []
    var found: [Diagnostic] = []
    for source in sources {
      let (tree, diagnostics) = CatalogReader.read(source)
      found += diagnostics
      if let tree { trees.append(tree) }
    }
    guard found.isEmpty else { return found }
    let pass = FindingsPass(today: CalendarDate("2026-01-01") ?? .earliest)
    return CatalogResolver.resolve(trees, pass).report.findings
  }

  @Test(arguments: RuleCatalog.all.map(\.id))
  func examples(id: String) throws {
    let rule = try #require(RuleCatalog.rule(id))
    #expect(rules(rule.good) == [])
    guard let bad = rule.bad else {
      let isFaultOfReader = ["not-yaml", "out-of-memory"].contains(id)
      #expect(
        isFaultOfReader || [.project, .releases, .appStore].contains(rule.category), "other rules are shown by catalogs"
      )
      return
    }
    let found = rules(bad)
    #expect(found.contains(id), "found \(found)")
    // Behind the limit, the reader has reported something else.
    if id != "too-many-findings" { #expect(Set(found) == [id]) }
  }

  /// The rules whose findings can be allowed, and that examples show.
  private static let allowable = RuleCatalog.all.filter { $0.isAllowable && $0.isOfDeclaration && $0.bad != nil }
    .map(\.id)

  /// Checks that a finding of each example is accepted by the entry that `explain` prints, pasted to its declaration.
  @Test(arguments: allowable) func thePrintedEntryIsAccepted(id: String) throws {
    let rule = try #require(RuleCatalog.rule(id))
    var sources = try #require(rule.bad).sources
    let entry = try #require(PastedAllowance.entries(in: RuleText.explanation(of: rule)).first)
    for finding in findings(sources) {
      let (path, name) = (try #require(finding.place).file.path, try #require(finding.key, "\(finding.message)"))
      let index = try #require(sources.firstIndex { $0.path == path })
      let text = String(decoding: sources[index].bytes, as: UTF8.self)
      let pasted = try #require(PastedAllowance.pasted(entry, to: name, in: text), "\(name)")
      sources[index] = SourceFile(path: path, bytes: Array(pasted.utf8))
    }
    #expect(findings(sources).map(\.message) == [])
  }

  @Test func idsAndTexts() {
    #expect(Set(RuleCatalog.all.map(\.id)).count == RuleCatalog.all.count)
    for rule in RuleCatalog.all {
      #expect(rule.id.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil, "\(rule.id)")
      for text in [rule.purpose, rule.why] {
        #expect(text.hasSuffix(".") || text.hasSuffix(".)"), "\(rule.id): \(text)")
        #expect(text.first?.isUppercase == true || text.hasPrefix("`"), "\(rule.id): \(text)")
      }
      // What is no error is an opinion, which a project may not share.
      if rule.severity == .warning { #expect(rule.isAllowable, "\(rule.id)") }
    }
  }

  /// Weaknesses are those of rules that exist.
  @Test func weaknessesAreOfRules() {
    for id in Set(RuleSecurity.all.keys).union(RuleSecurity.uncertain) { #expect(RuleCatalog.rule(id) != nil, "\(id)") }
  }

  /// Rules are listed by category, so that a list of them has each heading once.
  @Test func categoriesAreTogether() {
    let order = RuleCatalog.all.map(\.category).reduce(into: [Rule.Category]()) { if $0.last != $1 { $0.append($1) } }
    #expect(order == Rule.Category.allCases)
  }
}
