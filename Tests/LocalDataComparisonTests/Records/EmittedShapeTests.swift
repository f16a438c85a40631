import LocalDataComparison
import LocalDataModel
import LocalDataSyntax
import ExampleKeys
import Foundation
import LocalDataShapes
import Testing

@_spi(Generated) @testable import LocalDataRecords

/// The tables that the generator compares with releases are those that an app creates.
struct EmittedShapeTests {
  @Test func theGeneratorAndTheAppAgreeOnTables() throws {
    let path = "Catalogs/Wallet.yaml"
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: path)
    let source = SourceFile(path: path, bytes: Array(try Data(contentsOf: file)))
    let tree = try #require(CatalogReader.read(source).tree)
    let catalog = try #require(CatalogResolver.resolve([tree]).catalogs.first)
    let declared = RecordShape(of: catalog.records, types: catalog.types)
    let emitted = RecordShape(WalletDatabase.declaration.records())
    #expect(declared.records.keys.sorted() == ["Credential", "IdTokenSharingHistory", "SharingHistory"])
    #expect(declared.records.keys.sorted() == emitted.records.keys.sorted())
    for (name, record) in declared.records { #expect(record == emitted.records[name], "\(name)") }
  }
}
