@testable import LocalDataDocuments
import LocalDataModel
import LocalDataSyntax
import Foundation
import Testing

/// The language reference lists every rule as the tool does, and its catalogs are catalogs.
@Suite struct LanguageReferenceTests {
  private static let document = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/LocalData/LocalData.docc/Language.md")

  private func text() throws -> String {
    String(decoding: try Data(contentsOf: Self.document), as: UTF8.self)
  }

  /// The tables of rules are those that `local-data rules --format markdown` prints.
  @Test func theTablesOfRulesAreThoseOfTheTool() throws {
    let start = try #require(try text().range(of: "\n### The file\n"))
    #expect(try "### The file\n" + text()[start.upperBound...] == RuleText.list(RuleCatalog.all, as: .markdown))
  }

  @Test func theFirstCatalogResolves() throws {
    let blocks = try text().components(separatedBy: "```yaml\n").dropFirst().map { block in
      block.components(separatedBy: "```")[0]
    }
    let first = try #require(blocks.first { $0.hasPrefix("localdata: 1\n") })
    let run = try Run(first)
    #expect(run.findings == "")
    #expect(run.catalogs.map(\.name) == ["Account"])
  }

  @Test func theFirstRecordsResolve() throws {
    let blocks = try text().components(separatedBy: "```yaml\n").dropFirst().map { block in
      block.components(separatedBy: "```")[0]
    }
    let databases = try #require(blocks.first { $0.hasPrefix("databases:\n") })
    let records = try #require(blocks.first { $0.hasPrefix("records:\n") })
    let run = try Run("localdata: 1\ncatalog: Test\ndefaults: {owner: Team}\n" + databases + records)
    #expect(run.findings == "")
    #expect(run.catalogs.first?.records.map(\.member) == ["credentials", "presentations"])
  }
}
