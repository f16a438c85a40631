import LocalDataModel
import LocalDataSyntax
import Foundation
import TestSupport
import Testing

/// A golden case: a folder with catalogs and the findings that they must have.
struct GoldenCase: CustomTestStringConvertible, Sendable {
  let folder: URL

  var name: String { folder.lastPathComponent }
  var testDescription: String { name }

  static var all: [GoldenCase] {
    get throws { try GoldenFolder.cases(beside: #filePath).map(GoldenCase.init) }
  }

  /// The case of a name.
  static func named(_ name: String) throws -> GoldenCase { try #require(all.first { $0.name == name }) }

  /// The catalogs by the names of their files, in order.
  var catalogs: [SourceFile] {
    get throws {
      try GoldenFolder.catalogs(in: folder).map { SourceFile(path: $0.name, bytes: $0.bytes) }
    }
  }

  var want: URL { folder.appendingPathComponent("want.txt") }
}
