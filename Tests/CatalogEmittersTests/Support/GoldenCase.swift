import CatalogEmitters
import CatalogModel
import CatalogSyntax
import Foundation
import TestSupport
import Testing

/// A golden case: a folder with catalogs, and in `want` every file that they must become.
struct GoldenCase: CustomTestStringConvertible, Sendable {
  let folder: URL

  var name: String { folder.lastPathComponent }
  var testDescription: String { name }
  var want: URL { folder.appendingPathComponent("want") }

  static var all: [GoldenCase] {
    get throws { try GoldenFolder.cases(beside: #filePath).map(GoldenCase.init) }
  }

  /// The checked catalogs, by the names of their files, in order.
  func resolve() throws -> [ResolvedCatalog] {
    let trees = try GoldenFolder.catalogs(in: folder).map { file in
      let (tree, diagnostics) = CatalogReader.read(SourceFile(path: file.name, bytes: file.bytes))
      return try #require(tree, "not readable: \(diagnostics.map(\.message))")
    }
    let (catalogs, diagnostics) = CatalogResolver.resolve(trees)
    try #require(diagnostics.allSatisfy { $0.severity != .error }, "\(diagnostics.map(\.message))")
    return catalogs
  }

  /// The wanted files by their paths below `want`.
  func wanted() throws -> [String: String] {
    var files: [String: String] = [:]
    let paths = FileManager.default.enumerator(atPath: want.path)?.compactMap { $0 as? String } ?? []
    for path in paths where path.contains(".") {
      files[path] = String(decoding: try Data(contentsOf: want.appendingPathComponent(path)), as: UTF8.self)
    }
    return files
  }
}
