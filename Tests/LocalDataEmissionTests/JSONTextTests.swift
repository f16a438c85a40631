import LocalDataDocuments
import LocalDataEmission
import LocalDataModel
import Foundation
import LocalDataVocabulary
import Testing

/// Tests that the vocabulary's `Codable` reads the JSON that emitters write.
struct JSONTextTests {
  private struct Document: Decodable {
    var format: Int
    var catalogs: [Catalog]

    struct Catalog: Decodable {
      var name: String
      var source: String
      var keys: [StorageKeyDescriptor]
      var reserved: [StorageReservedName]
    }
  }

  /// The rows between the raw quotes of the emitted Swift, with long rows on one line again.
  private func rows(_ catalog: ResolvedCatalog, _ name: String) throws -> String {
    let swift = try #require(CatalogEmitter.emit([catalog]).first { $0.path.hasSuffix(".swift") })
    let text = String(decoding: swift.bytes, as: UTF8.self)
    let start = try #require(
      text.range(of: "var \(name): StorageCatalogRows? {\n    GeneratedFormat.version1.rows(\n      #\"\"\"\n")
    )
    .upperBound
    let end = try #require(text[start...].range(of: "\n      \"\"\"#)")).lowerBound
    return String(text[start..<end]).replacing("\\#\n      ", with: "")
  }

  @Test(arguments: try GoldenCase.all)
  func descriptorsOfSwiftAreTheKeys(_ golden: GoldenCase) throws {
    for catalog in try golden.resolve() {
      let json = Data(try rows(catalog, "descriptorRows").utf8)
      #expect(try JSONDecoder().decode([StorageKeyDescriptor].self, from: json) == catalog.keys.map(\.descriptor))
    }
  }

  @Test(arguments: try GoldenCase.all)
  func descriptorsOfTheAuditAreTheKeys(_ golden: GoldenCase) throws {
    let catalogs = try golden.resolve()
    let document = try JSONDecoder().decode(Document.self, from: Data(AuditFormat.json.render(catalogs)))
    #expect(document.format == 2)
    #expect(document.catalogs.map(\.name) == catalogs.map(\.name))
    // The audit has the steps of a migration, which other tests check.
    let descriptors = catalogs.map { catalog in
      catalog.keys.map { key in
        var descriptor = key.descriptor
        descriptor.migration = nil
        return descriptor
      }
    }
    #expect(document.catalogs.map(\.keys) == descriptors)
    #expect(document.catalogs.map { $0.reserved.map(\.name) } == catalogs.map { $0.reserved.map(\.name) })
  }

  @Test(arguments: Samples.hostile)
  func hostileTextComesBack(_ text: String) throws {
    let catalog = Samples.catalog(
      keys: [Samples.key("key", name: text, domain: .userDefaults(suite: text), description: text)],
      reserved: [ResolvedReservedName(name: text, domain: .userDefaults(), deletesLeftovers: true, note: text)])
    let row = try rows(catalog, "descriptorRows")
    let found = try JSONDecoder().decode([StorageKeyDescriptor].self, from: Data(row.utf8))
    #expect(found == catalog.keys.map(\.descriptor))
    let reserved = try JSONDecoder().decode(
      [StorageReservedName].self, from: Data(try rows(catalog, "reservedNameRows").utf8))
    #expect(
      reserved == [StorageReservedName(name: text, domain: .userDefaults(), deletesLeftovers: true, note: text)])
  }
}
