import Foundation
import Testing

/// Verbs, arguments, exit codes and the streams that they print to.
@Suite struct CommandTests {
  private func tool(_ catalogs: [String: String]) throws -> Tool {
    let tool = try Tool()
    for (path, text) in catalogs { try tool.write(path, text) }
    return tool
  }

  @Test(arguments: [
    ["--help"], ["generate", "--help"], ["validate", "--help"], ["audit", "--help"], ["fixtures", "--help"],
    ["init", "--help"], [],
  ])
  func help(arguments: [String]) throws {
    let result = try Tool().start(arguments).finish()
    #expect(result.code == 0)
    #expect(result.output.contains("USAGE: local-data"))
    #expect(result.errors.isEmpty)
  }

  @Test(arguments: [
    ["frobnicate"], ["generate", "--nonsense"], ["validate", "--format", "pdf"], ["audit", "--format", "xcode"],
    ["generate", "--output"], ["generate"], ["validate", "."], ["fixtures"], ["generate", "--output", ""],
    ["fixtures", "--module", "App", "--output", ""], ["audit", "--output", ""], ["validate", "-"],
    ["validate", "--path", "A.yaml"], ["validate", "-", "-", "--path", "A.yaml"], ["init", ""],
    ["generate", "--watch", "--check"], ["init", "--name", "1"], ["init", "--name", "LocalData"],
    ["init", "--name", "Foundation"], ["init", "swiftUI", "--package-path", "."],
    ["init", "--package-path", "."],
  ])
  func wrongUse(arguments: [String]) throws {
    let tool = try Tool()
    let result = try tool.start(arguments).finish()
    #expect(tool.files() == [])
    #expect(result.code == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors.lowercased().contains("error: "))
  }

  @Test(arguments: [["validate"], ["generate"], ["audit"], ["fixtures", "--module", "App"]])
  func whatCannotBeRead(verb: [String]) throws {
    let tool = try Tool()
    let result = try tool.start(verb + ["missing.yaml"]).finish()
    #expect(tool.files() == [])
    #expect(result.code == 3)
    #expect(result.errors.contains("'missing.yaml'"))
  }

