import Foundation
import TestSupport
import Testing

/// Where releases are: beside the catalogs, in every layout of a package and for every path that a run is given.
@Suite struct LayoutTests {
  struct Layout: CustomTestStringConvertible {
    var name: String
    /// The file of the package or project, and the catalogs.
    var root: String
    var catalogs: [String]
    /// What the build plugin passes for the target of the first catalog.
    var target: String

    var testDescription: String { name }
    var catalog: String { catalogs[0] }
    var folder: String { String(catalog.prefix { $0 != "." }.split(separator: "/").dropLast().joined(separator: "/")) }
    var snapshot: String { "\(folder)/Releases/1.0.json" }
  }

  static let layouts = [
    Layout(name: "package root", root: "Package.swift", catalogs: ["Catalogs/App.yaml"], target: "Catalogs"),
    Layout(
      name: "target folder", root: "Package.swift", catalogs: ["Sources/App/Catalogs/App.yaml"], target: "Sources/App"),
    Layout(
      name: "two targets", root: "Package.swift",
      catalogs: ["Sources/App/Catalogs/App.yaml", "Sources/Kit/Catalogs/Kit.yaml"], target: "Sources/App"),
    Layout(
      name: "root and target", root: "Package.swift",
      catalogs: ["Catalogs/App.yaml", "Sources/Kit/Catalogs/Kit.yaml"], target: "Catalogs"),
    Layout(
      name: "Xcode project", root: "App.xcodeproj/project.pbxproj", catalogs: ["App/Catalogs/App.yaml"], target: "App"),
  ]

  private func tool(_ layout: Layout, isReleased: Bool = true) throws -> Tool {
    let tool = try Tool()
    try tool.write(layout.root, "")
    for path in layout.catalogs { try tool.write(path, Self.catalog(path)) }
    guard isReleased else { return tool }
    let result = try tool.run("release", "1.0")
    try #require(result.code == 0, "\(result.errors)")
    return tool
  }

  private static func catalog(_ path: String) -> String {
    path.hasSuffix("Kit.yaml") ? Tool.catalog("Kit", keys: ["size"]) : Tool.catalog("App", keys: ["theme"])
  }

  private static func renamed(_ path: String) -> String {
    catalog(path).replacingOccurrences(of: "name: ", with: "name: renamed_")
  }

  @Test(arguments: Sweep.sample(layouts, quick: 2))
  func aRenamedReleasedKeyFailsWhateverTheRunIsGiven(_ layout: Layout) throws {
    let tool = try tool(layout)
    #expect(tool.files().filter { $0.hasSuffix("1.0.json") }.count == layout.catalogs.count)
    let whole = tool.folder.appending(path: layout.target).path
    let runs = [
      ["validate"], ["generate"], ["validate", "."], ["validate", layout.target], ["validate", layout.folder],
      ["validate", layout.catalog], ["generate", "--output", "out", "--swift-only", whole],
      ["diff", "--against", "1.0"],
    ]
    for run in runs + [["audit"]] {
      let result = try tool.start(run).finish()
      #expect(result.code == 0, "\(run): \(result.output)\(result.errors)")
    }
    try tool.write(layout.catalog, Self.renamed(layout.catalog))
    for run in runs {
      let result = try tool.start(run).finish()
      #expect(result.code == 1, "\(run)")
      #expect((result.output + result.errors).contains("[released-address-changed]"), "\(run): \(result.errors)")
    }
    #expect(try tool.run("audit").code == 0)
    #expect(try tool.run("release", "1.1").code == 1)
    #expect(try tool.run("release", "--retire", "1.0").code == 0)
    #expect(try tool.run("validate").code == 0)
  }

