import LocalDataDocuments
import LocalDataModel
import Foundation
import Testing

/// The documents that are made from the table of the language.
@Suite struct LanguageDocumentTests {
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
