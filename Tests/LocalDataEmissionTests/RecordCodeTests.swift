// The list of the linker's inputs has this form on Linux.
#if os(Linux)
  import LocalDataDocuments
  import Foundation
  import TestSupport
  import Testing

  /// Golden Swift of catalogs with records, compiled with the runtime and run.
  struct RecordCodeTests {
    private typealias Settings = GeneratedCodeCompilesTests.Settings

    private static let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("RecordCases/Program")

    /// The golden Swift of all cases, and the file of the app.
    private static func files() throws -> [String] {
      let golden = try RecordOutputTests.cases.flatMap { each in
        try each.golden.wanted().keys.filter { $0.hasSuffix(".swift") }
          .map { each.golden.want.appendingPathComponent($0).path }
      }
      try #require(golden.count > 3)
      return [program.appendingPathComponent("App.swift").path] + golden.sorted()
    }

    /// A quick run compiles them to run them, below.
    @Test(.enabled(if: Sweep.isFull), arguments: Sweep.sample(GeneratedCodeCompilesTests.Settings.all, quick: 1))
    func compiles(_ settings: GeneratedCodeCompilesTests.Settings) throws {
      let end = try GeneratedCodeCompilesTests.compile(
        settings, ["-typecheck", "-module-name", "App"] + Self.files())
      #expect(end == ChildProcess.End(code: 0, output: ""))
    }

    @Test(.enabled(if: Sweep.isFull)) func fixtureTestsCompile() throws {
      let settings = Settings(languageMode: "6", isolation: [], features: ["MemberImportVisibility"])
      let folder = try ScratchFolder()
      let module = folder.url.appendingPathComponent("App.swiftmodule").path
      let building = try GeneratedCodeCompilesTests.compile(
        settings, ["-emit-module", "-enable-testing", "-module-name", "App", "-o", module] + Self.files())
      try #require(building == ChildProcess.End(code: 0, output: ""))
      let sources = RecordSamples.cases.flatMap { FixtureSource.emit($0.catalogs, module: "App") }
      let tests = try FixtureSourceTests.write(sources, to: folder)
      try #require(tests.count > 9)
      let checking = try GeneratedCodeCompilesTests.compile(
        settings, ["-typecheck", "-module-name", "AppTests", "-I", folder.url.path] + tests)
      #expect(checking == ChildProcess.End(code: 0, output: ""))
    }

    @Test func recordsAreReadAsTheyWereSaved() throws {
      let folder = try ScratchFolder()
      let program = folder.url.appendingPathComponent("program").path
      let own = ["main.swift", "OpenedPart.swift"].map { Self.program.appendingPathComponent($0).path }
      let objects = try BuiltProducts.objects(and: ["LocalDataRecords", "LocalDataBackup", "LocalDataSQLite"])
      let building = try GeneratedCodeCompilesTests.compile(
        Settings(languageMode: "6", isolation: [], features: []),
        ["-D", "DEBUG", "-module-name", "App", "-o", program] + own + Self.files()
          + objects + ["-lsqlite3", "-lstdc++"])
      try #require(building == ChildProcess.End(code: 0, output: ""))
      let roots = ["XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "HOME"]
      let environment = Dictionary(uniqueKeysWithValues: roots.map { ($0, folder.url.appendingPathComponent($0).path) })
      let message = folder.url.appendingPathComponent("message").path
      let end = try ChildProcess.run(program, [message], environment: environment)
      #expect(end == ChildProcess.End(code: 0, output: ""))
      try Self.readInPython(message, folder)
    }

    /// A program that has the description of the records, and the key of the sealed part, reads what the app has stored.
    private static func readInPython(_ message: String, _ folder: ScratchFolder) throws {
      guard ProtoTests.compiler != nil, let python = Python.protobuf else { return }
      let description = try ProtoTests.compile([RecordSamples.everyField], in: folder.url)
      let lines = try python.lines(
        "RecordCases/Program/read_messages.py", [description, message, folder.url.path], beside: #filePath)
      let golden = program.appendingPathComponent("messages.json")
      if GoldenFolder.isRecording { try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: golden) }
      let wanted = try String(contentsOf: golden, encoding: .utf8).split(separator: "\n").map(String.init)
      #expect(lines == wanted)
      #expect(!GoldenFolder.isRecording, "recorded \(golden.lastPathComponent)")
    }
  }
#endif
