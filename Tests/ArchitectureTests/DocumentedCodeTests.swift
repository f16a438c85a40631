import Foundation
import Testing

/// Code in the documentation that a test compiles and runs.
struct DocumentedCodeTests {
  @Test func thePageOnTestingShowsCodeThatRuns() throws {
    let page = try text("Sources/LocalData/LocalData.docc/Testing.md")
    let code = try ["AppTypeTests", "GeneratedKeyFixture"].map { try text("Tests/ExampleKeysTests/\($0).swift") }
      .joined().withoutIndentation
    let blocks = page.split(separator: "```swift\n").dropFirst().compactMap { $0.split(separator: "```").first }
    #expect(blocks.count == 6)
    for block in blocks {
      #expect(code.contains(String(block).withoutIndentation), "\(block)")
    }
  }

  @Test func theArticleOnMigrationsShowsCustomMigrationsThatRun() throws {
    let page = try text("Sources/LocalData/LocalData.docc/Migrations.md")
    let code = try text("Tests/LocalDataTests/Migration/DocumentedMigrationTests.swift").withoutIndentation
    let blocks = page.split(separator: "```swift\n").dropFirst().compactMap { $0.split(separator: "```").first }
      .filter { $0.contains("MigrationContext") }
    #expect(blocks.count == 2)
    for block in blocks { #expect(code.contains(String(block).withoutIndentation), "\(block)") }
  }

  @Test func theArticleOnImportsShowsCodeThatRuns() throws {
    let page = try text("Sources/LocalDataImport/LocalDataImport.docc/Imports.md")
    let code = try ["DocumentedImportTests", "Support/OldModels"]
      .map { try text("Tests/LocalDataImportTests/\($0).swift") }
      .joined().withoutIndentation
    let blocks = page.split(separator: "```swift\n").dropFirst().compactMap { $0.split(separator: "```").first }
    #expect(blocks.count == 3)
    for block in blocks { #expect(code.contains(String(block).withoutIndentation), "\(block)") }
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: SwiftFile.package.appendingPathComponent(path), encoding: .utf8)
  }
}

extension String {
  /// The text with single spaces for all indentation and line breaks.
  fileprivate var withoutIndentation: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
