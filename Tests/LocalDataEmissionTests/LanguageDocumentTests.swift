import LocalDataDocuments
import LocalDataModel
import Foundation
import TestSupport
import Testing

/// The documents that are made from the table of the language.
@Suite struct LanguageDocumentTests {
  private static let reference = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/LocalData/LocalData.docc/Language.md")

  /// Language.md contains the tables that the language gives. `LOCALDATA_RECORD=1` writes them.
  @Test func theReferenceHasTodaysTables() throws {
    let document = String(decoding: try Data(contentsOf: Self.reference), as: UTF8.self)
    let updated = ReferenceTables.update(document)
    if GoldenFolder.isRecording {
      try Data(updated.utf8).write(to: Self.reference)
      Issue.record("recorded Language.md")
    }
    #expect(document == updated)
    for title in ["catalog", "key"] { #expect(document.contains("<!-- fields: \(title) -->")) }
  }

  @Test func theSchemaDescribesEveryField() throws {
    let object = try JSONSerialization.jsonObject(with: Data(SchemaEmitter.emit().utf8))
    let schema = try #require(object as? [String: Any])
    #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
    let definitions = try #require(schema["$defs"] as? [String: [String: Any]])
    #expect(definitions.count == Language.concepts.count)
    let key = try #require(definitions["key"]?["properties"] as? [String: Any])
    let entries = try #require(Language.concepts.first { $0.title == "key" }).entries
    #expect(Set(key.keys) == Set(entries.map(\.name)))
  }
}
