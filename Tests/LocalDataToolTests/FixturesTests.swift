import Foundation
import TestSupport
import Testing

/// `fixtures`: which files it makes, changes and leaves alone.
@Suite struct FixturesTests {
  private static let ours = ["AccountFixtureKeys.swift", "AccountFixtureTests.swift"]
  private static let all = ours + ["AccountFixtureValues.swift", "Fixtures/.manifest"]

  private func written() throws -> Tool {
    let tool = try Tool()
    try tool.write("Catalogs/Account.yaml", Tool.catalog("Account"))
    let result = try tool.run("fixtures", "--module", "App")
    try #require(result.code == 0, "\(result.errors)")
    #expect(
      result.output == """
        wrote 'Tests/AppTests/AccountFixtureKeys.swift'
        wrote 'Tests/AppTests/AccountFixtureTests.swift'
        wrote 'Tests/AppTests/AccountFixtureValues.swift'; edit its values

        """)
    return tool
  }

  @Test func besideTheTestsOfTheModule() throws {
    let tool = try written()
    #expect(tool.files(in: "Tests/AppTests") == Self.all)
    #expect(try tool.read("Tests/AppTests/AccountFixtureValues.swift").contains("var theme: String { \"a\" }"))
    #expect(try tool.read("Tests/AppTests/AccountFixtureKeys.swift").contains("@testable import App"))
    try tool.run("fixtures", "--module", "App", "--output", "Other/Place")
    #expect(tool.files(in: "Other/Place") == Self.all)
    let before = try tool.state(of: "Tests")
    #expect(try tool.run("fixtures", "--module", "App").output == "the tests are up to date\n")
    #expect(try tool.state(of: "Tests") == before)
  }

  @Test func valuesAreWrittenOnceAndWhatTheyLackIsPrinted() throws {
    let tool = try written()
    let mine = "struct AccountFixtureValues { let ofRelease: String; var theme: String { \"mine\" } }\n"
    try tool.write("Tests/AppTests/AccountFixtureValues.swift", mine)
    try tool.write("Catalogs/Account.yaml", Tool.catalog("Account", keys: ["theme", "locale", "class"]))
    let result = try tool.run("fixtures", "--module", "App")
    #expect(result.code == 0)
    #expect(
      result.output == """
        wrote 'Tests/AppTests/AccountFixtureKeys.swift'
        add to AccountFixtureValues.swift:
          var locale: String { "a" }
          var `class`: String { "a" }

        """)
    #expect(try tool.read("Tests/AppTests/AccountFixtureValues.swift") == mine)
    #expect(try tool.read("Tests/AppTests/AccountFixtureKeys.swift").contains("keys.add(\"locale\", .locale)"))
  }

  @Test(arguments: ours)
  func aFileThatIsNotOursIsLeftAndNothingIsWritten(_ name: String) throws {
    let tool = try Tool()
    try tool.write("Catalogs/Account.yaml", Tool.catalog("Account"))
    try tool.write("Tests/AppTests/\(name)", "// mine\n")
    let result = try tool.run("fixtures", "--module", "App")
    #expect(result.code == 3)
    #expect(result.errors.contains("was not written by this tool, and is left as it is"))
    #expect(tool.files(in: "Tests") == ["AppTests/\(name)"])
    #expect(try tool.read("Tests/AppTests/\(name)") == "// mine\n")
  }

  @Test func checkShowsWhatIsStaleAndWritesNothing() throws {
    let tool = try written()
    #expect(try tool.run("fixtures", "--module", "App", "--check").code == 0)
    try tool.write("Catalogs/Account.yaml", Tool.catalog("Account", keys: ["theme", "locale"]))
    let before = try tool.state(of: "Tests")
    let result = try tool.run("fixtures", "--module", "App", "--check")
    #expect(result.code == 1)
    #expect(result.output.contains("+    keys.add(\"locale\", .locale) { $0.locale }"))
    #expect(try tool.state(of: "Tests") == before)
  }

  @Test(arguments: ["", "1App", "../App", "App Tests", "App\n"])
  func aModuleIsOneName(_ module: String) throws {
    let tool = try Tool()
    try tool.write("Catalogs/Account.yaml", Tool.catalog("Account"))
    #expect(try tool.run("fixtures", "--module", module).code == 2)
    #expect(tool.files() == ["Catalogs/Account.yaml"])
  }

  /// The tests of a renamed catalog would not compile. Values and recordings are the developer's.
  @Test func aRenamedCatalogLeavesNoTests() throws {
    let tool = try written()
    try tool.write("Tests/AppTests/Fixtures/Account/1.0/theme.json", "{}")
    try FileManager.default.moveItem(
      at: tool.folder.appending(path: "Catalogs/Account.yaml"), to: tool.folder.appending(path: "Catalogs/User.yaml"))
    let result = try tool.run("fixtures", "--module", "App")
    #expect(
      result.output == """
        wrote 'Tests/AppTests/UserFixtureKeys.swift'
        wrote 'Tests/AppTests/UserFixtureTests.swift'
        removed 'Tests/AppTests/AccountFixtureKeys.swift'
        removed 'Tests/AppTests/AccountFixtureTests.swift'
        wrote 'Tests/AppTests/UserFixtureValues.swift'; edit its values
        AccountFixtureValues.swift and Fixtures/Account are of a catalog that is gone: rename them with the catalog, \
        or remove them

        """)
    #expect(
      tool.files(in: "Tests/AppTests") == [
        "AccountFixtureValues.swift", "Fixtures/.manifest", "Fixtures/Account/1.0/theme.json", "UserFixtureKeys.swift",
        "UserFixtureTests.swift", "UserFixtureValues.swift",
      ])
  }

  @Test func otherCatalogsKeepTheirTests() throws {
    let tool = try written()
    try tool.write("Catalogs/User.yaml", Tool.catalog("User", keys: ["locale"]))
    try tool.run("fixtures", "--module", "App", "Catalogs/User.yaml")
    #expect(tool.files(in: "Tests/AppTests").contains("AccountFixtureTests.swift"))
    #expect(try tool.run("fixtures", "--module", "App", "--check").code == 0)
  }

  /// A release with rows has to be recorded, until it is retired.
  @Test func databasesOfReleasesAreRequired() throws {
    let tool = try Tool()
    try tool.write("Catalogs/Notes.yaml", RecordReleaseTests.catalog)
    func keys() throws -> String {
      let result = try tool.run("fixtures", "--module", "App")
      #expect(result.code == 0, "\(result.errors)")
      return try tool.read("Tests/AppTests/NotesFixtureKeys.swift")
    }
    #expect(try !keys().contains("require"))
    for release in ["1.9", "1.10"] { #expect(try tool.run("release", release).code == 0) }
    let text = try keys()
    #expect(
      text.contains("    keys.add { $0.note }\n    keys.require(NotesDatabase.self, in: [\"1.9\", \"1.10\"])\n"),
      "\(text)")
    #expect(try tool.run("release", "--retire", "1.9").code == 0)
    #expect(try tool.run("fixtures", "--module", "App", "--check").code == 1)
    #expect(try keys().contains("in: [\"1.10\"])"))
    #expect(try tool.read("Tests/AppTests/NotesFixtureValues.swift").contains("var note: Note { Note(id: "))
  }

  /// The name of a snapshot becomes Swift source.
  @Test func snapshotsAreNamedForVersions() throws {
    let tool = try Tool()
    try tool.write("Catalogs/Notes.yaml", RecordReleaseTests.catalog)
    try #require(try tool.run("release", "1.0").code == 0)
    let folder = tool.folder.appending(path: "Catalogs/Releases")
    try FileManager.default.moveItem(
      at: folder.appending(path: "1.0.json"), to: folder.appending(path: "1\"]); fatalError(); _ = ([\".json"))
    let result = try tool.run("fixtures", "--module", "App")
    #expect(result.code == 2 && result.errors.contains("is not named for a version"), "\(result.errors)")
    #expect(tool.files(in: "Tests").isEmpty)
  }

  @Test func onAFindingNothingIsWritten() throws {
    let tool = try Tool()
    try tool.write("Catalogs/Account.yaml", Tool.catalog("Account") + "    schema: 2\n")
    let result = try tool.run("fixtures", "--module", "App")
    #expect(result.code == 1)
    #expect(result.errors.contains("[upgrade-gap]"))
    #expect(tool.files() == ["Catalogs/Account.yaml"])
  }
}
