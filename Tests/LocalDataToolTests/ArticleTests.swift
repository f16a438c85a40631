import Foundation
import TestSupport
import Testing

/// Tests that the code of the articles compiles, and does what they say.
@Suite struct ArticleTests {
  private static let succeeded = ChildProcess.End(code: 0, output: "")

  /// A folder with a catalog, and what is generated from it.
  private func folder(_ catalog: String, named name: String = "Account") throws -> Tool {
    let tool = try Tool()
    try tool.write("Catalogs/\(name).yaml", catalog)
    let result = try tool.run("generate")
    try #require(result.code == 0, "\(result.errors)")
    #expect(result.errors == "")
    return tool
  }

  private func readme() throws -> String { try DocumentedPage.readme.block("yaml", beginning: "localdata: 1") }

  // MARK: Getting started

  /// The article has one program, in several blocks.
  @Test func gettingStartedShowsOneProgram() throws {
    let page = try DocumentedPage(article: "GettingStarted")
    #expect(page.blocks("swift").count == 4)
    let tool = try folder(try page.block("yaml", beginning: "localdata: 1"), named: "Shop")
    let code = page.blocks("swift").joined(separator: "\n")
    let printed = DocumentedPage.printed(by: code)
    #expect(printed == ["system", "dark", "1", "token123", "signed out", "true", "dark", "token456", "true"])
    #if os(Linux)
      #expect(try DocumentedPage.run(code, in: tool) == printed)
    #endif
  }

  @Test func gettingStartedShowsTheFinding() throws {
    let page = try DocumentedPage(article: "GettingStarted")
    let path = "Sources/Shop/Catalogs/Shop.yaml"
    let tool = try Tool()
    try tool.write(
      path,
      try page.block("yaml", beginning: "localdata: 1")
        .replacingOccurrences(of: "domain: keychain\n", with: "domain: keychian\n"))
    let result = try tool.run("validate", path, "--format", "xcode")
    #expect(result.code == 1)
    #expect(result.output.hasPrefix(try page.block("", beginning: path)))
  }

  @Test func theLandingPageShowsTheReadmesCode() throws {
    let blocks = try DocumentedPage(article: "LocalData").blocks("swift")
    #expect(blocks.count == 1)
    #expect(try DocumentedPage.readme.text.contains(try #require(blocks.first)))
  }

  // MARK: Migrations

  /// The README's catalog with the keys of the article.
  private func migrations() throws -> String {
    let parts = try DocumentedPage(article: "Migrations").block("yaml", beginning: "defaults:")
      .components(separatedBy: "keys:\n")
    try #require(parts.count == 2)
    return try readme().replacingOccurrences(
      of: "defaults: {owner: AccountTeam, domain: userDefaults, security: none}\n", with: parts[0]
    )
    .replacingOccurrences(of: "default: system,", with: "security: none, default: system,")
    .replacingOccurrences(of: "types: {", with: "types: {Profile: {swift: Profile}, Cursor: {swift: Cursor}, ")
      + parts[1]
  }

  /// The migrations are in the catalog, and the code compiles with what is generated from it.
  @Test func theMigrationsAreSome() throws {
    let page = try DocumentedPage(article: "Migrations")
    #expect(page.blocks("swift").count == 3)
    let keys = try ["profile:", "oldSettings:", "cursor:", "draft:"].map { try page.block("yaml", beginning: $0) }
      .joined()
    let tool = try folder(try migrations() + keys.split(separator: "\n").map { "  \($0)\n" }.joined())
    let custom = try page.block("swift", beginning: "/// Moves the drafts")
    let end = try DocumentedPage.typecheck(
      page.blocks("swift").filter { $0 != custom }, end: ["_ = result.failures", "_ = profile"],
      declarations: """
        enum ThemeUpgrade {
          static func theme(_ isDark: Bool) throws -> Theme { isDark ? .dark : .light }
        }

        enum Percent {
          static func factor(_ percent: Int) throws -> Double { Double(percent) / 100 }
        }

        public struct Cursor: Codable, Sendable {
          public var number: Int
          static func newer(_ old: Cursor?, _ group: Cursor?) throws -> Cursor {
            [old, group].compactMap { $0 }.max { $0.number < $1.number } ?? Cursor(number: 0)
          }
        }

        public struct Profile: Codable, Sendable { public var name: String }

        struct ProfileV1: Codable, Sendable {
          var first: String
          static func upgraded(_ old: ProfileV1) throws -> Profile { Profile(name: old.first) }
        }

        enum OldDrafts {
          static func file(_ id: UUID) -> URL { URL(fileURLWithPath: "\\(id)") }
          static func documentIDs() throws -> [UUID] { [] }
        }

        \(custom)
        """, modules: ["LocalDataMaintenance"], in: tool)
    #expect(end == Self.succeeded)
  }

  /// The commands about releases, in a repository in which a catalog was edited.
  @Test func theCommandsAboutReleasesWork() throws {
    let lines = try DocumentedPage(article: "Migrations").blocks("sh")
      .flatMap { $0.split(separator: "\n").map(String.init) }
    #expect(lines.count == 5)
    let tool = try Tool()
    try tool.write("Catalogs/Account.yaml", try readme())
    try tool.git("init", "--quiet", "--initial-branch", "main")
    try tool.git("add", ".")
    try tool.git("commit", "--quiet", "-m", "Add the catalog")
    // The last line runs a test of an app: those of Tests/Consumers/RuntimeOnly are run by .ci/run.
    for line in lines where !line.contains("swift test") {
      #expect(line.hasPrefix("local-data "))
      let end = try tool.shell("local-data() { \"$TOOL\" \"$@\"; }; \(line)")
      #expect(end.code == 0, "\(line): \(end.output)")
    }
    #expect(tool.files(in: "Catalogs/Releases") == ["1.0.json"])
    #expect(tool.files(in: "Tests/AppTests").contains("AccountFixtureValues.swift"))
    #expect(tool.files(in: "Tests/AppTests").contains("AccountFixtureTests.swift"))
  }