  @Test func validate() throws {
    let tool = try tool(["Catalogs/A.yaml": Tool.catalog("A"), "Catalogs/B.yaml": Tool.catalog("B", keys: ["other"])])
    let fine = try tool.run("validate")
    #expect(fine.code == 0)
    #expect(fine.output == "no findings in 2 catalogs\n")
    #expect(fine.errors.isEmpty)
    #expect(tool.files() == ["Catalogs/A.yaml", "Catalogs/B.yaml"])

    try tool.write("Catalogs/B.yaml", "a: b\na: *c\n")
    let text = try tool.run("validate")
    #expect(text.code == 1)
    #expect(text.errors.isEmpty)
    #expect(
      text.output == """
        Catalogs/B.yaml:2:1: error: the field 'a' is written a second time [duplicate-field]
            2 │ a: *c
              │ ^
          help: remove one of the two
        Catalogs/B.yaml:1:1: note: the first one
            1 │ a: b
              │ ^
        Catalogs/B.yaml:2:4: error: a catalog has no aliases [alias]
            2 │ a: *c
              │    ^~
          help: write the value out; put text that starts with '*' into quotes
        2 errors in 2 catalogs

        """)
    let xcode = try tool.run("validate", "--format", "xcode")
    #expect(xcode.code == 1)
    #expect(
      xcode.output == """
        Catalogs/B.yaml:2:1: error: the field 'a' is written a second time [duplicate-field]
        Catalogs/B.yaml:2:1: note: help: remove one of the two
        Catalogs/B.yaml:1:1: note: the first one
        Catalogs/B.yaml:2:4: error: a catalog has no aliases [alias]
        Catalogs/B.yaml:2:4: note: help: write the value out; put text that starts with '*' into quotes

        """)
    let json = try tool.run("validate", "--format", "json")
    let document = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect(document?["errors"] as? Int == 2)
  }

  @Test func findingsOfOtherVerbsGoToStandardError() throws {
    let tool = try tool(["Catalogs/A.yaml": "a: *c\n"])
    for verb in ["generate", "audit"] {
      let result = try tool.run(verb, "--diagnostics", "xcode")
      #expect(result.code == 1)
      #expect(result.output.isEmpty)
      #expect(result.errors.hasPrefix("Catalogs/A.yaml:1:4: error: a catalog has no aliases [alias]\n"))
      let json = try tool.run(verb, "--diagnostics", "json")
      #expect(try JSONSerialization.jsonObject(with: Data(json.errors.utf8)) is [String: Any])
    }
  }

  /// Each stage looks at all catalogs before it stops.
  @Test func allCatalogsAreReadBeforeTheToolStops() throws {
    let tool = try tool([
      "Catalogs/A.yaml": "a: *c\n", "Catalogs/B.yaml": "a: [\n", "Catalogs/C.yaml": Tool.catalog("C"),
    ])
    let result = try tool.run("validate", "--format", "xcode")
    #expect(result.output.split(separator: "\n").map { $0.prefix(15) }.contains("Catalogs/B.yaml"))
    #expect(result.output.contains("[alias]") && result.output.contains("[unterminated]"))
  }

  @Test(arguments: [("markdown", "# A"), ("json", "{"), ("text", "theme")])
  func audit(format: String, part: String) throws {
    let tool = try tool(["Catalogs/A.yaml": Tool.catalog("A"), "Catalogs/B.yaml": Tool.catalog("B", keys: ["other"])])
    let result = try tool.run("audit", "--format", format)
    #expect(result.code == 0)
    #expect(result.errors.isEmpty)
    #expect(result.output.contains(part))
    #expect(result.output.contains("theme") && result.output.contains("other"))
    if format == "json" { _ = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) }
    #expect(tool.files().count == 2)
  }

  // MARK: Which files are catalogs

  @Test func discovery() throws {
    let names = [
      "Catalogs/A.yaml", "Catalogs/deeper/B.yaml", "App/Sources/C.catalog.yaml", "App/Catalogs/D.yaml",
      "Catalogs/E.catalog.yaml",
    ]
    let others = ["F.yaml", "App/config.yaml", ".build/G.catalog.yaml", "Catalogs/.H.yaml", "Catalogs/notes.txt"]
    let tool = try tool(Dictionary(uniqueKeysWithValues: (names + others).map { ($0, "a: *b") }))
    func found(_ arguments: String...) throws -> [String] {
      try tool.start(["validate", "--format", "xcode"] + arguments).finish().output.split(separator: "\n")
        .filter { $0.contains(": error: ") }.compactMap { $0.split(separator: ":").first.map(String.init) }
    }
    #expect(
      try found(".") == [
        "Catalogs/A.yaml", "Catalogs/deeper/B.yaml", "App/Sources/C.catalog.yaml", "App/Catalogs/D.yaml",
        "Catalogs/E.catalog.yaml",
      ])
    #expect(
      try found() == ["Catalogs/A.yaml", "Catalogs/deeper/B.yaml", "Catalogs/E.catalog.yaml", "App/Catalogs/D.yaml"])
    #expect(try found("App") == ["App/Sources/C.catalog.yaml", "App/Catalogs/D.yaml"])
    #expect(try found("Catalogs/deeper") == ["Catalogs/deeper/B.yaml"])
    #expect(try found("F.yaml", "App/config.yaml") == ["F.yaml", "App/config.yaml"])
    #expect(
      try found("Catalogs/A.yaml", "Catalogs", "./Catalogs/A.yaml") == [
        "Catalogs/A.yaml", "Catalogs/deeper/B.yaml", "Catalogs/E.catalog.yaml",
      ])
  }

  /// A file that is one letter short of a catalog is not passed over in silence.
  @Test(arguments: ["Catalogs/Other.yml", "Catalogs/Deep/Other.yml"])
  func anExtensionThatIsNone(path: String) throws {
    let tool = try tool(["Catalogs/Account.yaml": Tool.catalog("A"), path: Tool.catalog("B", keys: ["other"])])
    let result = try tool.run("generate")
    #expect(result.code == 2)
    #expect(result.errors.contains("'\(path)'"))
    #expect(result.errors.contains("end in .yaml"))
    #expect(try tool.run("validate", "Catalogs/Account.yaml", path).code == 0)
  }

  @Test(arguments: [("A/Account.yaml", "B/Account.yaml"), ("A/Account.yaml", "B/account.catalog.yaml")])
  func twoCatalogsOfOneName(first: String, second: String) throws {
    let tool = try tool([first: Tool.catalog("A"), second: Tool.catalog("B", keys: ["other"])])
    let result = try tool.run("generate", first, second)
    #expect(result.code == 1)
    #expect(result.errors.contains("[duplicate-output]"))
    #expect(result.errors.contains("\(first):1:1") && result.errors.contains("\(second):1:1"))
    #expect(tool.files() == [first, second].sorted())
  }
}
