import Testing

/// Folders of catalogs that several targets share, and targets with several folders.
@Suite struct SharedFolderTests {
  /// Two targets with catalogs of one folder, and a release.
  private func tool() throws -> Tool {
    let tool = try Tool()
    for (name, key) in [("Account", "theme"), ("Basket", "size"), ("Coupon", "code")] {
      try tool.write("Catalogs/\(name).yaml", Tool.catalog(name, keys: [key]))
    }
    try tool.write(
      "local-data.yaml",
      """
      localdata: 1
      targets:
        - {catalogs: [Catalogs/Account.yaml], output: One}
        - {catalogs: [Catalogs], exclude: [Catalogs/Account.yaml], output: Two}

      """)
    try #require(try tool.run("release", "1.0").code == 0)
    return tool
  }

  private func all(_ tool: Tool, _ arguments: String...) throws -> (code: Int32, text: String) {
    let result = try tool.start(arguments).finish()
    return (result.code, result.output + result.errors)
  }

  @Test func theCatalogsOfTheOtherTargetAreNotRemoved() throws {
    let tool = try tool()
    #expect(try all(tool, "validate") == (0, "no findings in 3 catalogs\n"))
    #expect(try all(tool, "diff", "--against", "1.0") == (0, "no changes since release 1.0\n"))
    #expect(try all(tool, "diff", "--against", "1.0", "Catalogs/Basket.yaml") == (0, "no changes since release 1.0\n"))
  }

  @Test(arguments: [["validate"], ["generate"], ["release", "1.1"], ["diff", "--against", "1.0"]])
  func aRemovedCatalogIsReportedOnce(arguments: [String]) throws {
    let tool = try tool()
    try tool.remove("Catalogs/Coupon.yaml")
    let result = try tool.start(arguments).finish()
    #expect(result.code == 1)
    let findings = (result.output + result.errors).split(separator: "error: release 1.0 stored ").dropFirst()
    #expect(findings.count == 1)
    #expect(
      findings.first?.hasPrefix("'code' as 'Coupon_code' in userDefaults, and nothing declares") == true, "\(findings)")
    // A run that names its catalogs says nothing of others.
    #expect(try tool.run("validate", "Catalogs/Basket.yaml").code == 0)
  }

  @Test func aKeyCanMoveToACatalogOfTheOtherTarget() throws {
    let tool = try tool()
    try tool.remove("Catalogs/Coupon.yaml")
    try tool.write(
      "Catalogs/Account.yaml",
      Tool.catalog("Account", keys: ["theme", "code"]).replacing("Account_c", with: "Coupon_c"))
    #expect(try all(tool, "validate") == (0, "no findings in 2 catalogs\n"))
    try tool.write("Catalogs/Account.yaml", Tool.catalog("Account", keys: ["theme"]))
    try tool.write(
      "Catalogs/Basket.yaml", Tool.catalog("Basket", keys: ["size", "code"]).replacing("Basket_c", with: "Coupon_c"))
    #expect(try all(tool, "validate") == (0, "no findings in 2 catalogs\n"))
  }

  /// A key of several releases has one finding, also if their snapshots are in different folders.
  @Test func releasesOfAllFoldersAreInTheOrderOfTheirVersions() throws {
    let tool = try Tool()
    func catalog(_ name: String, _ rest: String) -> String {
      """
      localdata: 1
      catalog: \(name)
      defaults: {owner: Team, domain: userDefaults, security: none}
      \(rest)

      """
    }
    let type = "types: {Kind: {description: The kind of a user., enum: [guest, member, owner]}}\n"
    let keys = "keys: {first: {type: Kind, description: The kind that is shown first.}}"
    try tool.write("A/Catalogs/First.yaml", catalog("First", type + keys))
    try tool.write("B/Catalogs/Second.yaml", catalog("Second", keys.replacing("first", with: "second")))
    for version in ["1.9", "1.10", "2.0"] { try #require(try tool.run("release", version, "A", "B").code == 0) }
    try tool.remove("A/Catalogs/Releases/1.10.json")
    try tool.remove("B/Catalogs/Releases/1.9.json")
    try tool.write("A/Catalogs/First.yaml", catalog("First", type.replacing(", owner", with: "") + keys))
    let result = try all(tool, "validate", "A", "B")
    #expect(result.code == 1)
    #expect(result.text.contains("error: releases 1.9, 1.10 and 2.0 "), "\(result.text)")
    #expect(result.text.contains("1 error in 2 catalogs"), "\(result.text)")
  }
}
