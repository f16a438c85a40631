import Foundation
import TestSupport
import Testing

/// `release` and `diff` as commands: files, exit codes and messages.
@Suite struct ReleaseTests {
  private func tool(_ name: String = "Account", keys: [String] = ["theme", "size"]) throws -> Tool {
    let tool = try Tool()
    try tool.write("Catalogs/\(name).yaml", Tool.catalog(name, keys: keys))
    return tool
  }

  @Test func aReleaseProtectsWhatItStored() throws {
    let tool = try tool()
    #expect(try tool.run("release", "1.0").code == 0)
    let snapshot = try tool.read("Catalogs/Releases/1.0.json")
    #expect(snapshot.hasPrefix("{\n  \"format\": 1,\n  \"release\": \"1.0\",\n"))
    #expect(try tool.run("validate").code == 0)
    try tool.write("Catalogs/Account.yaml", Tool.catalog("Account", keys: ["theme"]))
    for verb in ["validate", "generate"] {
      let result = try tool.run(verb)
      #expect(result.code == 1)
      let text = result.output + result.errors
      #expect(text.contains("Catalogs/Account.yaml:1:1: error: release 1.0 stored 'size'"), "\(text)")
      #expect(text.contains("[released-key-removed]"))
    }
    #expect(tool.files(in: "Generated").isEmpty)
    // The other verbs say what is declared, whatever was released.
    #expect(try tool.run("audit").code == 0)
    #expect(try tool.run("release", "--retire", "1.0").code == 0)
    #expect(try tool.run("validate").code == 0)
    #expect(tool.files(in: "Catalogs") == ["Account.yaml", "Releases/Retired/1.0.json"])
    #expect(try tool.read("Catalogs/Releases/Retired/1.0.json") == snapshot)
  }

  @Test func aReleaseIsWrittenOnce() throws {
    let tool = try tool()
    #expect(try tool.run("release", "1.0").code == 0)
    let state = try tool.state(of: "Catalogs")
    #expect(try tool.run("release", "1.0").output.contains("is up to date"))
    #expect(try tool.state(of: "Catalogs") == state)
    try tool.write("Catalogs/Account.yaml", Tool.catalog("Account", keys: ["theme", "size", "more"]))
    let refused = try tool.run("release", "1.0")
    #expect(refused.code == 2)
    #expect(refused.errors.contains("a release does not change"))
    #expect(try tool.run("release", "1.1").code == 0)
    #expect(try tool.run("release", "1.0", "--retire").code == 0)
    #expect(try tool.run("release", "1.0").errors.contains("is retired"))
    #expect(try tool.run("release", "--retire", "7").code == 2)
  }

  @Test func catalogsWithErrorsAreNotReleased() throws {
    let tool = try tool()
    try tool.write("Catalogs/Bad.yaml", "localdata: 1\ncatalog: Bad\nkeys: {a: {}}\n")
    #expect(try tool.run("release", "1.0").code == 1)
    #expect(!tool.files().contains { $0.hasSuffix(".json") })
  }

  /// If a release would lose data, the tool reports an error before it writes the snapshot.
  @Test func aReleaseThatLosesDataIsNotWritten() throws {
    let tool = try tool()
    #expect(try tool.run("release", "1.0").code == 0)
    try tool.write("Catalogs/Account.yaml", Tool.catalog("Account", keys: ["theme"]))
    #expect(try tool.run("release", "1.1").code == 1)
    #expect(tool.files(in: "Catalogs/Releases") == ["1.0.json"])
  }

  @Test(arguments: ["", "..", "../1", "1/2", "v1", "1.", "-1", "1 0", "1.0\n"])
  func namesThatAreNoVersionsAreRefused(version: String) throws {
    let tool = try tool()
    #expect(try tool.run("release", "--", version).code == 2)
    #expect(tool.files() == ["Catalogs/Account.yaml"])
  }

  @Test func aDamagedOrNewerSnapshotEndsTheRun() throws {
    let tool = try tool()
    try tool.write("Catalogs/Releases/1.0.json", "{\"format\": 99, \"release\": \"1.0\", \"keys\": {}}\n")
    let newer = try tool.run("validate")
    #expect(newer.code == 3)
    #expect(newer.errors.contains("has the format 99"))
    try tool.write("Catalogs/Releases/1.0.json", "{\n  \"format\": 1,\n<<<<<<< HEAD\n")
    let damaged = try tool.run("generate")
    #expect(damaged.code == 3)
    #expect(damaged.errors.contains("Releases/1.0.json"))
  }

  @Test func aSnapshotWithTheNameOfAnotherReleaseEndsTheRun() throws {
    let tool = try tool()
    #expect(try tool.run("release", "1.1").code == 0)
    try tool.write("Catalogs/Releases/1.0.json", try tool.read("Catalogs/Releases/1.1.json"))
    let result = try tool.run("validate")
    #expect(result.code == 3)
    #expect(result.errors.contains("named for release 1.0, and it is of release 1.1"), "\(result.errors)")
  }

