import LocalDataDocuments
import LocalDataEmission
import LocalDataModel
import Foundation
import TestSupport
import Testing

/// Catalogs in YAML to the files that they become, byte for byte.
///
/// `LOCALDATA_RECORD=1` writes what is wanted anew, and fails.
struct GoldenOutputTests {
  @Test(arguments: try GoldenCase.all)
  func becomes(_ golden: GoldenCase) throws {
    try golden.check(CatalogEmitter.emit(try golden.resolve()))
  }

  @Test(arguments: try GoldenCase.all)
  func isTheSameEachTime(_ golden: GoldenCase) throws {
    let catalogs = try golden.resolve()
    #expect(CatalogEmitter.emit(catalogs) == CatalogEmitter.emit(try golden.resolve()))
    #expect(CatalogEmitter.emit(catalogs) == CatalogEmitter.emit(catalogs.reversed()))
    for format in AuditFormat.allCases {
      #expect(format.render(catalogs) == format.render(try golden.resolve()))
    }
  }

  /// Linters of an app refuse long lines, also where a comment turns them off for the code in it.
  @Test(arguments: try GoldenCase.all)
  func noLineOfCodeIsLong(_ golden: GoldenCase) throws {
    for file in CatalogEmitter.emit(try golden.resolve(), as: [.swift]) {
      let lines = String(decoding: file.bytes, as: UTF8.self).split(separator: "\n")
      #expect(lines.contains("// swiftlint:disable all") && lines.contains("// swiftformat:disable all"))
      #expect(lines.filter { $0.unicodeScalars.count > 200 } == [], "\(file.path)")
    }
  }

  @Test func aCatalogIsNamedByItsFileAlone() throws {
    var catalog = Samples.catalog(keys: [Samples.key("theme")])
    let files = CatalogEmitter.emit([catalog])
    catalog.path = "/home/somebody/app/Catalogs/Sample.yaml"
    #expect(CatalogEmitter.emit([catalog]) == files)
  }
}
