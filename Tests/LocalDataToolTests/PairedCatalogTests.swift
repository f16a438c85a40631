import Testing

/// The catalogs of a phone and a watch, compared with each other.
@Suite struct PairedCatalogTests {
  /// A project with a phone's and a watch's catalog.
  private func tool(phone: String, watch: String, pairing: Bool = true) throws -> Tool {
    let tool = try Tool()
    let header = "defaults: {owner: Team, domain: userDefaults, security: none, type: String, syncPolicy: manual}\n"
    try tool.write("Catalogs/Phone/Phone.yaml", "localdata: 1\ncatalog: Phone\n\(header)keys:\n\(phone)\n")
    try tool.write("Catalogs/Watch/Watch.yaml", "localdata: 1\ncatalog: Watch\n\(header)keys:\n\(watch)\n")
    func pair(_ folder: String) -> String { pairing ? ", pairedWith: [Catalogs/\(folder)]" : "" }
    try tool.write(
      "local-data.yaml",
      """
      localdata: 1
      targets:
        - {catalogs: [Catalogs/Phone], output: Phone\(pair("Watch"))}
        - {catalogs: [Catalogs/Watch], output: Watch\(pair("Phone"))}

      """)
    return tool
  }

  private static let theme = "  theme: {description: The colour scheme the user chose.}"

  @Test(arguments: ["validate", "generate"])
  func aMisspeltStoredNameIsAnError(verb: String) throws {
    let tool = try tool(
      phone: Self.theme, watch: "  theme: {name: thme, description: The colour scheme the user chose.}")
    let result = try tool.run(verb)
    #expect(result.code == 1)
    let text = result.output + result.errors
    #expect(
      text.contains(
        "Catalogs/Phone/Phone.yaml:5:3: error: 'theme' is sent, but no key of the paired device has the stored name "
          + "'theme'; did you mean 'thme'? [unpaired-key]"), "\(text)")
    #expect(text.contains("help: write `name: thme`, or correct the name in the catalog of the paired device"))
    // The run of the phone ends `generate`.
    #expect(text.contains("Watch.yaml:5:17: error: 'theme' is sent") == (verb == "validate"))
  }

  /// Nothing says that the two catalogs belong together.
  @Test func withoutAPairNothingIsCompared() throws {
    let other = "  theme: {name: thme, description: The colour scheme the user chose.}"
    #expect(try tool(phone: Self.theme, watch: other, pairing: false).run("validate").code == 0)
  }

  @Test(
    arguments: [
      ("theme: {name: look, description: A text.}", "look: {description: A text.}"),
      (
        "draft: {parameters: {id: UUID}, description: A text.}",
        "draft: {parameters: {key: UUID}, description: A text.}"
      ),
      ("theme: {security: recommended, sync: decrypted, description: A text.}", "theme: {description: A text.}"),
      ("theme: {syncPolicy: never, description: A text.}", "other: {syncPolicy: never, description: A text.}"),
      (
        "theme: {type: [Int], watch: {type: Int, transform: Sum.of}, description: A text.}",
        "theme: {type: Int, description: A text.}"
      ),
      (
        "theme: {serializer: data, watch: {type: Int, transform: Sum.of}, description: A text.}",
        "theme: {type: Int, description: A text.}"
      ),
    ])
  func counterpartsHaveNoFinding(phone: String, watch: String) throws {
    let result = try tool(phone: "  " + phone, watch: "  " + watch).run("validate")
    #expect(result.code == 0, "\(result.output)")
    #expect(!result.output.contains("unpaired-key"))
  }

  @Test(
    arguments: [
      (
        "theme: {type: Int, description: A text.}",
        "'theme' is sent as 'String', but 'theme' of the paired device has the type 'Int'"
      ),
      (
        "theme: {serializer: propertyList, description: A text.}",
        "'theme' is sent with the serializer 'json', but 'theme' of the paired device has 'propertyList'"
      ),
      (
        "theme: {syncPolicy: never, description: A text.}",
        "'theme' is sent, but 'theme' of the paired device has 'syncPolicy: never'"
      ),
      (
        "theme: {domain: {userDefaults: {suite: com.example.app}}, description: A text.}",
        "the paired device stores 'theme' in another domain"
      ),
      (
        "look: {syncPolicy: never, description: A text.}",
        "no key of the paired device has the stored name 'theme' [unpaired-key]"
      ),
    ])
  func aCounterpartThatDiffersIsNamed(watch: String, message: String) throws {
    let result = try tool(phone: Self.theme, watch: "  " + watch).run("validate")
    #expect(result.code == 1)
    #expect(result.output.contains(message), "\(result.output)")
  }

  /// The allowance is stale only in a run that compares.
  @Test func aKeyCanBeAllowedWithoutCounterpart() throws {
    let allowed =
      "  theme: {allow: [{rule: unpaired-key, reason: The watch follows in 2.0.}], description: A text.}"
    let tool = try tool(phone: allowed, watch: "  other: {syncPolicy: never, description: A text.}")
    let result = try tool.run("validate", "--deny", "warnings")
    #expect(result.code == 0, "\(result.output)")
    #expect(try tool.run("validate", "Catalogs/Phone", "--deny", "warnings").code == 0)
    let stale = try self.tool(phone: allowed, watch: Self.theme).run("validate", "--deny", "warnings")
    #expect(stale.code == 1)
    #expect(stale.output.contains("stale-suppression"))
  }

  @Test func catalogsWithErrorsCannotBeCompared() throws {
    let result = try tool(phone: Self.theme, watch: "  theme: {type: Strin, description: A text.}").run("validate")
    #expect(result.code == 1)
    #expect(result.output.contains("the keys of the paired device cannot be compared"))
    #expect(result.output.contains("run `local-data validate Catalogs/Watch/Watch.yaml`"))
  }
}
