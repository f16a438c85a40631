import LocalDataSyntax
import Foundation
import TestSupport
import Testing

@testable import LocalDataFiles
@testable import local_data

/// `generate`: which files it makes, changes, leaves alone and removes.
@Suite struct GenerateTests {
  private static let outputs = [
    "Account.keys.swift", "Audit/.manifest", "Audit/Account.json", "Audit/Account.md", "Audit/audit.html",
  ]

  private static let patch = "/usr/bin/patch"

  /// A folder with one catalog, generated.
  private func generated() throws -> Tool {
    let tool = try Tool()
    try tool.write("Catalogs/Account.yaml", Tool.catalog("Account"))
    let result = try tool.run("generate")
    try #require(result.code == 0, "\(result.errors)")
    return tool
  }

  @Test func fromCatalogsToGenerated() throws {
    let tool = try generated()
    #expect(tool.files(in: "Generated") == Self.outputs)
    let manifest = try tool.read("Generated/Audit/.manifest").split(separator: "\n").dropFirst()
    #expect(
      manifest.map { $0.prefix { $0 != "\t" } } == [
        "Account.keys.swift", "Audit/Account.json", "Audit/Account.md", "Audit/audit.html",
      ])
    #expect(manifest.allSatisfy { $0.contains("\t../Catalogs/Account.yaml\t") })
    #expect(try tool.read("Generated/Account.keys.swift").contains("theme"))
    let result = try tool.run("generate")
    #expect(result.code == 0 && result.errors.isEmpty)
    #expect(result.output == "1 catalog, 1 key: up to date\n")
  }

  @Test func aLineSaysWhatWasDone() throws {
    let tool = try Tool()
    try tool.write("Catalogs/Account.yaml", Tool.catalog("Account"))
    try tool.write("Catalogs/Other.yaml", Tool.catalog("Other", keys: ["a", "b"]))
    #expect(try tool.run("generate").output == "2 catalogs, 3 keys: 7 files written\n")
    try tool.remove("Catalogs/Other.yaml")
    try tool.write("Catalogs/Account.yaml", Tool.catalog("Account", keys: ["theme", "locale"]))
    #expect(try tool.run("generate").output == "1 catalog, 2 keys: 4 files written, 3 removed\n")
    try tool.write("Catalogs/Account.yaml", Tool.catalog("Account"))
    #expect(try tool.run("generate", "--quiet").output == "")
  }

  @Test func unchangedFilesAreNotTouched() throws {
    let tool = try generated()
    let before = try tool.state(of: "Generated")
    try tool.run("generate")
    #expect(try tool.state(of: "Generated") == before)
    try tool.write("Catalogs/Settings.yaml", Tool.catalog("Settings", keys: ["locale"]))
    try tool.run("generate")
    let after = try tool.state(of: "Generated")
    #expect(after["Account.keys.swift"] == before["Account.keys.swift"])
    #expect(after["Settings.keys.swift"] != nil)
    #expect(after["Audit/.manifest"] != before["Audit/.manifest"])
  }

  /// The same bytes from another folder, by an absolute path, to another folder.
  @Test func outputsNameNoPlaceOfTheMachine() throws {
    let tool = try generated()
    let absolute = tool.folder.path
    try tool.run("generate", "\(absolute)/Catalogs", "--output", "\(absolute)/other/deep/Output", in: "Catalogs")
    try tool.run("generate", "Account.yaml", "-o", "../third", in: "Catalogs")
    for name in Self.outputs {
      let want = try tool.read("Generated/\(name)")
      #expect(!want.contains(absolute))
      // The manifest has the way from the outputs to the catalogs.
      if name.hasSuffix(".manifest") { continue }
      #expect(try tool.read("other/deep/Output/\(name)") == want)
      #expect(try tool.read("third/\(name)") == want)
    }
  }

  @Test func onAnErrorNoOutputIsTouched() throws {
    let tool = try generated()
    let before = try tool.state(of: "Generated")
    try tool.write("Catalogs/Account.yaml", Tool.catalog("Account", keys: ["theme", "locale"]))
    try tool.write("Catalogs/Broken.yaml", "a: &b c\n")
    let result = try tool.run("generate")
    #expect(result.code == 1)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("Catalogs/Broken.yaml:1:4: error: "))
    #expect(result.errors.contains("[anchor]"))
    #expect(result.errors.hasSuffix("\n1 error in 2 catalogs\n"))
    #expect(try tool.state(of: "Generated") == before)
    try tool.remove("Generated")
    #expect(try tool.run("generate").code == 1)
    #expect(!tool.files().contains { $0.hasPrefix("Generated") })
  }

  @Test func filesThatAreNoLongerProducedAreRemoved() throws {
    let tool = try generated()
    try tool.write("Generated/Notes.txt", "mine")
    try tool.write("Generated/Audit/Other.md", "mine")
    try FileManager.default.moveItem(
      at: tool.folder.appending(path: "Catalogs/Account.yaml"), to: tool.folder.appending(path: "Catalogs/New.yaml"))
    #expect(try tool.run("generate").code == 0)
    #expect(
      tool.files(in: "Generated") == [
        "Audit/.manifest", "Audit/New.json", "Audit/New.md", "Audit/Other.md", "Audit/audit.html", "New.keys.swift",
        "Notes.txt",
      ])
  }

  /// A manifest can be changed by a pull request. The tool must not remove other files that it names.
  @Test func aManifestReachesNothingElse() throws {
    let tool = try generated()
    try tool.write("outside.txt", "mine")
    try tool.write("Generated/.hidden", "mine")
    try tool.write("Generated/deep/er/file.txt", "mine")
    let kept = [
      "../outside.txt", "\(tool.folder.path)/outside.txt", ".hidden", "deep/er/file.txt", "Audit/../../outside.txt",
    ]
    // Their checksum is right.
    let checksum = Checksum.text(of: [Array("mine".utf8)])
    let lines = (kept + ["Account.keys.swift", "Audit", "", "/"]).map { "\($0)\t../Catalogs/Gone.yaml\t\(checksum)" }
    try tool.write("Generated/Audit/.manifest", lines.joined(separator: "\n"))
    #expect(try tool.run("generate").code == 0)
    #expect(
      tool.files().filter { !$0.hasPrefix("Generated/A") } == [
        "Catalogs/Account.yaml", "Generated/.hidden", "Generated/deep/er/file.txt", "outside.txt",
      ])
    #expect(tool.files(in: "Generated").contains("Account.keys.swift"))
  }

  @Test func aFileOfSomebodyElseIsLeftAlone() throws {
    let tool = try Tool()
    try tool.write("Catalogs/Account.yaml", Tool.catalog("Account"))
    try tool.write("Generated/Account.keys.swift", "let mine = 1\n")
    let result = try tool.run("generate")
    #expect(result.code == 3)
    #expect(result.errors.contains("'Generated/Account.keys.swift' was not written by this tool"))
    #expect(tool.files(in: "Generated") == ["Account.keys.swift"])
    #expect(try tool.read("Generated/Account.keys.swift") == "let mine = 1\n")
  }

  /// As after a clone without hidden files.
  @Test func aLostManifestIsMadeAnew() throws {
    let tool = try generated()
    try tool.remove("Generated/Audit/.manifest")
    try tool.write("Catalogs/Account.yaml", Tool.catalog("Account", keys: ["theme", "locale"]))
    #expect(try tool.run("generate").code == 0)
    #expect(tool.files(in: "Generated") == Self.outputs)
    #expect(try tool.run("generate", "--check").code == 0)
  }

  @Test func check() throws {
    let tool = try generated()
    #expect(try tool.run("generate", "--check").code == 0)
    try tool.write("Catalogs/Account.yaml", Tool.catalog("Account", keys: ["theme", "locale"]))
    try tool.write("Catalogs/Second.yaml", Tool.catalog("Second", keys: ["other"]))
    let before = try tool.state(of: "Generated")
    let result = try tool.run("generate", "--check")
    #expect(result.code == 1)
    #expect(try tool.state(of: "Generated") == before)
    #expect(result.output.contains("--- Generated/Account.keys.swift\n+++ Generated/Account.keys.swift\n@@ -"))
    #expect(result.output.contains("--- /dev/null\n+++ Generated/Second.keys.swift\n@@ -0,0 +1,"))
    #expect(result.output.contains("+Audit/Second.json\t../Catalogs/Second.yaml\t"))
  }

  /// The diff is one that `patch` takes, and makes the output what `generate` writes.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: patch)))
  func theDiffOfCheckApplies() throws {
    let tool = try Tool()
    try tool.write("Catalogs/A.yaml", Tool.catalog("A", keys: (0..<40).map { "key\($0)" }))
    try tool.run("generate")
    let keys = (0..<40).compactMap { $0 == 7 ? nil : $0 == 20 ? "changed" : $0 == 39 ? "last" : "key\($0)" }
    try tool.write("Catalogs/A.yaml", Tool.catalog("A", keys: ["first"] + keys))
    let result = try tool.run("generate", "--check")
    #expect(result.code == 1)
    try tool.write("change.diff", result.output)
    let patched = try ChildProcess.run(Self.patch, ["-d", tool.folder.path, "-p0", "-s", "-i", "change.diff"])
    #expect(patched == ChildProcess.End(code: 0, output: ""))
    #expect(try tool.run("generate", "--check").code == 0)
  }

  @Test func storedRecordsAreDescribedForOtherPrograms() throws {
    let tool = try Tool()
    try tool.write("Catalogs/Account.yaml", Tool.catalog("Account"))
    try tool.write("Catalogs/Notes.yaml", RecordReleaseTests.catalog)
    try tool.write("Protos/other.proto", "// Written by hand.\n")
    #expect(try tool.run("generate").code == 0)
    #expect(try tool.run("generate", "--proto", "Protos", "--check").code == 1)
    #expect(try tool.run("generate", "--proto", "Protos").code == 0)
    #expect(tool.files(in: "Protos") == ["Notes.proto", "other.proto"])
    #expect(try tool.read("Protos/Notes.proto").contains("message Note {\n"))
    #expect(try tool.run("generate", "--proto", "Protos", "--check").code == 0)
    let changed = RecordReleaseTests.catalog.replacingOccurrences(of: "title: {", with: "subject: {")
    try tool.write("Catalogs/Notes.yaml", changed)
    #expect(try tool.run("generate").code == 0)
    let stale = try tool.run("generate", "--proto", "Protos", "--check")
    #expect(stale.code == 1 && stale.output.contains("+  optional string subject = 3;"))
  }

  @Test func checkShowsWhatIsStaleAndWhatIsMissing() throws {
    let tool = try generated()
    try tool.write("Catalogs/Second.yaml", Tool.catalog("Second", keys: ["other"]))
    try tool.run("generate")
    try tool.remove("Catalogs/Second.yaml")
    let stale = try tool.run("generate", "--check")
    #expect(stale.code == 1)
    #expect(stale.output.contains("--- Generated/Second.keys.swift\n+++ /dev/null\n"))
    try tool.run("generate")
    try tool.remove("Generated")
    #expect(try tool.run("generate", "--check").code == 1)
    #expect(!tool.files().contains { $0.hasPrefix("Generated") })
  }

  @Test func whatAKilledRunLeftIsRemoved() throws {
    let tool = try generated()
    // No system has a process of this number.
    try tool.write("Generated/.local-data-999999999-Account.keys.swift.tmp", "half")
    try tool.write("Generated/Audit/.local-data-999999999-Account.md.tmp", "half")
    try tool.write("Generated/.local-data-mine.tmp", "mine")
    try tool.run("generate")
    #expect(tool.files(in: "Generated") == [".local-data-mine.tmp"] + Self.outputs)
  }

  @Test func whatAnotherRunIsWritingStays() throws {
    let tool = try generated()
    let name = ".local-data-\(getpid())-Account.keys.swift.tmp"
    try tool.write("Generated/\(name)", "half")
    try tool.write("Catalogs/Account.yaml", Tool.catalog("Account", keys: ["theme", "locale"]))
    #expect(try tool.run("generate").code == 0)
    #expect(tool.files(in: "Generated") == [name] + Self.outputs)
  }

  /// The declarations are the same, and so is the size of each file.
  @Test func oneLetterOfADescriptionIsWritten() throws {
    let tool = try generated()
    let catalog = try tool.read("Catalogs/Account.yaml")
    try tool.write("Catalogs/Account.yaml", catalog.replacing("The theme of the app.", with: "The theme of the ape."))
    #expect(try tool.run("generate", "--check").code == 1)
    #expect(try tool.run("generate").output == "1 catalog, 1 key: 4 files written\n")
    for name in Self.outputs where !name.hasSuffix(".manifest") {
      #expect(try tool.read("Generated/\(name)").contains("The theme of the ape."), "\(name)")
    }
    #expect(try tool.run("generate", "--check").code == 0)
  }

  /// A second name of an output keeps the old bytes, because the new bytes are written to a new file.
  @Test func filesAreReplacedNotOverwritten() throws {
    let tool = try generated()
    let names = Self.outputs.filter { !$0.hasSuffix(".manifest") }
    let old = try names.map { try tool.read("Generated/\($0)") }
    for (index, name) in names.enumerated() {
      try FileManager.default.linkItem(
        at: tool.folder.appending(path: "Generated/\(name)"), to: tool.folder.appending(path: "link\(index)"))
    }
    try tool.write("Catalogs/Account.yaml", Tool.catalog("Account", keys: ["theme", "locale"]))
    #expect(try tool.run("generate").code == 0)
    #expect(try names.indices.map { try tool.read("link\($0)") } == old)
    #expect(try names.map { try tool.read("Generated/\($0)") } != old)
  }

  /// Killed at any time, every file is whole: as before, as after, or not there yet; and the next run puts all right.
  @Test func killedRunsLeaveWholeFiles() throws {
    let tool = try Tool()
    let versions = [200, 220].map { count in Tool.catalog("Big", keys: (0..<count).map { "key\($0)" }) }
    var whole: [Set<String>] = []
    var duration = 0.0
    for version in versions {
      try tool.write("Catalogs/Big.yaml", version)
      let start = Date()
      #expect(try tool.run("generate").code == 0)
      duration = Date().timeIntervalSince(start)
      let names = ["Big.keys.swift", "Audit/Big.md", "Audit/Big.json"]
      whole.append(Set(try names.map { try tool.read("Generated/\($0)") }))
    }
    for round in Sweep.sample(Array(0..<12), quick: 4) {
      try tool.write("Catalogs/Big.yaml", versions[round % 2])
      let running = try tool.start(["generate"])
      // Most of them in the second half of a run, where it writes.
      usleep(UInt32(duration * (0.4 + Double(round) / 16) * 1_000_000))
      running.process.send(SIGKILL)
      _ = try running.finish()
      for name in ["Big.keys.swift", "Audit/Big.md", "Audit/Big.json"] {
        let text = try tool.read("Generated/\(name)")
        #expect(whole.contains { $0.contains(text) }, "\(name) is half a file after round \(round)")
      }
    }
    #expect(try tool.run("generate").code == 0)
    #expect(try tool.run("generate", "--check").code == 0)
    #expect(!tool.files(in: "Generated").contains { $0.hasSuffix(".tmp") })
  }

  @Test func aFolderThatCannotBeWritten() throws {
    let tool = try Tool()
    try tool.write("Catalogs/Account.yaml", Tool.catalog("Account"))
    try tool.write("Generated", "a file in the way")
    let result = try tool.run("generate")
    #expect(result.code == 3)
    #expect(result.errors.contains("error: cannot"))
    #expect(try tool.read("Generated") == "a file in the way")
  }
}
