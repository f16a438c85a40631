import LocalDataFiles
import Foundation
import TestSupport
import Testing

/// Every path that a command opens, replaced by a link that leads out of the working folder: the file itself, and each folder
/// above it. A pull request can add such links.
@Suite struct OpenedPathTests {
  /// A path in the folder of a run, and a command that reads or writes it.
  struct Opening: CustomTestStringConvertible, Sendable {
    var arguments: [String]
    var path: String
    /// The text of the file. If nil, the command creates it.
    var text: String?
    var project: String?

    init(_ arguments: String, _ path: String, _ text: String? = nil, project: String? = nil) {
      self.arguments = arguments.split(separator: " ").map(String.init)
      self.path = path
      self.text = text
      self.project = project
    }

    var testDescription: String { "\(arguments.joined(separator: " ")): \(path)" }

    /// The path and the folders above it; the folders alone if the command creates the file.
    var links: [String] {
      let parts = path.split(separator: "/")
      return parts.indices.dropLast(text == nil ? 1 : 0).map { parts[...$0].joined(separator: "/") }
    }
  }

  private static let broken = "SECRET: of the machine\n"
  private static let list = "<plist><dict><!-- SECRET --></dict></plist>"
  private static let marked = "// Written by local-data: SECRET\n"
  private static let markers = "SECRET\n<!-- local-data:begin -->\nSECRET\n<!-- local-data:end -->\n"

  /// The commands that read all catalogs and the project file.
  private static let readers = [
    "validate", "generate", "generate --check", "audit", "due", "fixtures --module App", "release 2.0",
    "diff --against 1.0", "explain theme", "fmt", "manifest", "entitlements", "doctor --manifest Given/P.xcprivacy",
  ]

  private static func documents(_ check: String) -> [Opening] {
    [
      Opening("audit --output Docs/audit.md" + check, "Docs/audit.md", broken),
      Opening("audit --format html --output Docs/audit.html" + check, "Docs/audit.html", broken),
      Opening("audit --into Docs/audit.md" + check, "Docs/audit.md", markers),
      Opening("manifest --into App/P.xcprivacy" + check, "App/P.xcprivacy", list),
      Opening("manifest --output App/P.xcprivacy" + check, "App/P.xcprivacy", list),
      Opening("manifest --format fastlane --output App/p.json" + check, "App/p.json", broken),
      Opening("generate" + check, "Generated/A.keys.swift", marked),
      Opening("generate" + check, "Generated/Audit/A.md", marked),
      Opening("generate" + check, "Generated/Audit/.manifest", broken),
      Opening("generate --output Out/Keys" + check, "Out/Keys/A.keys.swift", marked),
      Opening(
        "generate" + check, "Out/A.keys.swift", marked,
        project: "localdata: 1\ntargets: [{catalogs: [Catalogs], output: Out}]\n"),
      Opening("fixtures --module App" + check, "Tests/AppTests/AFixtureKeys.swift", marked),
      Opening("fixtures --module App" + check, "Tests/AppTests/Fixtures/.manifest", broken),
    ]
  }

  private static let paired = "localdata: 1\ntargets: [{catalogs: [Catalogs], pairedWith: [Watch]}]\n"
  private static let begin = "init --package-path ../LocalData --name App"

  static let openings: [Opening] = {
    var openings = documents("") + documents(" --check") + others
    for reader in readers {
      openings.append(Opening(reader, "Catalogs/A.yaml", broken))
      openings.append(Opening(reader, "local-data.yaml", broken))
    }
    for reader in ["validate", "generate", "audit --format html", "release 2.0", "diff --against 1.0"] {
      openings.append(Opening(reader, "Catalogs/Releases/1.0.json", broken))
    }
    return openings
  }()

  private static let others: [Opening] = [
    Opening("validate", "Watch/W.catalog.yaml", broken, project: paired),
    Opening("audit --output Docs/new.md", "Docs/new.md"),
    Opening("manifest --into App/P.xcprivacy", "App/P.xcprivacy"),
    Opening("doctor --manifest App/P.xcprivacy", "App/P.xcprivacy", list),
    Opening("doctor --entitlements App/A.entitlements", "App/A.entitlements", broken),
    Opening("generate", "Generated/A.keys.swift"),
    Opening("release 2.0", "Catalogs/Releases/2.0.json"),
    Opening("release 2.0", "Catalogs/Releases/2.0.json", broken),
    Opening("release 1.0 --retire", "Catalogs/Releases/Retired/1.0.json"),
    Opening("diff --against Old/1.0.json", "Old/1.0.json", broken),
    Opening("diff --against Old/A.catalog.yaml", "Old/A.catalog.yaml", broken),
    Opening("diff --against Old", "Old/A.catalog.yaml", broken),
    Opening("diff --against 0.9", "Catalogs/Releases/Retired/0.9.json", broken),
    Opening("fixtures --module App", "Tests/AppTests/AFixtureValues.swift", broken),
    Opening("fixtures --module App", "Tests/AppTests/AFixtureKeys.swift"),
    Opening(begin, "Sources/App/Catalogs/App.yaml"),
    Opening(begin, "Tests/AppTests/LaunchesTests.swift"),
    Opening(begin, ".local-data/schema.json"),
    Opening(begin.replacing("init", with: "init New"), "New/Sources/App/Launches.swift"),
  ]