  // MARK: Operation

  @Test func theFunctionsOfMaintenanceCompile() throws {
    let blocks = try DocumentedPage(article: "Maintenance").blocks("swift")
    #expect(blocks.count == 2)
    let end = try DocumentedPage.typecheck(blocks, end: ["_ = (sweep, damage)"], in: Tool())
    #expect(end == Self.succeeded)
  }

  @Test func theSourcesOfRootKeysCompile() throws {
    let blocks = try DocumentedPage(article: "EncryptionKeys").blocks("swift")
    #expect(blocks.count == 1)
    // The product LocalDataSecretService is empty without its trait.
    let end = try DocumentedPage.typecheck(
      blocks.map { $0.replacing(/(?m)^StorageConfiguration/, with: "_ = StorageConfiguration") },
      declarations: "extension RootKeySource { static var secretService: RootKeySource { .keyFile } }",
      modules: ["LocalDataMaintenance"], in: Tool())
    #expect(end == Self.succeeded)
  }

  @Test func theCodeAboutSyncCompiles() throws {
    let blocks = try DocumentedPage(article: "Sync").blocks("swift")
    #expect(blocks.count == 2)
    let tool = try folder(
      """
      localdata: 1
      catalog: Account
      defaults: {owner: AccountTeam, domain: userDefaults, security: none}
      keys:
        profile: {type: String, syncPolicy: manual, description: The profile of the user.}

      """)
    // The parts of WatchConnectivity that the app uses.
    let end = try DocumentedPage.typecheck(
      [blocks[0], "func share(_ session: WCSession, _ id: UUID) throws {\n\(blocks[1])}"],
      declarations: """
        final class WCSession {
          var applicationContext: [String: Any] = [:]
          func updateApplicationContext(_ context: [String: Any]) throws { applicationContext = context }
        }

        struct WatchConnectivityTransport: SyncTransport {
          var session: SyncSession { SyncSession(isActivated: true, isPaired: true, isInstalled: true) }
          func payload() -> Data? { nil }
          func put(_ payload: Data) {}
        }
        """, modules: ["LocalDataSync"], in: tool)
    #expect(end == Self.succeeded)
  }

  @Test func theCodeAboutDurabilityCompiles() throws {
    let blocks = try DocumentedPage(article: "Durability").blocks("swift")
    #expect(blocks.count == 3)
    let tool = try folder(
      """
      localdata: 1
      catalog: Account
      defaults: {owner: AccountTeam, domain: userDefaults}
      keys:
        session: {type: String, description: Where the user is signed in.}

      """)
    let end = try DocumentedPage.typecheck(
      blocks, end: ["", "", "_ = router"],
      declarations: """
        func askToSignInAgain(_ keys: [StorageError.Subject]) async {}
        func userGivesUpEncryptedValues() async -> Bool { true }
        """,
      modules: ["LocalDataMaintenance"], in: tool)
    #expect(end == Self.succeeded)
  }

  /// The catalog of the article is one, and its blocks are one program.
  @Test func theCodeAboutKeyPairsCompiles() throws {
    let page = try DocumentedPage(article: "KeyPairs")
    let tool = try folder(try #require(page.blocks("yaml").first), named: "Identity")
    #expect(page.blocks("swift").count == 3)
    let end = try DocumentedPage.typecheck(
      [page.blocks("swift").joined(separator: "\n") + "\n_ = proofs"], modules: ["LocalDataSigning"], in: tool)
    #expect(end == Self.succeeded)
  }

  @Test func theCodeAboutBackupsCompiles() throws {
    let page = try DocumentedPage("Sources/LocalDataBackup/LocalDataBackup.docc/Backups.md")
    let tool = try folder(try #require(page.blocks("yaml").first), named: "Notes")
    #expect(page.blocks("swift").count == 5)
    let end = try DocumentedPage.typecheck(
      [page.blocks("swift").joined(separator: "\n")], modules: ["LocalDataBackup"], in: tool)
    #expect(end == Self.succeeded)
  }

  @Test func theCodeAboutExtensionsCompiles() throws {
    let page = try DocumentedPage(article: "Extensions")
    let tool = try folder(try #require(page.blocks("yaml").first), named: "Shared")
    #expect(page.blocks("swift").count == 2)
    let end = try DocumentedPage.typecheck(page.blocks("swift"), modules: ["LocalDataRecords"], in: tool)
    #expect(end == Self.succeeded)
  }

  // MARK: Records

  /// The catalog of the article about records is one, and the code of both articles compiles with what is generated from it.
  @Test(arguments: [("Wallet", 4), ("Queries", 6)])
  func theArticlesAboutRecordsShowCodeThatCompiles(name: String, count: Int) throws {
    let folderOfPages = "Sources/LocalDataRecords/LocalDataRecords.docc/"
    let page = try DocumentedPage(folderOfPages + name + ".md")
    let catalog = try DocumentedPage(folderOfPages + "Wallet.md").blocks("yaml").first
    let tool = try folder(try #require(catalog), named: "Wallet")
    #expect(page.blocks("swift").count == count)
    // The blocks are one program.
    let end = try DocumentedPage.typecheck(
      [page.blocks("swift").joined(separator: "\n")], modules: ["LocalDataRecords"], in: tool)
    #expect(end == Self.succeeded)
  }
}
