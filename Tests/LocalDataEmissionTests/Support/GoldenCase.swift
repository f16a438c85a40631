@testable import LocalDataEmission
import LocalDataDocuments
import LocalDataModel
import LocalDataSyntax
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

extension GoldenCase {
  /// Compares files with what is wanted, or writes what is wanted anew.
  func check(_ files: [GeneratedFile]) throws {
    if GoldenFolder.isRecording {
      try record(files)
      Issue.record("recorded \(name)")
      return
    }
    let wanted = try wanted()
    #expect(files.map(\.path).sorted() == wanted.keys.sorted())
    for file in files {
      let text = String(decoding: file.bytes, as: UTF8.self)
      let difference = firstDifference(text, wanted[file.path] ?? "")
      #expect(difference == nil, "\(file.path)")
    }
  }

  private func record(_ files: [GeneratedFile]) throws {
    if FileManager.default.fileExists(atPath: want.path) { try FileManager.default.removeItem(at: want) }
    for file in files {
      let target = want.appendingPathComponent(file.path)
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(file.bytes).write(to: target)
    }
  }

  /// The first line that differs, with its number.
  private func firstDifference(_ text: String, _ wanted: String) -> String? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let wantedLines = wanted.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, pair) in zip(lines, wantedLines).enumerated() where pair.0 != pair.1 {
      return "line \(index + 1): \(pair.0)\n  wanted: \(pair.1)"
    }
    return lines.count == wantedLines.count ? nil : "\(lines.count) lines, wanted \(wantedLines.count)"
  }
}
