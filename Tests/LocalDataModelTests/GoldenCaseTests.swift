import LocalDataModel
import LocalDataSyntax
import Foundation
import TestSupport
import Testing

/// Every rule by its golden cases: rule, place, message, help and notes of each finding.
@Suite struct GoldenCaseTests {
  @Test(arguments: try GoldenCase.all)
  func findings(_ golden: GoldenCase) throws {
    let found = try Run(golden.catalogs).findings
    if GoldenFolder.isRecording {
      try Data(found.utf8).write(to: golden.want)
      Issue.record("recorded \(golden.name)")
      return
    }
    #expect(found == String(decoding: try Data(contentsOf: golden.want), as: UTF8.self))
  }

  @Test func everyRuleHasACase() throws {
    let wanted = try GoldenCase.all.map { String(decoding: try Data(contentsOf: $0.want), as: UTF8.self) }.joined()
    for rule in RuleCatalog.all where ![.file, .project, .releases, .appStore].contains(rule.category) {
      #expect(wanted.contains("[\(rule.id)]"), "no case of \(rule.id)")
    }
  }
}
