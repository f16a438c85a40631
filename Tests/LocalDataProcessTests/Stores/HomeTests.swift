#if os(Linux)
  import Foundation
  import RuntimeTestSupport
  import TestSupport
  import Testing

  /// The standard folders in processes with different environments.
  @Suite struct HomeTests {
    private let scratch: ScratchFolder
    private let app = "local-data-tests-" + UUID().uuidString

    init() throws { scratch = try ScratchFolder() }

    private func path(_ name: String) -> String { scratch.url.appendingPathComponent(name).path }

    /// An empty variable counts as one that is not set.
    private func run(_ words: [String], home: String, data: String = "") throws -> ChildProcess.End {
      try ChildProcess.run(
        ChildProcess.probe, ["home", app] + words,
        environment: ["HOME": path(home), "XDG_DATA_HOME": data, "XDG_CACHE_HOME": "", "XDG_CONFIG_HOME": ""])
    }

    @Test func allFoldersAreInHome() throws {
      let home = path("home")
      let found = try run(["roots"], home: "home").line.split(separator: "\n").map(String.init)
      #expect(
        found == [
          home + "/.local/share/" + app, home + "/.cache/" + app, home + "/.local/share/local-data-groups",
          home + "/.config",
        ])
    }

    @Test func aVariableOfTheSpecificationComesFirst() throws {
      let found = try run(["roots"], home: "home", data: path("data")).line.split(separator: "\n").map(String.init)
      #expect(found.first == path("data") + "/" + app)
      let relative = try run(["roots"], home: "home", data: "data").line.split(separator: "\n").map(String.init)
      #expect(relative.first == path("home") + "/.local/share/" + app)
    }

    @Test func anotherLocationIsNeverSilent() throws {
      #expect(try run(["get"], home: "home").line == "0\n0")
      #expect(try run(["set", "5"], home: "home").code == 0)
      for words in [["get"], ["set", "6"]] {
        let end = try run(words, home: "home", data: path("data"))
        #expect(end.code == 3)
        #expect(end.line.contains(path("home") + "/.local/share/" + app))
      }
      #expect(try run(["get"], home: "home").line == "5\n5")
      // The user decides to begin with no values.
      try FileManager.default.createDirectory(atPath: path("data/" + app), withIntermediateDirectories: true)
      #expect(try run(["get"], home: "home", data: path("data")).line == "0\n0")
      #expect(try run(["set", "7"], home: "home", data: path("data")).code == 0)
      #expect(try run(["get"], home: "home", data: path("data")).line == "7\n7")
      #expect(try run(["get"], home: "home").line == "5\n5")
    }
  }
#endif
