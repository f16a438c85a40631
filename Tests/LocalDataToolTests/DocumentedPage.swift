import Foundation
import TestSupport
import Testing

/// A page of the documentation, and the program that a test makes of its code.
struct DocumentedPage {
  private static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  let text: String

  static var readme: DocumentedPage { get throws { try DocumentedPage("README.md") } }

  init(_ path: String) throws {
    text = try String(contentsOf: Self.package.appending(path: path), encoding: .utf8)
  }

  /// - Parameter name: The name of a page of the runtime's documentation.
  init(article name: String) throws { try self.init("Sources/LocalData/LocalData.docc/\(name).md") }

  /// The code blocks of a language, in their order.
  func blocks(_ language: String) -> [String] {
    text.components(separatedBy: "```\(language)\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
  }

  /// The first code block that begins with a text.
  func block(_ language: String, beginning: String) throws -> String {
    try #require(blocks(language).first { $0.hasPrefix(beginning) })
  }

  /// The lines that the code prints, as its comments say: the text after `// ` in each line that prints.
  static func printed(by code: String) -> [String] {
    code.split(separator: "\n").filter { $0.hasPrefix("print(") }.compactMap { line in
      line.components(separatedBy: "// ").last?.trimmingCharacters(in: .whitespaces)
    }
  }

  /// Checks that Swift code compiles without a warning, together with the generated files of a folder.
  ///
  /// - Parameters:
  ///   - blocks: The blocks of the page. Each is a scope of a function that gets a router. Their imports are moved up.
  ///   - end: Code at the end of each block, which uses what the block only shows.
  ///   - declarations: What the app of the page has: its types and functions.
  static func typecheck(
    _ blocks: [String], end: [String] = [], declarations: String = "", modules: [String] = [], in tool: Tool
  ) throws -> ChildProcess.End {
    let lines = blocks.map { $0.components(separatedBy: "\n") }
    let imports = lines.joined().filter { $0.hasPrefix("import ") } + modules.map { "import \($0)" }
    let functions = zip(lines.indices, lines).map { index, lines in
      let body = lines.filter { !$0.hasPrefix("import ") } + (end.indices.contains(index) ? [end[index]] : [])
      return "func show\(index)(_ router: StorageRouter) async throws {\n\(body.joined(separator: "\n"))\n}\n"
    }
    let head = Set(imports + ["import Foundation", "import LocalData"]).sorted().joined(separator: "\n")
    try tool.write("App.swift", "\(head)\n\n\(declarations)\n\n\(functions.joined(separator: "\n"))")
    let generated = tool.files(in: "Generated").filter { $0.hasSuffix(".swift") }.map { "Generated/\($0)" }
    return try compile(["-typecheck"], ["App.swift"] + generated, in: tool)
  }

  static func compile(_ arguments: [String], _ files: [String], in tool: Tool) throws -> ChildProcess.End {
    try ChildProcess.run(
      "/usr/bin/env",
      ["swiftc", "-warnings-as-errors", "-swift-version", "6", "-module-name", "App"] + arguments
        + BuiltProducts.moduleArguments
        + ["-module-cache-path", BuiltProducts.folder.appending(path: "ModuleCache").path]
        + files.map { tool.folder.appending(path: $0).path })
  }

  #if os(Linux)
    /// Compiles a program with the runtime, runs it in a new home folder, and returns the lines that it prints.
    ///
    /// - Parameter targets: Targets that the program uses besides the runtime.
    static func run(_ code: String, with targets: [String] = [], in tool: Tool) throws -> [String] {
      try tool.write("main.swift", "import Foundation\nimport LocalData\n\n\(code)")
      let program = tool.folder.appending(path: "program").path
      let generated = tool.files(in: "Generated").filter { $0.hasSuffix(".swift") }.map { "Generated/\($0)" }
      let building = try compile(
        ["-o", program, "-lsqlite3", "-lstdc++"] + BuiltProducts.objects(and: targets), ["main.swift"] + generated,
        in: tool)
      try #require(building == ChildProcess.End(code: 0, output: ""))
      let home = tool.folder.appending(path: "home").path
      let folders = ["HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"]
      let end = try ChildProcess.run(
        program, [], environment: Dictionary(uniqueKeysWithValues: folders.map { ($0, "\(home)/\($0)") }))
      try #require(end.code == 0, "\(end.output)")
      return end.output.split(separator: "\n").map(String.init)
    }
  #endif
}
