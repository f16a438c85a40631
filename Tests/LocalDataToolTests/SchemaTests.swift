#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// The JSON Schema of catalogs, applied by a validator that others publish.
  @Suite(.enabled("jsonschema is not installed; run .ci/install") { try Validators.hasModules("jsonschema", "yaml") })
  struct SchemaTests {
    private static let project = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Returns the folders of the project with catalogs, and their catalogs.
    private static func catalogs() throws -> [String: [String]] {
      let places = ["Catalogs", "Tests"].map { project.appending(path: $0) }
      let files = try places.flatMap { place in
        try #require(FileManager.default.enumerator(atPath: place.path)).compactMap { $0 as? String }
          .filter { $0.hasSuffix(".yaml") && !$0.contains(".build/") }.map { place.appending(path: $0) }
      }
      return Dictionary(grouping: files.map(\.path)) { ($0 as NSString).deletingLastPathComponent }
    }

    /// Returns what the validator says of each file: `valid`, or where and why it is not.
    private func check(_ files: [String], in tool: Tool) throws -> [String: String] {
      try tool.write("schema.json", tool.run("schema").output)
      let end = try Validators.run("schema.py", [tool.folder.appending(path: "schema.json").path] + files)
      let lines = end.output.split(separator: "\n").compactMap { line -> (String, String)? in
        guard let colon = line.range(of: ": ") else { return nil }
        return (String(line[..<colon.lowerBound]), String(line[colon.upperBound...]))
      }
      let results = Dictionary(lines) { first, _ in first }
      #expect(Set(results.keys) == Set(files), "\(end.output)")
      return results
    }

    /// Catalogs that are tried in each run, by parts of their paths.
    private static let named = [
      "Catalogs/Wallet.yaml", "EveryPolicy/", "EveryValueType/", "WholeCatalog/", "/RuntimeOnly/",
    ]

    /// The generator accepts these catalogs, in their folder or each by itself. So does the schema.
    @Test func theSchemaAcceptsWhatTheGeneratorAccepts() throws {
      let tool = try Tool()
      /// Returns those of the lists of files that are valid together, with one shell for all.
      func valid(_ lists: [[String]]) throws -> [[String]] {
        let lines = lists.enumerated().map { index, files in
          let words = files.map { "'\($0)'" }.joined(separator: " ")
          return "\"$TOOL\" validate \(words) >&2 && echo \(index)"
        }
        let end = try tool.shell("{ \(lines.joined(separator: "\n"))\n} 2>/dev/null; true")
        return end.output.split(separator: "\n").compactMap { Int($0) }.map { lists[$0] }
      }
      let all = try Self.catalogs()
      let isNamed = all.mapValues { files in files.contains { file in Self.named.contains { file.contains($0) } } }
      let chosen =
        all.keys.filter { isNamed[$0] == true }
        + Sweep.sample(all.keys.filter { isNamed[$0] == false }.sorted(), quick: 10)
      Sweep.report("catalogs for the schema", "\(chosen.count) of \(all.count) folders")
      let folders = chosen.compactMap { all[$0] }
      let whole = try Set(valid(folders))
      let single = folders.filter { $0.count > 1 && !whole.contains($0) }.flatMap { $0.map { [$0] } }
      let files = try (whole + valid(single)).flatMap { $0 }
      #expect(files.count >= Sweep.count(quick: 8, full: 70))
      for name in Self.named { #expect(files.contains { $0.contains(name) }, "\(name)") }
      for (file, result) in try check(files, in: tool) { #expect(result == "valid", "\(file)") }
    }

    /// Golden cases of the generator whose mistakes are ones of shape, each with the start of the validator's message.
    private static let mistakes = [
      ("CorruptionPolicies", "$.keys."), ("DefaultsAsList", "$.defaults: "), ("EmptyFile", "$: None is not of type"),
      ("InvalidAllowances", "$.defaults: "), ("InvalidDurations", "$.keys."), ("InvalidNumbersAndFlags", "$.keys."),
      ("InvalidPrivacy", "$.keys."), ("InvalidRawValues", "$.types.Kind.raw: "), ("MisplacedFields", "$.defaults: "),
      ("MissingFields", "$: 'catalog' is a required property"), ("MissingVersion", "$: 'localdata' is a required"),
      ("NumbersBeyondAWatch", "$.keys.large.maxSize: 5000000000 is greater"), ("UnknownCases", "$.access: 'open'"),
      ("UnknownDomain", "$.keys.two.domain: "), ("UnknownFields", "$: Additional properties are not allowed ('key'"),
      ("UnsupportedVersion", "$.localdata: 1 was expected"), ("WrongKinds", "$.types: ['Theme'] is not of type"),
    ]

    @Test func theSchemaRefusesMistakesOfShape() throws {
      func file(_ name: String) -> String {
        Self.project.appending(path: "Tests/LocalDataModelTests/Cases/\(name)/catalog.yaml").path
      }
      let results = try check(Self.mistakes.map { file($0.0) }, in: Tool())
      for (name, start) in Self.mistakes {
        #expect(results[file(name)]?.hasPrefix(start) == true, "\(name): \(results[file(name)] ?? "")")
      }
    }

    /// Fields of a valid key, what they are replaced by, and the start of the validator's message.
    private static let wrongFields = [
      ("type: String", "tpye: String", "$.keys.theme: Additional properties are not allowed ('tpye' was unexpected)"),
      ("type: String", "type: {name: String}", "$.keys.theme.type: {'name': 'String'} is not of type"),
      ("owner: Team", "owner: [Team]", "$.keys.theme.owner: ['Team'] is not of type"),
      ("owner: Team", "owner: Team, backup: maybe", "$.keys.theme.backup: "),
      ("owner: Team", "owner: Team, backup: no", "$.keys.theme.backup: "),
      ("owner: Team", "owner: Team, schema: 0", "$.keys.theme.schema: "),
      ("owner: Team", "owner: Team, maxSize: -1", "$.keys.theme.maxSize: "),
      ("owner: Team", "owner: Team, privacy: {linked: true}", "$.keys.theme.privacy: 'collected' is a required"),
      ("owner: Team", "owner: Team, deprecated: {}", "$.keys.theme.deprecated: "),
      ("owner: Team", "owner: Team, reserved: true", "$.keys.theme: Additional properties"),
      ("domain: userDefaults", "domain: {keychain: {}, fileSystem: {}}", "$.keys.theme.domain: "),
      ("domain: userDefaults", "domain: {keychain: {servce: a}}", "$.keys.theme.domain"),
      ("domain: userDefaults", "domain: keychian", "$.keys.theme.domain: "),
      ("security: none", "security: encryptd", "$.keys.theme.security: "),
    ]

    @Test func theSchemaRefusesWrongFields() throws {
      let text = """
        localdata: 1
        catalog: A
        keys:
          theme: {type: String, domain: userDefaults, security: none, owner: Team, description: What the user chose.}

        """
      let tool = try Tool()
      try tool.write("Right.yaml", text)
      var files = ["Right.yaml"]
      for (index, (right, wrong, _)) in Self.wrongFields.enumerated() {
        files.append("Wrong\(index).yaml")
        try tool.write("Wrong\(index).yaml", text.replacing(right, with: wrong))
      }
      files = files.map { tool.folder.appending(path: $0).path }
      let results = try check(files, in: tool)
      #expect(results[files[0]] == "valid")
      for (file, (_, wrong, start)) in zip(files.dropFirst(), Self.wrongFields) {
        #expect(results[file]?.hasPrefix(start) == true, "\(wrong): \(results[file] ?? "")")
        // The generator refuses it too.
        #expect(try tool.run("validate", file).code == 1, "\(wrong)")
      }
    }
  }
#endif
