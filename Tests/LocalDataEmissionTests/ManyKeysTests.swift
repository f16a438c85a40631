import LocalDataDocuments
import LocalDataEmission
import Testing

/// A catalog of many keys has no long literal of calls.
struct ManyKeysTests {
  @Test func listsAreAddedUpFromShortOnes() throws {
    let keys = (0..<1_234).map { Samples.key("key\($0)", line: $0) }
    let files = CatalogEmitter.emit([Samples.catalog(keys: keys)])
    let swift = String(decoding: try #require(files.last { $0.path == "Sample.keys.swift" }).bytes, as: UTF8.self)
    var longest = 0
    var current = 0
    var listed = 0
    for line in swift.split(separator: "\n") {
      if line.hasPrefix("      .key(.") {
        current += 1
        listed += 1
      } else {
        current = 0
      }
      longest = max(longest, current)
    }
    #expect(listed == 1_234)
    #expect(longest == 50)
    #expect(swift.contains("    all += allKeys25\n"))
    #expect(!swift.contains("all += allKeys26"))
  }

  @Test func aCatalogWithoutKeysHasAnEmptyList() throws {
    let files = CatalogEmitter.emit([Samples.catalog()])
    #expect(files.map(\.path) == ["Audit/Sample.json", "Audit/Sample.md", "Sample.keys.swift"])
    let swift = String(decoding: try #require(files.last).bytes, as: UTF8.self)
    #expect(swift.contains("  public static var allKeys: [AnyStorageKey] {\n    []\n  }\n"))
  }
}
