import Foundation
import TestSupport
import Testing

/// The tool of the build plugin writes and reports what the tool of people does, given the same arguments.
@Suite struct TwoToolsTests {
  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

  /// The golden cases of all tests of the generator, by their paths.
  private static let cases: [String] = [
    "LocalDataModelTests/Cases", "LocalDataEmissionTests/Cases", "LocalDataEmissionTests/RecordCases",
    "LocalDataComparisonTests/Cases",
  ].flatMap { folder in
    let names = (try? FileManager.default.contentsOfDirectory(atPath: tests.appending(path: folder).path)) ?? []
    return names.filter { !$0.hasPrefix(".") }.sorted().map { "\(folder)/\($0)" }
  }

  @Test func allCasesAreFound() { #expect(Self.cases.count >= 190) }

  @Test(arguments: cases) func bothDoTheSame(_ path: String) throws {
    let tool = try Tool()
    try Self.copy(path, to: tool)
    var ends: [Tool.Result] = []
    var outputs: [[String: String]] = []
    for name in ["local-data", "local-data-generate"] {
      if !tool.files(in: "Out").isEmpty { try tool.remove("Out") }
      ends.append(try tool.start(Self.arguments("Catalogs"), program: name).finish())
      outputs.append(
        Dictionary(uniqueKeysWithValues: try tool.files(in: "Out").map { ($0, try tool.read("Out/\($0)")) }))
    }
    #expect(ends[0].code == ends[1].code)
    #expect(ends[0].errors == ends[1].errors)
    #expect(ends.map(\.output) == ["", ""])
    #expect(outputs[0] == outputs[1])
    #expect(outputs[0].isEmpty == (ends[0].code != 0))
  }

  @Test func otherArgumentsAreRefused() throws {
    let tool = try Tool()
    try tool.write("Catalogs/A.yaml", Tool.catalog("A", keys: ["theme"]))
    let right = Self.arguments("Catalogs")
    let wrong = [
      [], ["--version"], ["validate", "Catalogs"], right + ["--check"], Array(right.dropLast()),
      right.map { $0 == "xcode" ? "text" : $0 }, right.map { $0 == "Out" ? "" : $0 },
    ]
    for arguments in wrong {
      let end = try tool.start(arguments, program: "local-data-generate").finish()
      #expect(end.code == 2, "\(arguments)")
      #expect(end.errors.contains("local-data-generate generate FOLDER"))
    }
    #expect(tool.files(in: "Out") == [])
  }

  /// The arguments that the build plugin passes.
  @Test func thePluginPassesTheseArguments() throws {
    let plugin = Self.tests.appending(path: "../Sources/LocalDataBuildPlugin/LocalDataBuildPlugin.swift")
    let text = try String(contentsOf: plugin, encoding: .utf8)
    #expect(
      text.contains(
        #""generate", catalogs.url.path, "--output", work.path, "--swift-only", "--quiet", "--diagnostics", "xcode","#))
  }

  private static func arguments(_ catalogs: String) -> [String] {
    ["generate", catalogs, "--output", "Out", "--swift-only", "--quiet", "--diagnostics", "xcode"]
  }

  /// Copies the catalogs of a case. The earlier states of a comparison become releases.
  private static func copy(_ path: String, to tool: Tool) throws {
    let folder = tests.appending(path: path)
    let files = FileManager.default
    try tool.write("Catalogs/Releases/.keep", "")
    for name in try files.contentsOfDirectory(atPath: folder.path).sorted() where name.hasSuffix(".yaml") {
      let isRelease = name.wholeMatch(of: /[0-9.]+\.yaml/) != nil
      if isRelease { try tool.write("State/Catalogs/.keep", "") }
      let copy = isRelease ? "State/Catalogs/today.yaml" : "Catalogs/\(name)"
      try files.copyItem(at: folder.appending(path: name), to: tool.folder.appending(path: copy))
      guard isRelease else { continue }
      let version = String(name.dropLast(".yaml".count))
      let end = try tool.run("release", version, in: "State")
      try #require(end.code == 0, "\(end.errors)")
      let snapshot = "Catalogs/Releases/\(version).json"
      try tool.write(snapshot, try tool.read("State/\(snapshot)"))
      try tool.remove("State")
    }
  }
}
