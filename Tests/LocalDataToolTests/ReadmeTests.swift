import Foundation
import TestSupport
import Testing

/// Tests that the tool does what the README shows.
@Suite struct ReadmeTests {
  private static let readme = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("README.md")

  /// The first code block that begins with a text.
  private func block(_ language: String, beginning: String) throws -> String {
    try #require(try blocks(language, of: Self.readme).first { $0.hasPrefix(beginning) })
  }

  private func blocks(_ language: String, of page: URL) throws -> [String] {
    try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```\(language)\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
  }

  @Test func theCatalogIsOne() throws {
    let tool = try Tool()
    try tool.write("Catalogs/Account.yaml", try block("yaml", beginning: "localdata: 1"))
    let result = try tool.run("generate")
    #expect(result.code == 0)
    #expect(result.errors == "")
    #expect(tool.files(in: "Generated").filter { $0.hasSuffix(".swift") } == ["Account.keys.swift"])
  }

  @Test func theFindingIsWhatTheToolSays() throws {
    let catalog = try block("yaml", beginning: "localdata: 1")
      .replacingOccurrences(of: "domain: keychain,", with: "domain: keychian,")
    let tool = try Tool()
    try tool.write("Catalogs/Account.yaml", catalog)
    let result = try tool.run("validate", "--format", "xcode")
    #expect(result.code == 1)
    #expect(result.output.hasPrefix(try block("", beginning: "Catalogs/Account.yaml:")))
  }

  /// Every line of the tool's page that calls the tool, in one folder, one after the other.
  @Test func theToolsPageShowsCommandsThatWork() throws {
    let page = Self.readme.deletingLastPathComponent().appending(path: "Sources/LocalData/LocalData.docc/Tool.md")
    let blocks = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```sh\n").dropFirst()
    let lines = blocks.flatMap { $0.components(separatedBy: "```")[0].split(separator: "\n").map(String.init) }
      .filter { !$0.contains("--watch") }
    #expect(lines.count == 27)
    let tool = try Tool()
    try tool.write("Catalogs/Account.yaml", try block("yaml", beginning: "localdata: 1"))
    // What the folder of an app has.
    try tool.write("README.md", "# Account\n\n<!-- local-data:begin -->\n<!-- local-data:end -->\n")
    let entitlements = try tool.run("entitlements").output
    try tool.write("App/App.entitlements", "<plist version=\"1.0\">\n<dict>\n\(entitlements)</dict>\n</plist>\n")
    try tool.write("fastlane/Fastfile", "")
    for line in lines {
      #expect(line.hasPrefix("local-data "))
      let end = try tool.shell("local-data() { \"$TOOL\" \"$@\"; }; \(line)")
      #expect(end.code == 0, "\(line): \(end.output)")
    }
    #expect(tool.files(in: "Sources/App/Generated").contains("Account.keys.swift"))
  }

  /// The migrations are in the catalog, and the code compiles with what is generated from it.
  @Test func theMigrationsAreSome() throws {
    let catalog = try block("yaml", beginning: "localdata: 1")
    let migrations = try block("yaml", beginning: "defaults:").components(separatedBy: "keys:\n")
    try #require(migrations.count == 2)
    let tool = try Tool()
    try tool.write(
      "Catalogs/Account.yaml",
      catalog.replacingOccurrences(
        of: "defaults: {owner: AccountTeam, domain: userDefaults, security: none}\n", with: migrations[0]
      )
      .replacingOccurrences(of: "default: system,", with: "security: none, default: system,") + migrations[1])
    let result = try tool.run("generate")
    #expect(result.errors == "")
    try tool.write(
      "App.swift",
      """
      import LocalData
      import LocalDataMaintenance

      enum ThemeUpgrade {
        static func theme(_ isDark: Bool) throws -> Theme { isDark ? .dark : .light }
      }

      func launch(_ router: StorageRouter) async throws {
      \(try block("swift", beginning: "try router.updateStorageConfiguration"))
        _ = result.failures
      }
      """)
    let end = try typecheck(["App.swift", "Generated/Account.keys.swift"], in: tool)
    #expect(end == ChildProcess.End(code: 0, output: ""))
  }

  /// The catalog of the article about records is one, and its code compiles with what is generated from it.
  @Test func theArticleAboutRecordsShowsCodeThatCompiles() throws {
    let page = Self.readme.deletingLastPathComponent()
      .appending(path: "Sources/LocalDataRecords/LocalDataRecords.docc/Wallet.md")
    let tool = try Tool()
    try tool.write("Catalogs/Wallet.yaml", try #require(try blocks("yaml", of: page).first))
    let result = try tool.run("generate")
    #expect(result.errors == "")
    let code = try blocks("swift", of: page)
    #expect(code.count == 4)
    try tool.write(
      "App.swift",
      """
      import Foundation
      import LocalData
      import LocalDataRecords

      func run(_ router: StorageRouter) async throws {
      \(code.joined(separator: "\n"))
      }
      """)
    let end = try typecheck(["App.swift", "Generated/Wallet.keys.swift"], in: tool)
    #expect(end == ChildProcess.End(code: 0, output: ""))
  }

  private func typecheck(_ files: [String], in tool: Tool) throws -> ChildProcess.End {
    try ChildProcess.run(
      "/usr/bin/env",
      ["swiftc", "-typecheck", "-warnings-as-errors", "-swift-version", "6", "-module-name", "App"]
        + BuiltProducts.moduleArguments
        + ["-module-cache-path", BuiltProducts.folder.appending(path: "ModuleCache").path]
        + files.map { tool.folder.appending(path: $0).path })
  }
}
