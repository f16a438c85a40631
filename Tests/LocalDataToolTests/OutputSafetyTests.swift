import LocalDataSyntax
import Foundation
import TestSupport
import Testing

@testable import LocalDataFiles
@testable import local_data

/// Which files a run may write, read and remove, and which never.
@Suite struct OutputSafetyTests {
  private static let outputs = [
    "Audit/.manifest", "Audit/A.json", "Audit/A.md", "Audit/audit.html", "A.keys.swift",
  ].sorted()

  private func generated(_ names: String...) throws -> Tool {
    let tool = try Tool()
    for name in names { try tool.write("Catalogs/\(name).yaml", Tool.catalog(name, keys: ["key\(name)"])) }
    let result = try tool.run("generate")
    try #require(result.code == 0, "\(result.errors)")
    return tool
  }

  private func swiftFiles(_ tool: Tool) -> [String] {
    tool.files(in: "Generated").filter { $0.hasSuffix(".swift") }
  }

  private func link(_ tool: Tool, _ path: String, to destination: String) throws {
    let url = tool.folder.appending(path: path)
    try? FileManager.default.removeItem(at: url)
    try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: destination)
  }

  // MARK: Outputs of other catalogs

  @Test func aRunOverOneCatalogKeepsTheOutputsOfTheOthers() throws {
    let tool = try generated("A", "B")
    let before = try tool.state(of: "Generated")
    #expect(try tool.run("generate", "Catalogs/A.yaml").output == "1 catalog, 1 key: up to date\n")
    #expect(try tool.state(of: "Generated") == before)
    #expect(try tool.run("generate", "--check").code == 0)
  }

  @Test func runsOverTwoFoldersKeepEachOthersOutputs() throws {
    let tool = try Tool()
    try tool.write("One/Catalogs/A.yaml", Tool.catalog("A"))
    try tool.write("Two/Catalogs/B.yaml", Tool.catalog("B", keys: ["other"]))
    for folder in ["One", "Two", "One"] { #expect(try tool.run("generate", folder).code == 0) }
    #expect(swiftFiles(tool) == ["A.keys.swift", "B.keys.swift"])
    try tool.remove("One/Catalogs/A.yaml")
    #expect(try tool.run("generate", "Two").code == 0)
    #expect(swiftFiles(tool) == ["A.keys.swift", "B.keys.swift"])
    #expect(try tool.run("generate", "One").output == "0 catalogs, 0 keys: 3 removed\n")
    #expect(swiftFiles(tool) == ["B.keys.swift"])
  }

  @Test func twoCatalogsOfOneNameDoNotTakeTurns() throws {
    let tool = try generated("A")
    try tool.write("Other/A.yaml", Tool.catalog("A", keys: ["other"]))
    let before = try tool.state(of: "Generated")
    let result = try tool.run("generate", "Other/A.yaml")
    #expect(result.code == 2)
    #expect(
      result.errors.contains("is the output of another catalog, 'Generated/../Catalogs/A.yaml'"))
    #expect(try tool.state(of: "Generated") == before)
    try tool.remove("Catalogs/A.yaml")
    #expect(try tool.run("generate", "Other/A.yaml").code == 0)
  }

  // MARK: Outputs whose catalogs were removed

  @Test(arguments: [[], ["Catalogs"], ["Catalogs/A.yaml"], ["."]])
  func theLastCatalogTakesItsOutputsAlong(arguments: [String]) throws {
    let tool = try generated("A")
    try tool.remove("Catalogs/A.yaml")
    let check = try tool.start(["generate", "--check"] + arguments).finish()
    #expect(check.code == 1)
    #expect(check.output.contains("--- Generated/A.keys.swift\n+++ /dev/null\n"))
    let result = try tool.start(["generate"] + arguments).finish()
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output == "0 catalogs, 0 keys: 4 removed\n")
    #expect(tool.files() == [])
  }

  @Test func aMissingFolderIsAMistakeUnlessItHadCatalogs() throws {
    let tool = try generated("A")
    try tool.remove("Catalogs")
    #expect(try tool.run("generate").code == 2)
    #expect(try tool.run("generate", "Elsewhere").code == 3)
    #expect(tool.files(in: "Generated") == Self.outputs)
    #expect(try tool.run("generate", "Catalogs").code == 0)
    #expect(tool.files() == [])
    #expect(try tool.run("generate", "Catalogs").code == 3)
  }

  @Test func anEditedOutputIsNotRemoved() throws {
    let tool = try generated("A", "B")
    try tool.write("Generated/A.keys.swift", try tool.read("Generated/A.keys.swift") + "// mine\n")
    try tool.remove("Catalogs/A.yaml")
    let result = try tool.run("generate")
    #expect(result.code == 0)
    #expect(result.errors.contains("'Generated/A.keys.swift' is an output of a catalog that is gone, but was edited"))
    #expect(swiftFiles(tool) == ["A.keys.swift", "B.keys.swift"])
    #expect(!tool.files(in: "Generated").contains("Audit/A.md"))
    // It is the user's file from now on.
    #expect(try tool.run("generate").errors == "")
    #expect(try tool.run("generate", "--check").code == 0)
  }

  @Test func anEditedOutputOfACatalogThatExistsIsWrittenAgain() throws {
    let tool = try generated("A")
    let whole = try tool.read("Generated/A.keys.swift")
    try tool.write("Generated/A.keys.swift", whole + "// mine\n")
    #expect(try tool.run("generate").code == 0)
    #expect(try tool.read("Generated/A.keys.swift") == whole)
    // As after a power failure.
    try tool.write("Generated/A.keys.swift", "")
    #expect(try tool.run("generate").code == 0)
    #expect(try tool.read("Generated/A.keys.swift") == whole)
  }

  /// A pull request can add a line to the manifest, with the right checksum of a file that the tool has not written.
  @Test(arguments: ["", "Audit/"])
  func aForgedLineOfTheManifestRemovesNothing(folder: String) throws {
    let tool = try generated("A")
    let mine = "// My own code.\n"
    for name in ["Mine.swift", "B.keys.swift", "Mine.json"] { try tool.write("Generated/\(folder)\(name)", mine) }
    let manifest = try tool.read("Generated/Audit/.manifest")
    let checksum = Checksum.text(of: [Array(mine.utf8)])
    let lines = ["Mine.swift", "B.keys.swift", "Mine.json"].map { name in
      "\(folder)\(name)\t../Catalogs/B.yaml\t\(checksum)\n"
    }
    try tool.write("Generated/Audit/.manifest", manifest + lines.joined())
    #expect(try tool.run("generate").code == 0)
    try tool.write("Generated/Audit/.manifest", manifest + lines.joined())
    try tool.write("Catalogs/B.yaml", Tool.catalog("B", keys: ["keyB"]))
    // Where the catalog exists, its output would replace the file.
    _ = try tool.run("generate")
    for name in ["Mine.swift", "B.keys.swift", "Mine.json"] {
      #expect(try tool.read("Generated/\(folder)\(name)") == mine, "\(name)")
    }
  }

  /// The old file is what somebody else has written.
  @Test(arguments: ["generate", "fmt"])
  func aDiffShowsEscapeSequences(verb: String) throws {
    let tool = try generated("A")
    let output = verb == "fmt" ? "Catalogs/A.yaml" : "Generated/A.keys.swift"
    let mark = verb == "fmt" ? "#" : "//"
    let text = try tool.read(output)
    try tool.write(output, text + "\(mark) \u{1B}]0;title\u{7}\u{1B}[2J\u{202E}\ttab\rend\n")
    let result = try tool.run(verb, "--check")
    #expect(result.code == 1)
    let shown = #" \u{1B}]0;title\u{7}\u{1B}[2J\u{202E}"# + "\ttab" + #"\rend"#
    // YAML has no control characters.
    #expect(
      (result.output + result.errors).contains(verb == "fmt" ? "control" : shown), "\(result.output)\(result.errors)")
    #expect(!(result.output + result.errors).unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{7}" || $0 == "\r" })
  }

  /// With a file name after it, it would be the root of the disk.
  @Test(arguments: [
    ["generate", "--check", "--output", ""], ["fixtures", "--module", "App", "--check", "--output", ""],
    ["audit", "--output", ""],
  ])
  func anEmptyPathIsWrongUse(arguments: [String]) throws {
    let tool = try Tool()
    try tool.write("Catalogs/A.yaml", Tool.catalog("A"))
    let result = try tool.start(arguments).finish()
    #expect(result.code == 2)
    #expect(result.errors.contains("'--output' needs a path, for example: --output Generated"))
  }

  // MARK: Inputs

  @Test(arguments: [
    "Catalogs/A.yaml", "./Catalogs/../Catalogs/A.yaml", "symbolic.json", "hard.json", "local-data.yaml", "project.json",
  ])
  func anAuditDoesNotOverwriteWhatItReads(output: String) throws {
    let tool = try Tool()
    try tool.write("Catalogs/A.yaml", Tool.catalog("A"))
    try tool.write("local-data.yaml", "localdata: 1\n")
    try link(tool, "symbolic.json", to: "Catalogs/A.yaml")
    try link(tool, "project.json", to: "local-data.yaml")
    try FileManager.default.linkItem(
      at: tool.folder.appending(path: "Catalogs/A.yaml"), to: tool.folder.appending(path: "hard.json"))
    let files = tool.files()
    let result = try tool.run("audit", "--format", "json", "--output", output)
    #expect(result.code == 2)
    let input = output == "local-data.yaml" || output == "project.json" ? "local-data.yaml" : "Catalogs/A.yaml"
    #expect(result.errors.contains("'\(output)' would overwrite '\(input)', which this run reads"))
    #expect(tool.files() == files)
    #expect(try tool.read("Catalogs/A.yaml") == Tool.catalog("A"))
    #expect(try tool.read("local-data.yaml") == "localdata: 1\n")
  }

  @Test func anAuditDoesNotOverwriteAProjectFileThatIsNamed() throws {
    let tool = try Tool()
    try tool.write("Catalogs/A.yaml", Tool.catalog("A"))
    try tool.write("other.yaml", "localdata: 1\n")
    #expect(try tool.run("audit", "--project", "other.yaml", "--output", "other.yaml").code == 2)
    #expect(try tool.read("other.yaml") == "localdata: 1\n")
    // This run does not read the file.
    #expect(try tool.run("audit", "--output", "other.yaml").code == 0)
    #expect(try tool.read("other.yaml").contains("theme"))
  }

  /// Standard input takes the place of the catalog, which is not a document either.
  @Test func anAuditDoesNotOverwriteTheCatalogOfStandardInput() throws {
    let tool = try Tool()
    try tool.write("Catalogs/A.yaml", "not finished")
    let arguments = ["audit", "-", "--path", "Catalogs/A.yaml", "--output", "Catalogs/A.yaml"]
    #expect(try tool.start(arguments, input: Tool.catalog("A")).finish().code == 2)
    #expect(try tool.read("Catalogs/A.yaml") == "not finished")
  }

  // MARK: Links and devices

  @Test(arguments: ["Generated/Audit", "Generated/Audit/.manifest", "Generated/A.keys.swift", "Generated/Audit/A.md"])
  func linksAreNotFollowed(path: String) throws {
    let tool = try generated("A")
    try FileManager.default.createDirectory(
      at: tool.folder.appending(path: "outside"), withIntermediateDirectories: true)
    try tool.write("outside/A.md", "# A\n\nWritten by local-data\n")
    try link(tool, path, to: path.hasSuffix("Audit") ? "../outside" : "\(tool.folder.path)/outside/A.md")
    let before = try tool.state(of: "outside")
    for arguments in [["generate"], ["generate", "--check"]] {
      let result = try tool.start(arguments).finish()
      #expect(result.code == 3)
      #expect(result.errors.contains("'\(path)' is a link, and outputs are not written through links"))
      #expect(try tool.state(of: "outside") == before)
    }
  }

  /// The link leads to another folder of the run.
  @Test func theOutputFolderItselfMayBeALink() throws {
    let tool = try Tool()
    try tool.write("Catalogs/A.yaml", Tool.catalog("A"))
    try tool.write("real/.keep", "")
    try link(tool, "Generated", to: "real")
    #expect(try tool.run("generate").code == 0)
    #expect(tool.files(in: "real") == [".keep"] + Self.outputs)
    #expect(try tool.run("generate", "--check").code == 0)
  }

  @Test(arguments: ["/dev/zero", "pipe"])
  func whatNeverEndsIsNotRead(_ endless: String) throws {
    let tool = try generated("A")
    try tool.remove("Generated/A.keys.swift")
    if endless == "pipe" {
      #expect(mkfifo(tool.folder.appending(path: "Generated/A.keys.swift").path, 0o600) == 0)
    } else {
      try link(tool, "Generated/A.keys.swift", to: endless)
    }
    let result = try tool.run("generate")
    #expect(result.code == 3)
    #expect(result.errors.contains("'Generated/A.keys.swift' is "))
  }

  /// A sparse file that would take hours to read.
  @Test func aHugeFileIsNotRead() throws {
    let tool = try generated("A")
    #expect(try tool.shell("truncate -s 1T Generated/A.keys.swift; mv Catalogs/A.yaml Catalogs/B.yaml").code == 0)
    let result = try tool.run("generate")
    #expect(result.code == 0)
    #expect(result.errors.contains("was edited"))
  }

  // MARK: Disks that ignore case

  /// Files by their names without regard to case, as on most Macs.
  private struct FoldingDisk {
    var files: [String: DiskFile.Identity] = [:]

    init(_ names: String...) {
      for (number, name) in names.enumerated() { files[name.lowercased()] = .init(device: 1, number: UInt64(number)) }
    }

    func identity(_ path: String) -> DiskFile.Identity? { files[path.lowercased()] }
  }

  @Test func aNewSpellingOfANameIsNoOtherFile() {
    let disk = FoldingDisk("account.swift", "gone.swift")
    let divided = OutputPlan.divide(
      stale: ["account.swift", "gone.swift", "never.swift"], produced: ["Account.swift", "New.keys.swift"],
      identity: disk.identity)
    #expect(divided.removed == ["gone.swift"])
    #expect(divided.renamed.map(\.old) == ["account.swift"] && divided.renamed.map(\.new) == ["Account.swift"])
  }

  @Test func aNewSpellingIsAnotherFileOnADiskThatKnowsCase() throws {
    let tool = try Tool()
    try tool.write("Catalogs/account.yaml", Tool.catalog("Account"))
    try tool.run("generate")
    try FileManager.default.moveItem(
      at: tool.folder.appending(path: "Catalogs/account.yaml"), to: tool.folder.appending(path: "Catalogs/Account.yaml")
    )
    #expect(try tool.run("generate").code == 0)
    #expect(swiftFiles(tool) == ["Account.keys.swift"])
  }

  // MARK: Runs that were killed

  /// Whatever a killed run has done of its plan, the next one ends with the same files.
  @Test func theNextRunMendsWhatAKilledRunLeft() throws {
    let tool = try generated("A", "B")
    let old = try tool.read("Generated/A.keys.swift")
    let oldManifest = try tool.read("Generated/Audit/.manifest")
    try tool.remove("Catalogs/B.yaml")
    try tool.write("Catalogs/A.yaml", Tool.catalog("A", keys: ["changed"]))
    try tool.run("generate")
    let new = try tool.state(of: "Generated").mapValues { $0.split(separator: " ").last }
    let newManifest = try tool.read("Generated/Audit/.manifest")
    // Between the files: some are new, and the manifest names both.
    try tool.write("Generated/A.keys.swift", old)
    try tool.write("Generated/Audit/.manifest", oldManifest + newManifest)
    #expect(try tool.run("generate").code == 0)
    #expect(try tool.state(of: "Generated").mapValues { $0.split(separator: " ").last } == new)
  }
}