  @Test(arguments: Sweep.sample(layouts, quick: 2))
  func theOtherTargetsAreProtectedToo(_ layout: Layout) throws {
    let tool = try tool(layout)
    guard let other = layout.catalogs.dropFirst().first else { return }
    try tool.write(other, Self.renamed(other))
    for verb in ["validate", "generate"] { #expect(try tool.run(verb).code == 1) }
    #expect(try tool.run("diff", "--against", "1.0").code == 1)
    #expect(try tool.run("validate", layout.target).code == 0)
  }

  @Test(arguments: Sweep.sample(layouts, quick: 2))
  func eachPathRecordsInTheSamePlace(_ layout: Layout) throws {
    for path in [layout.target, layout.folder, layout.catalog] {
      let tool = try tool(layout, isReleased: false)
      let result = try tool.run("release", "1.0", path)
      #expect(result.code == 0, "\(result.errors)")
      #expect(tool.files().contains(layout.snapshot), "\(tool.files())")
    }
  }

  @Test(arguments: Sweep.sample(layouts, quick: 2))
  func outputsAreInTheTarget(_ layout: Layout) throws {
    let tool = try tool(layout)
    #expect(try tool.run("generate").code == 0)
    for path in layout.catalogs {
      let target = path.components(separatedBy: "Catalogs/")
      #expect(tool.files().contains("\(target[0])Generated/\(target[1].dropLast(".yaml".count)).keys.swift"))
    }
    #expect(try tool.run("generate", "--check").code == 0)
  }

  /// The guard against losing values must not be off without a word.
  @Test(arguments: ["Sources/App/Releases", "Sources/Releases", "Catalogs/Releases", "Releases"])
  func releasesBesideNoCatalogAreAnError(place: String) throws {
    let layout = Self.layouts[1]
    let tool = try tool(layout)
    try tool.write("\(place)/1.0.json", try tool.read(layout.snapshot))
    try tool.remove("\(layout.folder)/Releases")
    for arguments in [["generate", "Sources/App"], ["validate", layout.folder], ["validate", layout.catalog]] {
      let result = try tool.start(arguments).finish()
      #expect(result.code == 1, "\(arguments)")
      #expect((result.output + result.errors).contains("'\(place)' are beside no catalog"), "\(result.errors)")
    }
  }

  @Test func aTargetWithoutReleasesIsAWarning() throws {
    let layout = Self.layouts[2]
    let tool = try tool(layout)
    try tool.remove("Sources/Kit/Catalogs/Releases")
    let result = try tool.run("validate", "Sources/Kit")
    #expect(result.code == 0)
    #expect(result.output.contains("the package has releases in 'Sources/App/Catalogs/Releases', and none for these"))
    #expect(try tool.run("validate", "Sources/Kit", "--deny", "releases-missing").code == 1)
    // Nothing was released yet.
    try tool.remove("Sources/App/Catalogs/Releases")
    #expect(try tool.run("validate", "Sources/Kit").output == "no findings in 1 catalog\n")
  }

  /// Files of other documents can be in folders of this name.
  @Test func otherFilesAreNoReleases() throws {
    let tool = try tool(Self.layouts[1])
    try tool.write("Sources/App/Releases/notes.json", "{}")
    try tool.write("Releases/1.0.json", "{\"notes\": \"new\"}")
    #expect(try tool.run("validate", "Sources/App").output == "no findings in 1 catalog\n")
  }

  /// The release of one file would look like one of all.
  @Test func aReleaseRecordsWholeFolders() throws {
    let tool = try tool(Self.layouts[0], isReleased: false)
    try tool.write("Catalogs/More.yaml", Tool.catalog("More", keys: ["size"]))
    let result = try tool.run("release", "1.0", "Catalogs/App.yaml")
    #expect(result.code == 2)
    #expect(result.errors.contains("'Catalogs/More.yaml' is not part of the run"))
    try tool.write(
      "local-data.yaml", "localdata: 1\ntargets: [{catalogs: [Catalogs], exclude: [Catalogs/More.yaml]}]\n")
    #expect(try tool.run("release", "1.0").code == 0)
  }

  /// A folder whose catalogs were all removed still has the values of its releases.
  @Test func aFolderWithoutCatalogsIsCompared() throws {
    let tool = try tool(Self.layouts[0])
    try tool.remove("Catalogs/App.yaml")
    try tool.write("Catalogs/New/More.yaml", Tool.catalog("More", keys: ["size"]))
    let result = try tool.run("validate")
    #expect(result.code == 1)
    #expect(result.output.contains("[released-key-removed]"))
  }

  /// What `init` writes works with every verb, without a path.
  @Test(arguments: ["", "Package.swift", "Sources/Shop/Shop.swift"])
  func theLayoutsOfInit(existing: String) throws {
    let tool = try Tool()
    try tool.write("LocalData/Package.swift", "")
    if !existing.isEmpty { try tool.write("Shop/Package.swift", "") }
    if !existing.isEmpty { try tool.write("Shop/\(existing)", "") }
    #expect(try tool.run("init", "Shop", "--package-path", "LocalData").code == 0)
    for line in [
      "fmt --check", "validate", "generate", "release 1.0", "diff --against 1.0", "audit", "generate",
      "generate --check",
    ] {
      let result = try tool.start(line.split(separator: " ").map(String.init), in: "Shop").finish()
      #expect(result.code == 0, "\(line): \(result.output)\(result.errors)")
      #expect(line == "audit" || !result.errors.contains("help"), "\(line): \(result.errors)")
    }
    // A hand-written file of the catalog's name can be in the same target.
    #expect(tool.files(in: "Shop").contains { $0.hasSuffix("Generated/Shop.keys.swift") })
  }
}
