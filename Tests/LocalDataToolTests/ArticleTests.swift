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

  // MARK: The language

  /// The first catalog of a page is one, and the page's code compiles with what is generated from it.
  @Test(arguments: [
    ("Keys", "Player", ""), ("Families", "Editor", ""), ("Records", "Wallet", ""),
    ("Types", "Profiles", "struct Badge: Codable, Sendable { static let empty = Badge() }"),
  ])
  func theCodeOfTheLanguageCompiles(page: String, catalog: String, declarations: String) throws {
    let page = try DocumentedPage(article: page)
    let tool = try folder(try #require(page.blocks("yaml").first), named: catalog)
    #expect(page.blocks("swift").count == 1)
    let end = try DocumentedPage.typecheck(
      page.blocks("swift"), declarations: declarations, modules: ["LocalDataRecords"], in: tool)
    #expect(end == Self.succeeded)
  }

  // MARK: Migrations

  /// The migrations are in one catalog, and the code compiles with what is generated from it.
  @Test func theArticleOnMigrationsShowsCodeThatCompiles() throws {
    let page = try DocumentedPage(article: "Migrations")
    #expect(page.blocks("swift").count == 4)
    let catalog = try #require(page.blocks("yaml").first).replacingOccurrences(
      of: "types:\n", with: "types:\n  Profile: {swift: Profile}\n  Cursor: {swift: Cursor}\n")
    let keys = try ["profile:", "oldSettings:", "cursor:", "city:"].map { try page.block("yaml", beginning: $0) }
      .joined()
    let tool = try folder(catalog + keys.split(separator: "\n").map { "  \($0)\n" }.joined())
    let city = try page.block("swift", beginning: "/// Moves a part")
    let upgrading = try #require(page.text.firstMatch(of: /`(\.upgrading\(by: [^`]+)`/)).1
    // The functions of a family are compiled and run by DocumentedMigrationTests.
    let end = try DocumentedPage.typecheck(
      page.blocks("swift").filter { $0 != city && !$0.hasPrefix("static func members") },
      end: ["", "_ = result.failures"],
      declarations: """
        let account = UUID()

        enum ThemeUpgrade {
          static func theme(_ isDark: Bool) throws -> Theme { isDark ? .dark : .light }
        }

        enum Percent {
          static func factor(_ percent: Int) throws -> Double { Double(percent) / 100 }
        }

        struct Cursor: Codable, Sendable {
          var number: Int
          static func newer(_ old: Cursor?, _ group: Cursor?) throws -> Cursor {
            [old, group].compactMap { $0 }.max { $0.number < $1.number } ?? Cursor(number: 0)
          }
        }

        struct Profile: Codable, Sendable { var name: String }

        struct ProfileV1: Codable, Sendable {
          var first: String
          static func upgraded(_ old: ProfileV1) throws -> Profile { Profile(name: old.first) }
        }

        let profile = StorageKey<Profile?>(
          name: "profile", domain: .userDefaults(), security: .none, owner: "AccountTeam", description: "The user's profile."
        )\(upgrading)

        \(city)
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
    let page = try DocumentedPage(article: "Housekeeping")
    #expect(page.blocks("swift").count == 8)
    let tool = try folder(
      """
      localdata: 1
      catalog: Account
      defaults: {owner: AccountTeam, domain: userDefaults, security: none}
      keys:
        theme: {type: String, description: The colors that the user chose.}

      """)
    let wishes = page.text.matches(of: /`m\.(\w+)\(/).map { String($0.1) }
    #expect(wishes.count > 15)
    // Each function of the table is one of the namespace.
    let functions = Set(wishes).sorted().map { "_ = \($0 == "restore" ? "m.restore(_:replacing:)" : "m.\($0)")" }
    let end = try DocumentedPage.typecheck(
      page.blocks("swift"),
      declarations: """
        func wishes(_ m: Maintenance) {
        \(functions.joined(separator: "\n"))
        }
        """, modules: ["LocalDataMaintenance", "LocalDataRecords"], in: tool)
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

  /// The article leads to the first value that a watch receives.
  @Test func theArticleOnSyncShowsAValueThatArrives() throws {
    let page = try DocumentedPage(article: "Sync")
    let tool = try folder(try #require(page.blocks("yaml").first), named: "Training")
    let program = try page.block("swift", beginning: "import LocalDataSync\n")
    let printed = DocumentedPage.printed(by: program)
    #expect(printed == ["mi", "2"])
    #if os(Linux)
      #expect(try DocumentedPage.run(program, with: ["LocalDataSync", "LocalDataTesting"], in: tool) == printed)
    #endif
  }

  @Test func theCodeAboutSyncCompiles() throws {
    let page = try DocumentedPage(article: "Sync")
    let blocks = page.blocks("swift")
    #expect(blocks.count == 5)
    let tool = try folder(try #require(page.blocks("yaml").first), named: "Training")
    // The parts of WatchConnectivity that the app uses.
    let end = try DocumentedPage.typecheck(
      [blocks[1...3].joined(separator: "\n") + "\n_ = device", blocks[4]],
      declarations: """
        let id = UUID()
        nonisolated(unsafe) let session = WCSession.default

        enum WCSessionActivationState { case activated }

        protocol WCSessionDelegate: AnyObject {
          func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?)
          func session(_ session: WCSession, didReceiveApplicationContext context: [String: Any])
          func sessionDidBecomeInactive(_ session: WCSession)
          func sessionDidDeactivate(_ session: WCSession)
        }

        final class WCSession {
          nonisolated(unsafe) static let `default` = WCSession()
          weak var delegate: (any WCSessionDelegate)?
          var receivedApplicationContext: [String: Any] = [:]
          var applicationContext: [String: Any] = [:]
          func activate() {}
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

  /// The articles about durability and repairs.
  @Test func theCodeAboutDurabilityCompiles() throws {
    let blocks = try ["Durability", "Repairs"].flatMap { try DocumentedPage(article: $0).blocks("swift") }
    #expect(blocks.count == 4)
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
