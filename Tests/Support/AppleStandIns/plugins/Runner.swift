// Runs the plugins for Xcode projects, and says what does not hold: Runner FOLDER TOOL
import Foundation
@testable import LocalDataBuildPlugin
@testable import LocalDataGenerate
import PackagePlugin
import XcodeProjectPlugin

// Xcode calls the plugins through these protocols.
var buildPlugin: any XcodeBuildToolPlugin { LocalDataBuildPlugin() }
var commandPlugin: any XcodeCommandPlugin { LocalDataGenerate() }

struct Broken: Error, CustomStringConvertible {
  let description: String
}

func expect<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: String) throws {
  if found != wanted { throw Broken(description: "\(what): \(found) instead of \(wanted)") }
}

/// An Xcode project with catalogs, in its folder.
struct Project {
  let folder: URL
  let context: XcodePluginContext

  init(_ name: String, targets: [String], catalogs: [String]) throws {
    let place = URL(fileURLWithPath: CommandLine.arguments[1]).appending(path: name)
    folder = place.appending(path: "My Project")
    context = XcodePluginContext(
      project: folder, targets: targets, workDirectory: place.appending(path: "work"),
      tools: ["local-data", "local-data-generate"].reduce(into: [:]) {
        $0[$1] = URL(fileURLWithPath: CommandLine.arguments[2])
      })
    for path in catalogs {
      let catalog = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
      try write(
        path,
        """
        localdata: 1
        catalog: \(catalog)
        keys:
          theme\(catalog): {type: String, domain: userDefaults, security: none, owner: Team, description: A choice.}

        """)
    }
  }

  func write(_ path: String, _ text: String) throws {
    let file = folder.appending(path: path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// Runs the tool in the folder of the project, and returns its exit code.
  func runTool(_ arguments: [String]) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[2])
    process.arguments = arguments
    process.currentDirectoryURL = folder
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Every Swift file below a folder.
  func outputs(in folder: URL) -> [String] {
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(".swift") }.sorted()
  }

  /// Builds a target: asks the build plugin for its command, runs that, and expects the outputs that it names.
  func build(_ target: String, inputs wanted: [String], outputs: [String]) throws {
    let target = try require(context.xcodeProject.targets.first { $0.displayName == target }, "the target")
    let commands = try buildPlugin.createBuildCommands(context: context, target: target)
    try expect(commands.count, 1, "commands")
    guard case .buildCommand(_, let tool, let arguments, _, let inputs, let files) = commands[0] else {
      throw Broken(description: "it is no build command")
    }
    try expect(inputs.map(\.path), wanted.map { folder.appending(path: $0).path }, "inputs")
    let process = Process()
    process.executableURL = tool
    process.arguments = arguments
    try process.run()
    process.waitUntilExit()
    try expect(process.terminationStatus, 0, "the exit code of the tool")
    try expect(files.map(\.lastPathComponent), outputs, "outputs of the command")
    try expect(self.outputs(in: context.pluginWorkDirectoryURL), outputs, "outputs of the tool")
  }
}

func require<Value>(_ value: Value?, _ what: String) throws -> Value {
  guard let value else { throw Broken(description: "\(what) is missing") }
  return value
}

@main
struct Runner {
  static func main() {
    var held = 0
    var failed = 0
    func check(_ name: String, _ body: () throws -> Void) {
      do {
        try body()
        held += 1
      } catch {
        failed += 1
        print("FAIL \(name): \(error)")
      }
    }
    check("the build plugin takes the catalogs in the folder of the target") {
      let project = try Project("own", targets: ["App", "Kit"], catalogs: ["App/Catalogs/A.yaml", "Catalogs/B.yaml"])
      try project.build("App", inputs: ["App/Catalogs/A.yaml"], outputs: ["A.keys.swift"])
    }
    check("the build plugin takes the catalogs of the project for a target without any") {
      let project = try Project("shared", targets: ["App"], catalogs: ["Catalogs/B.yaml", "Other/Catalogs/C.yaml"])
      try project.build("App", inputs: ["Catalogs/B.yaml"], outputs: ["B.keys.swift"])
    }
    for (name, catalog) in [("target", "App/Catalogs/A.yaml"), ("project", "Catalogs/A.yaml")] {
      check("a renamed released key in the folder of the \(name) fails the build") {
        let project = try Project("released \(name)", targets: ["App"], catalogs: [catalog])
        try project.write("App.xcodeproj/project.pbxproj", "")
        let text = try String(contentsOf: project.folder.appending(path: catalog), encoding: .utf8)
        let folder = catalog.components(separatedBy: "/").dropLast().joined(separator: "/")
        try expect(try project.runTool(["release", "1.0"]), 0, "the exit code of the release")
        let inputs = [catalog, "\(folder)/Releases/1.0.json"]
        try project.build("App", inputs: inputs, outputs: ["A.keys.swift"])
        try project.write(catalog, text.replacingOccurrences(of: "{type:", with: "{name: other, type:"))
        var isBuilt = true
        do { try project.build("App", inputs: inputs, outputs: ["A.keys.swift"]) } catch { isBuilt = false }
        try expect(isBuilt, false, "the build succeeds")
        // The release is the reason.
        try expect(try project.runTool(["release", "--retire", "1.0"]), 0, "the exit code of the retirement")
        try project.build("App", inputs: [catalog], outputs: ["A.keys.swift"])
      }
    }
    check("the build plugin fails without the tool") {
      let project = try Project("none", targets: ["App"], catalogs: ["Catalogs/B.yaml"])
      let context = XcodePluginContext(
        project: project.folder, targets: ["App"], workDirectory: project.folder, tools: [:])
      let commands = try? buildPlugin.createBuildCommands(context: context, target: context.xcodeProject.targets[0])
      try expect(commands == nil, true, "it throws")
    }
    let catalogs = ["App/Catalogs/A.yaml", "Kit/Catalogs/K.yaml", "Catalogs/B.yaml"]
    check("the command plugin generates the keys of a target") {
      let project = try Project("one", targets: ["App", "Kit"], catalogs: catalogs)
      try commandPlugin.performCommand(context: project.context, arguments: ["--target", "App"])
      try expect(project.outputs(in: project.folder), ["App/Generated/A.keys.swift"], "outputs")
    }
    check("the command plugin generates the keys of every target with catalogs") {
      let project = try Project("all", targets: ["App", "Kit", "Bare"], catalogs: catalogs)
      try commandPlugin.performCommand(context: project.context, arguments: [])
      try expect(
        project.outputs(in: project.folder), ["App/Generated/A.keys.swift", "Kit/Generated/K.keys.swift"], "outputs")
    }
    check("the command plugin generates the keys of a target without catalogs from those of the project") {
      let project = try Project("bare", targets: ["App", "Bare"], catalogs: catalogs)
      try commandPlugin.performCommand(context: project.context, arguments: ["--target", "Bare", "--quiet"])
      try expect(project.outputs(in: project.folder), ["Bare/Generated/B.keys.swift"], "outputs")
    }
    print("\(held) held, \(failed) failed")
    exit(failed == 0 ? 0 : 1)
  }
}
