import LocalDataDocuments
import LocalDataEmission
import LocalDataModel
import Foundation
import TestSupport
import Testing

/// Catalogs with records to the files that they become, byte for byte, as in ``GoldenOutputTests``.
struct RecordOutputTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var catalogs: [ResolvedCatalog]
    var golden: GoldenCase

    var testDescription: String { golden.name }
  }

  static let cases: [Case] = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("RecordCases")
    return RecordSamples.cases.map { name, catalogs in
      Case(catalogs: catalogs, golden: GoldenCase(folder: root.appendingPathComponent(name)))
    }
  }()

  @Test(arguments: cases)
  func becomes(_ each: Case) throws {
    try each.golden.check(CatalogEmitter.emit(each.catalogs))
  }

  @Test(arguments: cases)
  func isTheSameInAnyOrder(_ each: Case) {
    #expect(CatalogEmitter.emit(each.catalogs) == CatalogEmitter.emit(each.catalogs.reversed()))
  }
}