  /// Users skip releases: each snapshot counts, in the order of versions.
  @Test func allReleasesAreCompared() throws {
    let tool = try tool(keys: ["theme"])
    #expect(try tool.run("release", "1.9").code == 0)
    #expect(try tool.run("release", "1.10").code == 0)
    for version in ["2.0", "2.0-beta.1", "2.0.1", "2.0-beta.10", "2.0-beta.2"] {
      #expect(try tool.run("release", version).code == 0)
    }
    try tool.write("Catalogs/Account.yaml", Tool.catalog("Account", keys: ["size"]))
    let output = try tool.run("validate").output
    let versions = "1.9, 1.10, 2.0-beta.1, 2.0-beta.2, 2.0-beta.10, 2.0 and 2.0.1"
    #expect(output.contains("releases \(versions) stored 'theme'"), "\(output)")
  }

  /// A run over one catalog says nothing of those that it did not read.
  @Test func otherCatalogsAreNotTakenForRemoved() throws {
    let tool = try tool()
    try tool.write("Catalogs/Other.yaml", Tool.catalog("Other", keys: ["note"]))
    #expect(try tool.run("release", "1.0").code == 0)
    #expect(try tool.run("validate", "Catalogs/Account.yaml").code == 0)
    try tool.remove("Catalogs/Other.yaml")
    #expect(try tool.run("validate").code == 1)
  }

  /// A finding about a release that a key allows is allowed for every verb. Only a run that compares with all releases knows
  /// whether the entry is one too many.
  @Test(arguments: ["released-protection-weaker", "released-retention-shortened"])
  func anAllowedChangeIsAllowedByEveryVerb(rule: String) throws {
    let tool = try Tool()
    let isRetention = rule == "released-retention-shortened"
    func catalog(_ fields: String) -> String {
      """
      localdata: 1
      catalog: Account
      defaults: {owner: Team}
      keys:
        token: {type: String, domain: keychain, \(fields), description: Says who the user is.}

      """
    }
    let before = "security: {keychain: {accessibility: whenUnlocked}}, retention: {maxAge: 30d}"
    let after =
      isRetention
      ? before.replacing("30d", with: "1d") : before.replacing("whenUnlocked", with: "afterFirstUnlock")
    try tool.write("Catalogs/Account.yaml", catalog(before))
    #expect(try tool.run("release", "1.0").code == 0)
    try tool.write("Catalogs/Account.yaml", catalog(after))
    #expect(try tool.run("validate").code == (isRetention ? 1 : 0))
    #expect(try tool.run("diff", "--against", "1.0").code == (isRetention ? 1 : 0))
    let allowed = catalog("\(after), allow: [{rule: \(rule), reason: It is meant.}]")
    try tool.write("Catalogs/Account.yaml", allowed)
    for result in [
      try tool.run("validate"), try tool.run("audit"), try tool.run("diff", "--against", "1.0"),
      try tool.run("generate"),
    ] {
      let text = result.output + result.errors
      #expect(!text.contains("stale-suppression") && !text.contains("[\(rule)]"), "\(text)")
    }
    #expect(try tool.run("diff", "--against", "1.0").code == 0)
    #expect(try tool.run("diff", "--against", "1.0", "--scaffold").output.isEmpty)
    let kind = isRetention ? "storage" : "security"
    #expect(try tool.run("diff", "--against", "1.0", "--deny-class", kind).code == 1)
    // One release alone does not show that the entry is one too many.
    #expect(try tool.run("release", "1.1").code == 0)
    let later = try tool.run("diff", "--against", "1.1")
    #expect(later.output == "no changes since release 1.1\n" && later.errors.isEmpty, "\(later.errors)")
    #expect(try tool.run("release", "--retire", "1.0").code == 0)
    #expect(try tool.run("validate").output.contains("stale-suppression"))
  }

  // MARK: diff

  @Test func diffComparesWithEachKindOfState() throws {
    let tool = try tool(keys: ["theme"])
    #expect(try tool.run("release", "1.0").code == 0)
    try tool.write("Before/Account.catalog.yaml", Tool.catalog("Account", keys: ["theme"]))
    try tool.write("Catalogs/Account.yaml", Tool.catalog("Account", keys: ["theme", "size"]))
    try tool.git("init", "-q")
    try tool.git("add", "-A")
    try tool.git("commit", "-q", "-m", "One")
    try tool.write("Catalogs/Account.yaml", Tool.catalog("Account", keys: ["theme", "size", "more"]))
    for (against, count) in [
      ("1.0", 2), ("Catalogs/Releases/1.0.json", 2), ("Before", 2), ("Before/Account.catalog.yaml", 2), ("HEAD", 1),
    ] {
      let result = try tool.run("diff", "--against", against)
      #expect(result.code == 0, "\(result.errors)")
      #expect(result.output.contains("\(count) added since"), "\(against): \(result.output)")
    }
    #expect(try tool.run("diff", "--against", "Catalogs").output == "no changes since 'Catalogs'\n")
  }

