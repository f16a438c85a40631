// The list of the linker's inputs has this form on Linux.
#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// Golden Swift, linked with the runtime and run: the values that an app reads.
  struct GeneratedCodeRunsTests {
    /// Expressions of an app, each with what it prints.
    static let results: [(expression: String, printed: String)] = [
      // A case named `none` or `some` is not a case of Optional.
      (#"Unit(name: "a").order == SortOrder.none"#, "true"),
      (#"Unit(name: "a").order == nil"#, "false"),
      (#"Unit(name: "a").second == SortOrder.none"#, "true"),
      (#"Unit(name: "a").third == SortOrder.some"#, "true"),
      (#"Unit(name: "a").list == [SortOrder.none, SortOrder.up]"#, "true"),
      (##"try decode(Unit.self, #"{"name":"a"}"#) == Unit(name: "a")"##, "true"),
      (##"try decode(Unit.self, #"{"name":"a","order":null}"#).order == nil"##, "true"),
      ("try await synced.get(.clashOrder(key: \"x\", id: UUID())) == SortOrder.none", "true"),
      // A parameter keeps its label and its place in the stored name when it has another local name.
      (#"StorageKey<String?>.clashText(key: "x", in: 1, id: UUID()).name.hasPrefix("clashText_x_1_")"#, "true"),
      (#"StorageKey<clashModels.Item>.clashItem(clashModels: "x").name"#, "clashItem_x"),
      // Literals of types whose initializers can return nil.
      ("try await router.get(.mainAddress)", "https://example.com/"),
      (#"Everything(in: "x", nested: []).home"#, "https://example.com/a?b=c"),
      (#"Everything(in: "x", nested: []).price"#, "0.1"),
      ("try await router.get(.aDecimal)", "3.133"),
      ("try await Array(router.get(.manyBytes)) == Array(0..<48)", "true"),
      // Texts that are written on several lines.
      ("try await router.get(.longWord) == String(repeating: \"x\", count: 230)", "true"),
      (#"try await router.get(.longLetters) == String(repeating: "\u{E9}\n", count: 90)"#, "true"),
      (
        #"try await router.get(.longText).hasPrefix("A sentence that goes on and on, with commas, (brackets), ")"#,
        "true"
      ),
      ("try await router.get(.longText) == LongChoice.first.rawValue", "true"),
      ("try await router.get(.longList).last ?? \"\"", "number 29, of (many)"),
      ("try await router.get(.longMap).count", "30"),
      ("try await router.get(.longAddress).absoluteString.count", "264"),
      ("StorageKey<String?>.longFamily(id: UUID()).name.count", "218"),
      // Bytes of a literal that has to be escaped.
      (##"try await String(decoding: router.get(.quotedText), as: UTF8.self) == #""\(x) \"#"##, "true"),
      // The fields of one value of an earlier release, and a family of them.
      (
        #"try await router.set(["list": ["sortOrder": "oldest"], "player.speed": 1.5, "users": ["# + partUser
          + #": ["newest": ["7": "text"]]]], for: StorageKey<AnyCodable?>(name: "partSettings", "#
          + #"domain: .userDefaults(), security: .none, serializer: .propertyList, owner: "Team", description: "1.0."))"#,
        "()"
      ),
      (
        #"try await router.set("Ada Lovelace", for: StorageKey<String?>(name: "partName", domain: .userDefaults(), "#
          + #"security: .none, serializer: .propertyList, owner: "Team", description: "1.0."))"#, "()"
      ),
      // A value that was never secured in place, at the old address of one that was.
      (
        #"try await router.set("text", for: StorageKey<String?>("# + #"name: "note", domain: .userDefaults(), "#
          + #"security: .none, owner: "Team", description: "As of 1.0."))"#, "()"
      ),
      // The end of a subscription in the form of another library.
      (
        ##"try await router.set(#""2023-11-14T22:13:20Z""#, for: StorageKey<String?>(name: "expires", "##
          + #"domain: .userDefaults(), security: .none, serializer: .propertyList, owner: "Team", description: "1.0."))"#,
        "()"
      ),
      // A word of another library, and a number.
      (
        #"try await router.set("YES", for: StorageKey<String?>(name: "isDark", "#
          + #"domain: .userDefaults(), security: .none, serializer: .propertyList, owner: "Team", description: "1.0."))"#,
        "()"
      ),
      (
        #"try await router.set(2, for: StorageKey<Int?>(name: "speed", "#
          + #"domain: .userDefaults(), security: .none, owner: "Team", description: "1.0."))"#, "()"
      ),
      ("try router.registerCatalog(LegacyCatalog.self)", "()"),
      ("try await router.get(.isDark)", "true"),
      ("try await router.get(.speed) == 2", "true"),
      ("try await router.update(.speed) { $0? += 0.5 } == 2.5", "true"),
      ("await router.migrations.migrateAll().failures", "[]"),
      ("try await router.get(.movedNote) == \"text\"", "true"),
      ("try await router.get(.expiry)?.timeIntervalSince1970 == 1_700_000_000", "true"),
      (
        #"try await StorageRouter(configuration: StorageConfiguration(roots: StorageRoots(below: folder))).get("#
          + #"StorageKey<Double?>(name: "expiry", domain: .userDefaults(), security: .none, "#
          + #"serializer: .propertyList, owner: "Team", description: "As others see it.")) == 1_700_000_000"#, "true"
      ),
      ("try router.registerCatalog(AdoptedCatalog.self)", "()"),
      ("try await router.get(.partSort)", "oldest"),
      ("try await router.get(.partFirst) == \"Ada\"", "true"),
      ("await router.migrations.migrateAll().failures", "[]"),
      ("try await router.get(.partSpeed)", "1.5"),
      ("try await router.get(.partLast) == \"Lovelace\"", "true"),
      (
        "try await router.get(.partDraft(userID: UUID(uuidString: \(partUser))!, page: 7, sort: .newest)) == \"text\"",
        "true"
      ),
      ("try await router.members(of: .partDraft).count", "1"),
    ]

    private static let partUser = #""3F2504E0-4F89-41D3-9A0C-0305E82C3301""#

    @Test func valuesAreThoseOfTheCatalog() throws {
      let folder = try ScratchFolder()
      let main = folder.url.appendingPathComponent("main.swift")
      let prints = Self.results.map { "print(\($0.expression))" }.joined(separator: "\n")
      try Data((Self.head + prints + "\n").utf8).write(to: main)
      let program = folder.url.appendingPathComponent("program").path
      let building = try GeneratedCodeCompilesTests.compile(
        GeneratedCodeCompilesTests.Settings(languageMode: "6", isolation: [], features: []),
        ["-module-name", "App", "-o", program, main.path] + GeneratedCodeCompilesTests.files(in: folder)
          + BuiltProducts.objects() + ["-lsqlite3", "-lstdc++"])
      try #require(building == ChildProcess.End(code: 0, output: ""))
      let end = try ChildProcess.run(program, [folder.url.path])
      #expect(end.code == 0)
      let lines = end.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
      try #require(lines.count == Self.results.count, "\(end.output)")
      for (line, result) in zip(lines, Self.results) {
        #expect(line == result.printed, "\(result.expression)")
      }
    }

    private static let head = """
      import Foundation
      import LocalData
      import LocalDataSync

      func decode<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(json.utf8))
      }

      let folder = URL(fileURLWithPath: CommandLine.arguments[1]).appendingPathComponent("data")
      let router = StorageRouter(configuration: StorageConfiguration(roots: StorageRoots(below: folder)))
      let synced = StorageRouter.inMemory()
      try synced.registerCatalog(ClashCatalog.self)

      """
  }
#endif
