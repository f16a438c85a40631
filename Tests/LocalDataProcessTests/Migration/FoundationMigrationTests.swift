#if os(Linux)
  import Foundation
  import RuntimeTestSupport
  import TestSupport
  import Testing

  /// A custom migration that moves a value of Foundation's UserDefaults, in processes whose home
  /// folder belongs to the test.
  @Suite struct FoundationMigrationTests {
    private let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    private func run(_ verb: String) throws -> String {
      let end = try ChildProcess.run(
        ChildProcess.probe, ["foundation", fixture.path("store"), verb],
        environment: ["HOME": fixture.folder.path, "XDG_CONFIG_HOME": ""])
      #expect(end.code == 0, "\(end)")
      return end.line
    }

    /// The values that Foundation keeps. Without any, it removes its file.
    private func kept() throws -> [String: Any] {
      let file = fixture.folder.appendingPathComponent(".config/storage-probe.plist")
      guard FileManager.default.fileExists(atPath: file.path) else { return [:] }
      let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil)
      return try #require(list as? [String: Any])
    }

    @Test func theValueIsMoved() throws {
      _ = try run("write")
      #expect(try kept()["theme"] as? String == "dark")
      #expect(try run("get") == "dark")
      #expect(try kept()["theme"] == nil)
      #expect(try run("get") == "dark")
    }

    @Test func whatIsRemovedBeforeItWasMovedStaysRemoved() throws {
      _ = try run("write")
      _ = try run("remove")
      #expect(try run("get") == "absent")
    }
  }
#endif
