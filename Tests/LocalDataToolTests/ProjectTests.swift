import Foundation
import Testing

/// The project file, and the verbs that show or change catalogs as text.
@Suite struct ProjectTests {
  private static let catalog = """
    localdata: 1
    catalog: Shop
    defaults: {owner: ShopTeam, domain: userDefaults, security: none, type: String}
    keys:
      # The theme.
      theme: {description: The colour scheme the user chose.}
      code: {sensitivity: credential, security: recommended, description: The code of the last order.}

    """

  private func tool(_ project: String? = nil) throws -> Tool {
    let tool = try Tool()
    try tool.write("Catalogs/Shop.yaml", Self.catalog)
    if let project { try tool.write("local-data.yaml", "localdata: 1\n" + project) }
    return tool
  }

  @Test func aPolicyIsARule() throws {
    let policy = "policies: [{id: no-codes, forbid: sensitivity = credential, message: ask each time}]\n"
    let result = try tool(policy).run("validate", "--format", "xcode")
    #expect(result.code == 1)
    #expect(result.output.contains("Catalogs/Shop.yaml:7:3: error: 'code': ask each time [no-codes]"))
    #expect(try tool(policy).run("validate", "--allow", "no-codes").code == 0)
    #expect(try tool(policy + "rules: {no-codes: warn}\n").run("validate").code == 0)
  }

  /// Its findings would appear under the name of the rule, and `--allow` would hide those of the rule.
  @Test func aPolicyCannotHaveTheIDOfARule() throws {
    let policy = "policies: [{id: same-place, forbid: sensitivity = credential, message: ask each time}]\n"
    let result = try tool(policy).run("validate")
    #expect(result.code == 1)
    #expect(result.errors.contains("local-data.yaml:2:17: error: 'same-place' is built in"))
    #expect(result.errors.contains("[invalid-policy]"))
  }

  @Test func anUnknownRuleIsWrongUse() throws {
    let result = try tool().run("validate", "--deny", "no-cods")
    #expect(result.code == 2)
    #expect(result.errors.contains("'no-cods' is not a rule"))
  }

  @Test func aProjectFileWithErrorsEndsTheRun() throws {
    let result = try tool("policies: [{id: a, forbid: lgacy, message: no}]\n").run("generate")
    #expect(result.code == 1)
    #expect(result.errors.contains("local-data.yaml:2:"))
    #expect(result.errors.contains("did you mean 'legacy'?"))
  }

  @Test func eachTargetIsARunOfItsOwn() throws {
    let tool = try tool(
      """
      targets:
        - {catalogs: [Catalogs], output: Phone, exclude: [Catalogs/Drafts]}
        - {catalogs: [Watch/Catalogs], output: Watch/Generated}

      """)
    try tool.write("Catalogs/Drafts/Later.yaml", "not a catalog")
    // A key of the same name in another target is not a duplicate.
    try tool.write("Watch/Catalogs/Watch.yaml", Self.catalog.replacingOccurrences(of: "Shop\n", with: "Watch\n"))
    let result = try tool.run("generate")
    try #require(result.code == 0, "\(result.errors)")
    #expect(tool.files(in: "Phone").contains("Shop.keys.swift"))
    #expect(tool.files(in: "Watch/Generated").contains("Watch.keys.swift"))
    #expect(try tool.run("generate", "--check").code == 0)
    #expect(try tool.run("validate").output.contains("2 catalogs"))
  }

