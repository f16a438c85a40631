import Foundation
import TestSupport
import Testing

/// `Audit/audit.html`: when it is written, left alone and removed.
@Suite struct AuditPageTests {
  private static let page = "Generated/Audit/audit.html"

  /// A folder with two catalogs, generated.
  private func generated() throws -> Tool {
    let tool = try Tool()
    try tool.write("Catalogs/A.yaml", Tool.catalog("A", keys: ["first"]))
    try tool.write("Catalogs/B.yaml", Tool.catalog("B", keys: ["second"]))
    let result = try tool.run("generate")
    try #require(result.code == 0, "\(result.errors)")
    return tool
  }

  @Test func onePageIsAboutAllCatalogs() throws {
    let tool = try generated()
    let page = try tool.read(Self.page)
    #expect(page.contains("<section id=\"key-first\"") && page.contains("<section id=\"key-second\""))
    #expect(try tool.run("audit", "--format", "html").output == page)
    #expect(try tool.run("generate", "--check").code == 0)
  }

  /// A page about some of the catalogs would look as if it were about all.
  @Test func aRunOverSomeCatalogsLeavesThePageAlone() throws {
    let tool = try generated()
    let page = try tool.read(Self.page)
    try tool.write("Catalogs/A.yaml", Tool.catalog("A", keys: ["first", "third"]))
    #expect(try tool.run("generate", "Catalogs/A.yaml").code == 0)
    #expect(try tool.read(Self.page) == page)
    #expect(try tool.read("Generated/A.keys.swift").contains("third"))
    #expect(try tool.run("generate", "--check", "Catalogs/A.yaml").code == 0)
    #expect(try tool.run("generate", "--check").code == 1)
    #expect(try tool.run("generate", "Catalogs/A.yaml", "Catalogs/B.yaml").code == 0)
    #expect(try tool.read(Self.page).contains("key-third"))
    #expect(try tool.run("generate", "--check").output.isEmpty)
  }

  @Test func theFirstRunOverSomeCatalogsWritesNoPage() throws {
    let tool = try generated()
    try tool.remove("Generated")
    #expect(try tool.run("generate", "Catalogs/A.yaml").code == 0)
    #expect(!tool.files(in: "Generated").contains("Audit/audit.html"))
  }

  @Test func thePageGoesWithTheLastCatalog() throws {
    let tool = try generated()
    try tool.remove("Catalogs/A.yaml")
    #expect(try tool.run("generate").code == 0)
    #expect(try !tool.read(Self.page).contains("key-first"))
    try tool.remove("Catalogs/B.yaml")
    let result = try tool.run("generate", "Catalogs")
    #expect(result.code == 0, "\(result.errors)")
    #expect(tool.files(in: "Generated") == [])
  }

  @Test func onlyChoosesFormats() throws {
    let tool = try generated()
    let before = try tool.state(of: "Generated")
    try tool.write("Catalogs/A.yaml", Tool.catalog("A", keys: ["first", "third"]))
    #expect(
      try tool.run("generate", "--only", "html", "--only", "json").output == "2 catalogs, 3 keys: 2 files written\n")
    #expect(try tool.read(Self.page).contains("key-third"))
    let after = try tool.state(of: "Generated")
    for name in ["A.keys.swift", "Audit/A.md", "B.keys.swift", "Audit/B.md"] { #expect(after[name] == before[name]) }
    #expect(try tool.run("generate", "--check", "--only", "html").code == 0)
    #expect(try tool.run("generate", "--check", "--only", "swift").code == 1)
    #expect(try tool.run("generate", "--only", "swift").code == 0)
    #expect(tool.files(in: "Generated").count == 8)
    let wrong = try tool.run("generate", "--only", "pdf")
    #expect(wrong.code == 2 && wrong.errors.contains("'swift', 'markdown', 'json' or 'html'"), "\(wrong.errors)")
    #expect(try tool.run("generate", "--only", "html", "--swift-only").code == 2)
  }

  @Test func aPageOfSomebodyElseIsLeftAlone() throws {
    let tool = try generated()
    try tool.write(Self.page, "<p>mine</p>\n")
    let result = try tool.run("generate")
    #expect(result.code == 3 && result.errors.contains("'\(Self.page)' was not written by this tool"))
    #expect(try tool.read(Self.page) == "<p>mine</p>\n")
  }

  @Test func thePageNamesTheReleaseThatHadAKeyFirst() throws {
    let tool = try generated()
    #expect(try tool.run("release", "1.0").code == 0)
    try tool.write("Catalogs/B.yaml", Tool.catalog("B", keys: ["second", "third"]))
    #expect(try tool.run("release", "1.2").code == 0)
    try tool.write("Catalogs/B.yaml", Tool.catalog("B", keys: ["second", "third", "fourth"]))
    #expect(try tool.run("generate").code == 0)
    let page = try tool.read(Self.page)
    for (key, release) in [("first", "1.0"), ("second", "1.0"), ("third", "1.2"), ("fourth", "not released")] {
      let row = try #require(
        page.split(separator: "\n").first { $0.contains("<a href=\"#key-\(key)\">\(key)</a></th>") })
      #expect(row.hasSuffix("<td>\(release)</td></tr>"), "\(row)")
    }
    #expect(page.contains("Since release 1.2") && page.contains("<li>1 added</li>"))
    #expect(try tool.run("audit", "--format", "html").output == page)
  }

  /// What a key accepts is on the page, whether or not the entry has ended: the page must not change from day to day.
  @Test(arguments: ["2000-01-01", "2999-12-31"])
  func acceptedFindingsDoNotDependOnTheDay(until: String) throws {
    let tool = try Tool()
    let allow = "    allow: [{rule: terse-description, reason: A longer text is being written., until: \(until)}]\n"
    try tool.write(
      "Catalogs/A.yaml",
      """
      localdata: 1
      catalog: A
      keys:
        theme:
          type: String
          domain: userDefaults
          owner: Settings
          description: The theme.
      \(allow)
      """)
    #expect(try tool.run("generate").code == 0)
    let page = try tool.read(Self.page)
    #expect(
      page.contains(
        "until <time datetime=\"\(until)\">\(until)</time></span></td><td><a href=\"#key-theme\">theme</a></td>"))
    #expect(page.contains("<td>A longer text is being written.</td>"))
    #expect(page.contains("No rule has a finding that is not accepted."))
  }
}
