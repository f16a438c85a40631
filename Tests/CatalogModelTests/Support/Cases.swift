import CatalogModel
import CatalogSyntax
import Foundation
import Testing

/// A golden case: a folder with catalogs and the findings that they must have.
struct GoldenCase: CustomTestStringConvertible, Sendable {
  let folder: URL

  var name: String { folder.lastPathComponent }
  var testDescription: String { name }

  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Cases")

  static var all: [GoldenCase] {
    get throws {
      try FileManager.default.contentsOfDirectory(at: root, includingPropertiesForKeys: nil)
        .filter { !$0.lastPathComponent.hasPrefix(".") }
        .sorted { $0.path < $1.path }
        .map(GoldenCase.init)
    }
  }

  /// The catalogs by the names of their files, in order.
  var catalogs: [SourceFile] {
    get throws {
      try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        .filter { $0.pathExtension == "yaml" }
        .sorted { $0.lastPathComponent < $1.lastPathComponent }
        .map { SourceFile(path: $0.lastPathComponent, bytes: [UInt8](try Data(contentsOf: $0))) }
    }
  }

  var want: URL { folder.appendingPathComponent("want.txt") }
}

/// What a run of catalogs gives.
struct Run {
  var catalogs: [ResolvedCatalog]
  var diagnostics: [Diagnostic]

  init(_ sources: [SourceFile]) throws {
    var trees: [SyntaxTree] = []
    for source in sources {
      let (tree, diagnostics) = CatalogReader.read(source)
      trees.append(try #require(tree, "not readable: \(diagnostics.map(\.message))"))
    }
    (catalogs, diagnostics) = CatalogResolver.resolve(trees)
  }

  init(_ text: String) throws {
    try self.init([SourceFile(path: "Test.yaml", bytes: Array(text.utf8))])
  }

  /// A finding a line, as a golden case has it.
  var findings: String {
    diagnostics.map { diagnostic in
      let head = "\(Self.text(diagnostic.place)): \(diagnostic.severity): \(diagnostic.message) [\(diagnostic.rule)]"
      let help = diagnostic.help.map { ["  help: \($0)"] } ?? []
      let notes = diagnostic.notes.map { "  note: \(Self.text($0.place)): \($0.message)" }
      return ([head] + help + notes).joined(separator: "\n") + "\n"
    }.joined()
  }

  private static func text(_ place: SourcePlace?) -> String {
    guard let place else { return "-" }
    return "\(place.file.path):\(place.range.start.line):\(place.range.start.column)"
  }
}

/// Records that a value has another shape than it must have.
func unexpected(_ what: Any, _ location: Testing.SourceLocation = #_sourceLocation) {
  Issue.record("unexpected: \(what)", sourceLocation: location)
}
