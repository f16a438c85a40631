import Foundation
import TestSupport
import Testing

/// `generate --watch`.
#if os(Linux)
  @Suite struct WatchTests {
    /// Waits until a file has a text, for up to ten seconds.
    private func wait(_ tool: Tool, for text: String, in path: String = "Generated/A.swift") async throws -> Bool {
      for _ in 0..<200 {
        if let found = try? tool.read(path), found.contains(text) { return true }
        try await Task.sleep(for: .milliseconds(50))
      }
      return false
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func changesAreGenerated(signal: Int32) async throws {
      let tool = try Tool()
      try tool.write("Catalogs/A.yaml", Tool.catalog("A", keys: ["first"]))
      let (process, finish) = try tool.start(["generate", "--watch", "--diagnostics", "xcode"])
      #expect(try await wait(tool, for: "first"))

      // As editors do it: a new file takes the place of the old one.
      try tool.write("new", Tool.catalog("A", keys: ["second"]))
      #expect(rename(tool.folder.path + "/new", tool.folder.path + "/Catalogs/A.yaml") == 0)
      #expect(try await wait(tool, for: "second"))

      try tool.write("Catalogs/A.yaml", "a: *b\n")
      try await Task.sleep(for: .seconds(1))
      try tool.remove("Catalogs/A.yaml")
      try await Task.sleep(for: .seconds(1))
      try tool.write("Catalogs/A.yaml", Tool.catalog("A", keys: ["third"]))
      #expect(try await wait(tool, for: "third"))
      try tool.write("Catalogs/B.yaml", Tool.catalog("B", keys: ["other"]))
      #expect(try await wait(tool, for: "other", in: "Generated/B.swift"))

      kill(process.processIdentifier, signal)
      let result = try finish()
      // A shell shows it as 130.
      #expect(process.terminationReason == .uncaughtSignal && result.code == signal)
      #expect(result.errors.hasPrefix("Catalogs/A.yaml:1:4: error: "))
      #expect(result.output.hasPrefix("1 catalog, 1 key: 3 files written\n1 catalog, 1 key: 3 files written\n"))
      #expect(!tool.files(in: "Generated").contains { $0.hasSuffix(".tmp") })
    }
  }
#endif
