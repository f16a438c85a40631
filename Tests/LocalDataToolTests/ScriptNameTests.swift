import Testing

/// A catalog in `main.yaml`: a Swift file of that name would be a script.
@Suite struct ScriptNameTests {
  @Test func mainBecomesAFileOfAnotherName() throws {
    let tool = try Tool()
    try tool.write("Catalogs/main.yaml", Tool.catalog("Main"))
    let result = try tool.run("generate")
    try #require(result.code == 0, "\(result.errors)")
    #expect(
      tool.files(in: "Generated") == [
        "Audit/.manifest", "Audit/audit.html", "Audit/main.json", "Audit/main.md", "main.keys.swift",
      ])
  }
}