  /// A folder `app` with a catalog and a release, and `LocalData`, of which `init` makes a dependency.
  private func tool(_ opening: Opening) throws -> Tool {
    let tool = try Tool()
    try tool.write("LocalData/Package.swift", "")
    try tool.write("app/Catalogs/A.yaml", Tool.catalog("A"))
    try tool.write("app/Catalogs/Releases/1.0.json", try Self.snapshot.get())
    try tool.write("app/Given/P.xcprivacy", Self.list)
    if let project = opening.project { try tool.write("app/local-data.yaml", project) }
    if let text = opening.text {
      try tool.write("app/\(opening.path)", text)
    } else {
      let folder = tool.folder.appending(path: "app/\(opening.path)").deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    return tool
  }

  private static let snapshot = Result {
    let tool = try Tool()
    try tool.write("Catalogs/A.yaml", Tool.catalog("A"))
    try tool.run("release", "1.0")
    return try tool.read("Catalogs/Releases/1.0.json")
  }

  /// Without links, the command depends on the file or changes it. Otherwise its case below could not fail.
  @Test(arguments: Sweep.sample(openings, quick: 24))
  func isOpened(_ opening: Opening) throws {
    let present = try tool(opening)
    let result = try present.start(opening.arguments, in: "app").finish()
    let text = try? present.read("app/\(opening.path)")
    guard text == opening.text else { return }
    let missing = try tool(opening)
    try missing.remove("app/\(opening.path)")
    let other = try missing.start(opening.arguments, in: "app").finish()
    #expect((result.code, result.output, result.errors) != (other.code, other.output, other.errors))
  }

  @Test(arguments: Sweep.sample(openings, quick: 24))
  func isNotOpenedThroughALink(_ opening: Opening) throws {
    for link in opening.links {
      let tool = try tool(opening)
      let url = tool.folder.appending(path: "app/\(link)")
      let outside = tool.folder.appending(path: "outside/\(url.lastPathComponent)")
      try tool.write("outside/file", "SECRET")
      if FileManager.default.fileExists(atPath: url.path) {
        try FileManager.default.moveItem(at: url, to: outside)
      } else {
        try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      }
      try FileManager.default.createSymbolicLink(at: url, withDestinationURL: outside)
      let before = try tool.state(of: "outside")
      let result = try tool.start(opening.arguments, in: "app").finish()
      #expect(result.code == 3, "\(link): \(result.output)\(result.errors)")
      #expect(
        result.errors.contains("through a link, and is not read or written")
          || result.errors.contains("is a link, and outputs are not written through links"), "\(link): \(result.errors)"
      )
      #expect(!(result.output + result.errors).contains("SECRET"), "\(link)")
      #expect(try tool.state(of: "outside") == before, "\(link)")
    }
  }

  /// `rules` and `schema` open no file.
  @Test func everyCommandHasACase() throws {
    let help = Data(try Tool().run("--experimental-dump-help").output.utf8)
    let command = try #require(try JSONSerialization.jsonObject(with: help) as? [String: Any])["command"]
    let commands = try #require((command as? [String: Any])?["subcommands"] as? [[String: Any]])
    let names = commands.compactMap { $0["commandName"] as? String }.filter { $0 != "help" }
    #expect(Set(Self.openings.map { $0.arguments[0] }).union(["rules", "schema"]) == Set(names))
  }

  /// The checks are made where paths are opened. No other file calls the system with a path.
  @Test func pathsAreOpenedInTwoFiles() throws {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources")
    let targets = ["LocalDataFiles", "LocalDataDocuments", "LocalDataEmission", "local-data", "local-data-generate"]
    let calls = /(^|[^.\w])(open|openat|opendir|fopen|creat|rename|renameat|mkdir|mkdirat|unlink|unlinkat)\([^)]/
    var files: Set<String> = []
    let paths = try targets.flatMap { target in
      let folder = sources.appending(path: target).path
      return try FileManager.default.subpathsOfDirectory(atPath: folder).map { "\(target)/\($0)" }
    }
    for path in paths where path.hasSuffix(".swift") {
      let file = sources.appending(path: path)
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      let isOpening = lines.contains { !$0.contains("func ") && !$0.contains("//") && $0.contains(calls) }
      if isOpening { files.insert(file.lastPathComponent) }
    }
    // A child writes to temporary files without names.
    #expect(files == ["DiskFile.swift", "OpenFolder.swift", "ChildCommand.swift"])
  }

