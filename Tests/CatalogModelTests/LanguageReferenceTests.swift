import CatalogModel
import CatalogSyntax
import Foundation
import Testing

/// The language reference names every rule, once, in the table that is its own; and its catalogs are catalogs.
@Suite struct LanguageReferenceTests {
  private static let document = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/CatalogModel/LANGUAGE.md")

  private func text() throws -> String {
    String(decoding: try Data(contentsOf: Self.document), as: UTF8.self)
  }

  /// The ids in the first column of the table below a heading.
  private func rules(below heading: String) throws -> [String] {
    let start = try #require(try text().range(of: "\n### \(heading)\n"))
    return try text()[start.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
      .prefix { !$0.hasPrefix("#") }
      .filter { $0.hasPrefix("| `") }
      .map { String($0.split(separator: "`")[1]) }
  }

  @Test func everyRuleOfTheReaderHasALine() throws {
    #expect(try rules(below: "Of the file") == ReaderRule.allCases.map(\.rawValue))
  }

  @Test func everyRuleOfTheModelHasALine() throws {
    #expect(try rules(below: "Of the catalog") == CatalogRule.allCases.map(\.rawValue))
  }

  @Test func warningsAreSaidToBeWarnings() throws {
    let warnings = try text().split(separator: "\n").filter { $0.contains("| warning: ") }
      .map { String($0.split(separator: "`")[1]) }
    #expect(warnings == CatalogRule.allCases.filter { $0.severity == .warning }.map(\.rawValue))
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
}