  @Test func diffFailsForLostValuesAndDeniedClasses() throws {
    let tool = try tool(keys: ["theme", "size"])
    try tool.write("Before/Account.catalog.yaml", Tool.catalog("Account", keys: ["theme", "size"]))
    let text = Tool.catalog("Account", keys: ["theme", "size"])
    try tool.write("Catalogs/Account.yaml", text.replacing("name: Account_size", with: "name: other"))
    let lost = try tool.run("diff", "--against", "Before")
    #expect(lost.code == 1)
    #expect(lost.errors.contains("Catalogs/Account.yaml:11:3: error: 'Before' stored 'size'"), "\(lost.errors)")
    let scaffold = try tool.run("diff", "--against", "Before", "--scaffold")
    #expect(scaffold.output.contains("    migration: {from: {name: Account_size}}\n"), "\(scaffold.output)")
    try tool.write(
      "Catalogs/Account.yaml",
      text.replacing("name: Account_size", with: "name: other\n    migration: {from: {name: Account_size}}"))
    #expect(try tool.run("diff", "--against", "Before").code == 0)
    try tool.write(
      "Catalogs/Account.yaml", text.replacing("name: Account_size", with: "access: public\n    name: Account_size"))
    #expect(try tool.run("diff", "--against", "Before").code == 0)
    #expect(try tool.run("diff", "--against", "Before", "--deny-class", "storage").code == 0)
    #expect(try tool.run("diff", "--against", "Before", "--deny-class", "storage", "source").code == 1)
  }

  @Test func whatCannotBeComparedIsNoSuccess() throws {
    let tool = try tool()
    let outside = try tool.run("diff", "--against", "main")
    #expect(outside.code == 2)
    #expect(outside.errors.contains("Git repository"), "\(outside.errors)")
    try tool.git("init", "-q")
    #expect(try tool.run("diff", "--against", "HEAD").code == 2)
    try tool.write("README.md", "Hello.")
    try tool.git("add", "README.md")
    try tool.git("commit", "-q", "-m", "One")
    let empty = try tool.run("diff", "--against", "HEAD")
    #expect(empty.code == 2)
    #expect(empty.errors.contains("has no catalogs"), "\(empty.errors)")
    let missing = try tool.run("diff", "--against", "nothing")
    #expect(missing.code == 2)
    #expect(missing.errors.contains("'nothing'"))
    for revision in ["--help", "-x", "--output=owned", "HEAD --", "HEAD^{tree}:x", ""] {
      #expect(try tool.run("diff", "--against=\(revision)").code == 2, "\(revision)")
    }
    #expect(!tool.files().contains { $0.hasPrefix("owned") })
    try tool.write("Empty/note.txt", "")
    #expect(try tool.run("diff", "--against", "Empty").code == 2)
    try tool.write("Bad/Bad.catalog.yaml", "localdata: 1\ncatalog: Bad\nkeys: {a: {}}\n")
    #expect(try tool.run("diff", "--against", "Bad").code == 3)
  }

  /// Git refuses a repository of another user. The test makes Git take the user for another one.
  @Test func aRepositoryOfAnotherUserIsExplained() throws {
    let tool = try tool()
    try tool.git("init", "-q", "-b", "main")
    try tool.git("add", "-A")
    try tool.git("commit", "-q", "-m", "One")
    try tool.write("bin/git", "#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 PATH=\"$REST\" exec git \"$@\"\n")
    let end = try tool.shell(
      "chmod +x bin/git && REST=\"$PATH\" PATH=\"$FOLDER/bin:$PATH\" $TOOL diff --against HEAD 2>&1")
    let folder = tool.folder.resolvingSymlinksInPath().path
    #expect(end.code == 3, "\(end.output)")
    #expect(end.output.contains("'\(folder)', because the repository belongs to another user"), "\(end.output)")
    #expect(end.output.contains("git config --global --add safe.directory '\(folder)'"), "\(end.output)")
    #expect(try tool.run("diff", "--against", "HEAD").code == 0)
  }

  @Test func aShallowCloneIsNamed() throws {
    let tool = try tool()
    try tool.git("init", "-q", "-b", "main", "origin")
    try tool.write("origin/Catalogs/Account.yaml", Tool.catalog("Account"))
    for message in ["One", "Two"] {
      try tool.git("-C", "origin", "add", "-A")
      try tool.git("-C", "origin", "commit", "-q", "--allow-empty", "-m", message)
    }
    try tool.git("clone", "-q", "--depth", "1", "file://\(tool.folder.path)/origin", "clone")
    let result = try tool.run("diff", "--against", "HEAD~1", in: "clone")
    #expect(result.code == 2)
    #expect(result.errors.contains("the clone is shallow"), "\(result.errors)")
  }
}