  @Test func completionsDoNotFollowLinks() throws {
    let tool = try Tool()
    try tool.write("outside/A.yaml", Tool.catalog("A", keys: ["secret"]))
    try tool.write("outside/p.yaml", "localdata: 1\npolicies: [{id: secret, forbid: owner = A, message: Ask.}]\n")
    try tool.write("app/.keep", "")
    for (link, destination) in [("Catalogs", "../outside"), ("local-data.yaml", "../outside/p.yaml")] {
      try FileManager.default.createSymbolicLink(
        atPath: tool.folder.appending(path: "app/\(link)").path, withDestinationPath: destination)
    }
    for asked in [["explain", "--", "positional@0"], ["validate", "--", "--warn"]] {
      let result = try tool.start(["---completion"] + asked + ["1", "0", "local-data", ""], in: "app").finish()
      #expect(result.code == 0 && result.output.contains("unused-type"))
      #expect(!result.output.split(separator: "\n").contains("secret"))
    }
  }

  // MARK: Links that are followed

  private func link(_ path: String, to destination: String, in tool: Tool) throws {
    let url = tool.folder.appending(path: path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: destination)
  }

  @Test(arguments: ["real/app", "elsewhere"])
  func linksAboveTheProjectAreTheUsers(working: String) throws {
    let tool = try Tool()
    try tool.write("real/app/Catalogs/A.yaml", Tool.catalog("A"))
    try tool.write("real/app/Package.swift", "")
    try tool.write("elsewhere/.keep", "")
    try link("home", to: "real", in: tool)
    let app = tool.folder.appending(path: "home/app").path
    for arguments in [
      ["validate"], ["audit", "--output", "\(app)/audit.md"], ["manifest", "--into", "\(app)/P.xcprivacy"],
      ["generate", "--output", "\(app)/Generated"],
    ] {
      let result = try tool.start(arguments + ["\(app)/Catalogs"], in: working).finish()
      #expect(result.code == 0, "\(result.errors)")
    }
    #expect(tool.files(in: "real/app").count == 9)
    // A link in the package is not the user's, wherever the run is.
    try link("real/app/Docs", to: "../../elsewhere", in: tool)
    let result = try tool.start(["audit", "\(app)/Catalogs", "--output", "\(app)/Docs/a.md"], in: working).finish()
    #expect(result.code == 3)
    #expect(tool.files(in: "elsewhere") == [".keep"])
  }

  /// A linked `.build` is on another disk.
  @Test func aBuildSystemChoosesItsFolder() throws {
    let tool = try Tool()
    try tool.write("app/Catalogs/A.yaml", Tool.catalog("A"))
    try tool.write("disk/.keep", "")
    try link("app/.build", to: "../disk", in: tool)
    let arguments = ["generate", "--output", ".build/out"]
    #expect(try tool.start(arguments, in: "app").finish().code == 3)
    #expect(try tool.start(arguments + ["--swift-only"], in: "app").finish().code == 0)
    #expect(tool.files(in: "disk") == [".keep", "out/A.keys.swift"])
  }

  @Test func gitsOwnFilesAreNotWritten() throws {
    let tool = try Tool()
    try tool.write("Catalogs/A.yaml", Tool.catalog("A"))
    try tool.write(".git/config", "[core]\n")
    try link("audit.md", to: ".git/config", in: tool)
    #expect(try tool.run("audit", "--output", "audit.md").code == 3)
    #expect(try tool.read(".git/config") == "[core]\n")
  }

  /// Elsewhere, a checkout limits its links.
  @Test func aCheckoutBelowTheRunIsAFolderOfItsOwn() throws {
    let tool = try Tool()
    try tool.write("app/Catalogs/A.yaml", Tool.catalog("A"))
    try tool.write("app/.git/HEAD", "")
    try tool.write("keys/id", "SECRET")
    try link("app/Docs", to: "../keys", in: tool)
    let result = try tool.run("audit", "app/Catalogs", "--output", "app/Docs/id", "--check")
    #expect(result.code == 3 && !result.output.contains("SECRET"), "\(result.output)")
  }
}
