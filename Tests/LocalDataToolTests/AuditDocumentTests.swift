import Foundation
import Testing

/// Audits that are written into a document of the user.
@Suite struct AuditDocumentTests {
  private static let readme =
    "# App\r\n\r\n<!-- local-data:begin -->\r\nold\r\n<!-- local-data:end -->\r\n\r\nThe end.\r\n"

  private func tool() throws -> Tool {
    let tool = try Tool()
    try tool.write("Catalogs/A.yaml", Tool.catalog("A"))
    try tool.write("README.md", Self.readme)
    return tool
  }

  @Test func theAuditReplacesThePartBetweenTheMarkers() throws {
    let tool = try tool()
    let stale = try tool.run("audit", "--into", "README.md", "--check")
    #expect(stale.code == 1)
    #expect(stale.output.contains("-old") && stale.output.contains("+## A"))
    #expect(try tool.read("README.md") == Self.readme)
    #expect(try tool.run("audit", "--into", "README.md").code == 0)
    let text = try tool.read("README.md")
    #expect(text.hasPrefix("# App\r\n\r\n<!-- local-data:begin -->\r\n## A\r\n"))
    #expect(text.hasSuffix("<!-- local-data:end -->\r\n\r\nThe end.\r\n"))
    #expect(text.contains("### Overview\r\n") && !text.contains("old"))
    #expect(!text.replacing("\r\n", with: "").contains("\n"))
    let current = try tool.run("audit", "--into", "README.md", "--check")
    #expect(current.code == 0 && current.output.isEmpty)
    // Nothing is left beside the document.
    #expect(tool.files() == ["Catalogs/A.yaml", "README.md"])
  }

  @Test func aDocumentWithoutMarkersStaysAsItIs() throws {
    let tool = try tool()
    try tool.write("README.md", "# App\n")
    let result = try tool.run("audit", "--into", "README.md")
    #expect(result.code == 2)
    #expect(result.errors.contains("'README.md' has no line '<!-- local-data:begin -->'"))
    #expect(try tool.read("README.md") == "# App\n")
    #expect(try tool.run("audit", "--into", "Missing.md").code == 3)
    #expect(try tool.run("audit", "--into", "Catalogs").code == 3)
    #expect(tool.files() == ["Catalogs/A.yaml", "README.md"])
  }

  @Test(arguments: [
    ["--into", "README.md", "--output", "a.md"], ["--into", "README.md", "--format", "json"], ["--check"],
    ["--into", ""], ["--into", "Catalogs/A.yaml"],
  ])
  func wrongUse(arguments: [String]) throws {
    let tool = try tool()
    #expect(try tool.start(["audit"] + arguments).finish().code == 2)
    #expect(try tool.read("README.md") == Self.readme)
  }

  @Test func anOutputIsChecked() throws {
    let tool = try tool()
    #expect(try tool.run("audit", "--format", "csv", "--output", "audit.csv", "--check").code == 1)
    #expect(!tool.files().contains("audit.csv"))
    #expect(try tool.run("audit", "--format", "csv", "--output", "audit.csv").code == 0)
    #expect(try tool.read("audit.csv").hasPrefix("kind,catalog,name,"))
    #expect(try tool.run("audit", "--format", "csv", "--output", "audit.csv", "--check").code == 0)
  }
}