  @Test func twoTargetsCanShareAFolder() throws {
    let tool = try tool(
      """
      targets:
        - {catalogs: [Catalogs], output: Out}
        - {catalogs: [Watch/Catalogs], output: ./Out/}

      """)
    try tool.write("Watch/Catalogs/Watch.yaml", Self.catalog.replacingOccurrences(of: "Shop\n", with: "Watch\n"))
    for _ in 0..<2 { #expect(try tool.run("generate").code == 0) }
    let swiftFiles = tool.files(in: "Out").filter { $0.hasSuffix(".swift") }
    #expect(swiftFiles == ["Shop.keys.swift", "Watch.keys.swift"])
    #expect(try tool.run("generate", "--check").code == 0)
  }

  @Test(arguments: ["validate", "generate"])
  func anEmptyOutputFolderIsAFinding(verb: String) throws {
    let result = try tool("targets: [{catalogs: [Catalogs], output: \"\"}]\n").run(verb)
    #expect(result.code == 1)
    #expect(result.errors.contains("local-data.yaml:2:42: error: 'output' is empty"))
  }

  @Test(arguments: [
    "{catalogs: [Catalogs], output: /tmp/out}", "{catalogs: [Catalogs], output: Sources/../../out}",
    "{catalogs: [Catalogs, ../Other]}", "{catalogs: [/proc/self/environ]}",
  ])
  func aTargetStaysInTheProject(target: String) throws {
    let result = try tool("targets: [\(target)]\n").run("generate")
    #expect(result.code == 1)
    #expect(result.errors.contains("leads out of the project's folder"), "\(result.errors)")
    #expect(result.errors.contains("[outside-project]"))
    let inside = try tool("targets: [{catalogs: [./Catalogs], output: A/../Out}]\n")
    #expect(try inside.run("generate").code == 0)
  }

  /// A pull request can add the link as it can add the line.
  @Test func anOutputFolderOfTheProjectDoesNotLeadElsewhere() throws {
    let outside = try Tool()
    let tool = try tool("targets: [{catalogs: [Catalogs], output: Out}]\n")
    try FileManager.default.createSymbolicLink(
      at: tool.folder.appending(path: "Out"), withDestinationURL: outside.folder)
    let result = try tool.run("generate")
    #expect(result.code == 3)
    #expect(result.errors.contains("through a link"), "\(result.errors)")
    #expect(outside.files() == [])
  }

  @Test func anAuditCanBeLimited() throws {
    let result = try tool().run("audit", "--where", "sensitivity = credential", "--format", "json")
    #expect(result.code == 0)
    #expect(result.output.contains("code") && !result.output.contains("theme"))
    let wrong = try tool().run("audit", "--where", "sensitivity = secret")
    #expect(wrong.code == 2)
    #expect(wrong.errors.contains("--where, character 15: 'secret' is not a value of 'sensitivity'"))
    let noNumber = try tool().run("audit", "--where", "maxSize = five")
    #expect(noNumber.code == 2)
    #expect(noNumber.errors.contains("--where, character 11: 'five' is not a number"))
  }

  @Test func aCatalogIsFormatted() throws {
    let tool = try tool()
    let check = try tool.run("fmt", "--check", "Catalogs")
    #expect(check.code == 1)
    #expect(check.output.contains("+  code: {security: recommended, sensitivity: credential,"))
    #expect(try tool.run("fmt", "Catalogs").code == 0)
    #expect(try tool.run("fmt", "--check", "Catalogs").code == 0)
    #expect(try tool.run("validate", "Catalogs").code == 0)
    #expect(tool.files() == ["Catalogs/Shop.yaml"])
  }

  @Test func aCatalogWithCRLFIsFormatted() throws {
    let tool = try tool()
    try tool.write("Catalogs/Shop.yaml", Self.catalog.replacingOccurrences(of: "\n", with: "\r\n"))
    #expect(try tool.run("fmt", "Catalogs").code == 0)
    let text = try tool.read("Catalogs/Shop.yaml")
    #expect(text.contains("\n  # The theme.\n"))
    #expect(!text.utf8.contains(13))
    #expect(try tool.run("fmt", "--check", "Catalogs").code == 0)
  }

  @Test func aCatalogThatCannotBeReadIsNotFormatted() throws {
    let tool = try tool()
    try tool.write("Catalogs/Broken.yaml", "localdata: 1\nkeys: {a: {\n")
    let result = try tool.run("fmt", "Catalogs/Broken.yaml")
    #expect(result.code == 1)
    #expect(result.errors.contains("[unterminated]"))
  }

  @Test func theSchemaIsJSON() throws {
    let result = try tool().run("schema")
    #expect(result.code == 0)
    #expect(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) is [String: Any])
  }

  @Test func explainShowsAKey() throws {
    let result = try tool().run("explain", "code")
    #expect(result.code == 0)
    #expect(result.output.contains("defaults, line 3"))
    #expect(result.output.contains("static var code: Self"))
  }
}
