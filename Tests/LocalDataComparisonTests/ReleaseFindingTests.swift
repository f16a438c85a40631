@testable import LocalDataDocuments
import LocalDataComparison
import LocalDataModel
import LocalDataSyntax
import Foundation
import TestSupport
import Testing

/// Every kind of finding by its golden cases: rule, place, message and help, and what mends it.
@Suite struct ReleaseFindingTests {
  @Test(arguments: try ComparisonCase.all)
  func findings(_ golden: ComparisonCase) throws {
    let catalogs = try golden.catalogs
    let today = try Today(try #require(catalogs.last).bytes)
    let found = today.text(try today.findings(Array(catalogs.dropLast())))
    if GoldenFolder.isRecording {
      try Data(found.utf8).write(to: golden.want)
      Issue.record("recorded \(golden)")
      return
    }
    #expect(found == String(decoding: try Data(contentsOf: golden.want), as: UTF8.self))
  }

  /// Checks that pasting the output of `diff --scaffold` into the catalog removes every finding that YAML can mend.
  @Test(arguments: try ComparisonCase.all)
  func theScaffoldMendsEveryFinding(_ golden: ComparisonCase) throws {
    let catalogs = try golden.catalogs
    let last = try #require(catalogs.last)
    let today = try Today(last.bytes)
    let releases = Array(catalogs.dropLast())
    let findings = try today.findings(releases)
    let scaffold = Scaffold(findings, today.state, against: try today.baselines(releases))
    let name = try #require(today.resolved.first?.name)
    let mended = try Today(scaffold.applied(to: String(decoding: last.bytes, as: UTF8.self), catalog: name))
    let left = try mended.findings(releases)
    #expect(left.isEmpty == scaffold.others.isEmpty, "\(mended.text(left))\n\(scaffold.text { $0 })")
    #expect(left.count <= scaffold.others.count)
    for (name, record) in today.state.records {
      let kept = try #require(mended.state.records[name])
      #expect(record.keeps(in: kept), "\(name): \(scaffold.text { $0 })")
    }
  }

  /// A release compared with itself has no findings, and each key is recognised without being parsed.
  @Test(arguments: try ComparisonCase.all)
  func aReleaseHasNoFindingsAgainstItself(_ golden: ComparisonCase) throws {
    for catalog in try golden.catalogs {
      let today = try Today(catalog.bytes)
      #expect(try today.findings([catalog]).isEmpty)
    }
  }

  /// Checks that a custom migration that the releases already had hides nothing: it is asked only if a key has no value, and
  /// moves what was stored before them.
  @Test(arguments: try ComparisonCase.all)
  func aReleasedCustomMigrationHidesNothing(_ golden: ComparisonCase) throws {
    let catalogs = try golden.catalogs
    let last = try #require(catalogs.last)
    let releases = Array(catalogs.dropLast())
    func found(_ today: Today) throws -> [String] {
      try today.findings(releases).map { "\($0.rule.id) \($0.subject) \($0.text)" }.sorted()
    }
    let today = try Today(last.bytes)
    #expect(try found(today.withCustomMigrations) == found(today))
  }

  /// Checks that each finding that can be allowed is, with the entry that `explain` prints at its declaration.
  @Test(arguments: try ComparisonCase.all)
  func thePrintedEntryIsAccepted(_ golden: ComparisonCase) throws {
    let catalogs = try golden.catalogs
    let last = try #require(catalogs.last)
    let releases = Array(catalogs.dropLast())
    let today = try Today(last.bytes)
    for diagnostic in today.diagnostics(try today.findings(releases)) {
      guard let rule = RuleCatalog.rule(diagnostic.rule), rule.isAllowable else { continue }
      let name = try #require(diagnostic.key, "\(diagnostic.message)")
      let entry = try #require(PastedAllowance.entries(in: RuleText.explanation(of: rule)).first)
      let text = String(decoding: last.bytes, as: UTF8.self)
      let pasted = try Today(try #require(PastedAllowance.pasted(entry, to: name, in: text)))
      let found = pasted.diagnostics(try pasted.findings(releases))
      let allowances = pasted.resolved.flatMap(\.allowances)
      let report = FindingsPass().report(found, allowances: allowances, files: [pasted.source])
      #expect(!report.findings.contains { $0.rule == rule.id && $0.key == name }, "\(diagnostic.message)")
      #expect(report.allowed > 0)
    }
  }

  @Test func everyRuleHasACase() throws {
    let wanted = try ComparisonCase.all.map { String(decoding: try Data(contentsOf: $0.want), as: UTF8.self) }.joined()
    for rule in ReleaseRule.allCases {
      #expect(wanted.contains("[\(rule.id)]"), "no case of \(rule.id)")
    }
  }
}

extension DeclaredRecord {
  /// Returns true if a proposal has kept the fields and the reserved numbers and names of this record.
  fileprivate func keeps(in other: DeclaredRecord) -> Bool {
    func all(_ record: DeclaredRecord, _ name: String) -> Set<FieldValue> {
      Set(record.reserved.flatMap { $0[name].elements })
    }
    return fields.map(\.name) == other.fields.map(\.name)
      && ["numbers", "names"].allSatisfy { all(self, $0).isSubset(of: all(other, $0)) }
  }
}
