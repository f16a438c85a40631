import LocalDataModel
import Foundation
import LocalDataDocuments
import LocalDataEmission
import Testing

/// The catalog with imports to the files that it becomes, byte for byte, as in ``GoldenOutputTests``. `LocalDataImportTests` compiles
/// the Swift, and runs it.
struct ImportOutputTests {
  private static let golden = GoldenCase(
    folder: URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("LocalDataImportTests"))

  @Test func becomes() throws { try Self.golden.check(CatalogEmitter.emit(try Self.golden.resolve())) }

  @Test func isTheSameEachTime() throws {
    let catalogs = try Self.golden.resolve()
    for format in AuditFormat.allCases {
      #expect(format.render(catalogs) == format.render(try Self.golden.resolve()))
    }
  }
}
