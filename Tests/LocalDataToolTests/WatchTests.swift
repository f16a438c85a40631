import Foundation
import TestSupport
import Testing

/// `generate --watch`.
#if os(Linux)
  @Suite struct WatchTests {
    /// Waits until something holds, for a minute at least.
    private func eventually(_ holds: () -> Bool) async throws -> Bool {
      for _ in 0..<1_200 {
        if holds() { return true }
        try await Task.sleep(for: .milliseconds(50))
      }
      return false
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func changesAreGenerated(signal: Int32) async throws {
      let tool = try Tool()
      func isGenerated(_ key: String, in catalog: String = "A") async throws -> Bool {
        try await eventually { (try? tool.read("Generated/\(catalog).keys.swift"))?.contains(key) == true }
      }
      try tool.write("Catalogs/A.yaml", Tool.catalog("A", keys: ["first"]))
      let watcher = try tool.start(["generate", "--watch", "--diagnostics", "xcode"])
      var isRunning = true
      defer {
        if isRunning {
          watcher.process.send(SIGKILL)
          _ = watcher.process.wait()
        }
      }
      #expect(try await isGenerated("first"))

      // As editors do it: a new file takes the place of the old one.
      try tool.write("new", Tool.catalog("A", keys: ["second"]))
      #expect(rename(tool.folder.path + "/new", tool.folder.path + "/Catalogs/A.yaml") == 0)
      #expect(try await isGenerated("second"))

      try tool.write("Catalogs/A.yaml", "a: *b\n")
      #expect(try await eventually { (try? watcher.errors)?.hasPrefix("Catalogs/A.yaml:1:4: error: ") == true })
      #expect(try tool.read("Generated/A.keys.swift").contains("second"))
      try tool.remove("Catalogs/A.yaml")
      #expect(try await eventually { !tool.files(in: "Generated").contains("A.keys.swift") })
      try tool.write("Catalogs/A.yaml", Tool.catalog("A", keys: ["third"]))
      #expect(try await isGenerated("third"))
      try tool.write("Catalogs/B.yaml", Tool.catalog("B", keys: ["other"]))
      #expect(try await isGenerated("other", in: "B"))

      watcher.process.send(signal)
      let result = try watcher.finish()
      isRunning = false
      // A shell shows it as 130.
      #expect(result.signal == signal)
      #expect(result.output.hasPrefix("1 catalog, 1 key: 4 files written\n1 catalog, 1 key: 4 files written\n"))
      #expect(!tool.files(in: "Generated").contains { $0.hasSuffix(".tmp") })
    }
  }
#endif
