import LocalDataModel
import LocalDataSyntax
import Foundation
import LocalDataDocuments
import Testing

/// The page of rules lists every rule as the tool does, and the catalogs of the pages are catalogs.
@Suite struct LanguageReferenceTests {
  /// The tables of rules are those that `local-data rules --format markdown` prints.
  @Test func theTablesOfRulesAreThoseOfTheTool() throws {
    let text = try LanguagePage.named("Rules").text
    let start = try #require(text.range(of: "\n### The file\n"))
    #expect("### The file\n" + text[start.upperBound...] == RuleText.list(RuleCatalog.all, as: .markdown))
  }

  /// The first catalog of a page has no findings.
  @Test(arguments: [
    ("Language", "Account"), ("Keys", "Player"), ("Types", "Profiles"), ("Families", "Editor"), ("Protection", "Bank"),
    ("Migrations", "Account"), ("Records", "Wallet"), ("Rules", "Phone"), ("Sync", "Training"),
  ])
  func aPageBeginsWithACatalog(page: String, name: String) throws {
    let run = try Run(try #require(try LanguagePage.named(page).catalogs.first))
    #expect(run.findings == "")
    #expect(run.catalogs.map(\.name) == [name])
  }

  /// Every other block of YAML is a part of a catalog without errors. The parts of one page refer to each other.
  @Test(arguments: ["Language", "Keys", "Types", "Families", "Protection", "Migrations", "Records", "Rules", "Sync"])
  func theOtherBlocksArePartsOfCatalogs(page: String) throws {
    var keys = ""
    for block in try LanguagePage.named(page).catalogs.dropFirst() {
      if block.hasPrefix("localdata: 1\n") {
        #expect(try Run(block).findings == "")
      } else if block.hasPrefix("keys:") || block.hasPrefix("records:") {
        #expect(try Run(Self.head + block).errors == "")
      } else {
        keys += block.split(separator: "\n").map { "  \($0)\n" }.joined()
      }
    }
    if !keys.isEmpty { #expect(try Run(Self.head + "keys:\n" + keys).errors == "") }
  }

  /// The declarations that parts of catalogs refer to.
  private static let head = """
    localdata: 1
    catalog: Test
    defaults: {owner: Team, domain: userDefaults}
    types: {Profile: {swift: Profile}, ProfileGlance: {swift: ProfileGlance}, Cursor: {swift: Cursor}}
    databases: {test: {domain: {fileSystem: {directory: applicationSupport}}, description: What the parts of pages store.}}

    """

  @Test func theProjectFileIsRead() throws {
    let blocks = try LanguagePage.named("ProjectFile").catalogs
    #expect(blocks.count == 1)
    let file = SourceFile(path: "local-data.yaml", bytes: Array(try #require(blocks.first).utf8))
    let decoded = Project.decode(try #require(CatalogReader.read(file).0))
    #expect(decoded.diagnostics.map(\.message) == [])
    #expect(decoded.project.targets.count == 2)
    #expect(decoded.project.policies.map(\.id) == ["no-plain-secrets"])
  }
}
