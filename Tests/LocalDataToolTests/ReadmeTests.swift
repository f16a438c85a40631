import Foundation
import Testing

/// What the README shows is what the tool does.
@Suite struct ReadmeTests {
  private static let readme = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("README.md")

  /// The first code block that begins with a text.
  private func block(_ language: String, beginning: String) throws -> String {
    let text = String(decoding: try Data(contentsOf: Self.readme), as: UTF8.self)
    let blocks = text.components(separatedBy: "```\(language)\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
    return try #require(blocks.first { $0.hasPrefix(beginning) })
  }

  @Test func theCatalogIsOne() throws {
    let tool = try Tool()
    try tool.write("Catalogs/Account.yaml", try block("yaml", beginning: "localdata: 1"))
    let result = try tool.run("generate")
    #expect(result.code == 0)
    #expect(result.errors == "")
    #expect(tool.files(in: "Generated").filter { $0.hasSuffix(".swift") } == ["Account.swift"])
  }

  @Test func theFindingIsWhatTheToolSays() throws {
    let catalog = try block("yaml", beginning: "localdata: 1")
      .replacingOccurrences(of: "domain: {keychain:", with: "domain: {keychian:")
    let tool = try Tool()
    try tool.write("Catalogs/Account.yaml", catalog)
    let result = try tool.run("validate", "--format", "xcode")
    #expect(result.code == 1)
    #expect(result.output == (try block("", beginning: "Catalogs/Account.yaml:")))
  }
}
