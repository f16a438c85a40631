import Foundation
import TestSupport
import Testing

/// The host app of the tests on simulators, as far as it compiles elsewhere: its keys, records and own types, with the settings of
/// a new project of Xcode.
@Suite struct XcodeAppTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Consumers/XcodeApp")

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appending(path: path), encoding: .utf8)
  }

  #if compiler(>=6.2)
    /// The flags of the compiler for the settings of the app.
    private static let isolation = [
      "-default-isolation", "MainActor", "-enable-upcoming-feature", "MemberImportVisibility",
      "-enable-upcoming-feature", "NonisolatedNonsendingByDefault", "-enable-upcoming-feature",
      "InferIsolatedConformances",
    ]

    private func compile(_ badge: String) throws -> (tool: Tool, end: ChildProcess.End) {
      let tool = try Tool()
      try tool.write("Catalogs/App.yaml", try Self.text("Catalogs/App.yaml"))
      let result = try tool.run("generate", "--swift-only", "--deny", "warnings")
      try #require(result.code == 0, "\(result.errors)")
      try tool.write("Badge.swift", badge)
      let module = tool.folder.appending(path: "App.swiftmodule").path
      let end = try DocumentedPage.compile(
        ["-emit-module", "-o", module, "-enable-testing"] + Self.isolation,
        ["Generated/App.keys.swift", "Badge.swift"],
        in: tool)
      return (tool, end)
    }

    @Test func theAppAndItsTestsCompile() throws {
      let (tool, end) = try compile(try Self.text("App/Badge.swift"))
      #expect(end == ChildProcess.End(code: 0, output: ""))
      try tool.write("Tests.swift", try Self.text("AppTests/EntitlementTests.swift"))
      let tests = try DocumentedPage.compile(
        ["-typecheck", "-module-name", "AppTests", "-I", tool.folder.path], ["Tests.swift"], in: tool)
      #expect(tests == ChildProcess.End(code: 0, output: ""))
    }

    /// The documentation has the words of the compiler.
    @Test func aTypeOfTheAppIsNotIsolated() throws {
      let (_, end) = try compile(try Self.text("App/Badge.swift").replacing("nonisolated struct", with: "struct"))
      let words = "main actor-isolated conformance"
      #expect(end.code == 1 && end.output.contains("\(words) of 'Badge'"), "\(end.output)")
      #expect(try DocumentedPage(article: "Types").text.contains(words))
    }
  #endif

  @Test func theProjectHasTheseSettings() throws {
    let project = try Self.text("XcodeApp.xcodeproj/project.pbxproj")
    for setting in [
      "SWIFT_DEFAULT_ACTOR_ISOLATION = MainActor;", "SWIFT_APPROACHABLE_CONCURRENCY = YES;",
      "SWIFT_UPCOMING_FEATURE_MEMBER_IMPORT_VISIBILITY = YES;",
    ] {
      // The app is built for debugging and for release.
      #expect(project.components(separatedBy: setting).count == 3)
    }
    let text = try DocumentedPage(article: "Types").text
    #expect(text.contains("`MainActor`") && text.contains("`nonisolated struct Badge: Codable, Sendable"))
  }
}
