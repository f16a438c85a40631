import ExampleKeys
import ExampleModels
import Foundation
import LocalData
import Testing

/// Emitted value types, run: what is missing in stored bytes reads as its default.
struct GeneratedTypesTests {
  @Test func aFieldWithADefaultMayBeMissing() throws {
    let json = #"{"street":"Hauptstr. 1","city":"Bonn","lines":[]}"#
    let address = try JSONDecoder().decode(Address.self, from: Data(json.utf8))
    #expect(address == Address(street: "Hauptstr. 1", city: "Bonn", zip: "", lines: [], country: "DE", note: nil))
  }

  @Test func anAbsentFieldWithoutDefaultIsAnError() {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Address.self, from: Data("{}".utf8)) }
  }

  @Test(arguments: [nil, "DE", "FR"])
  func nilIsKeptWhereTheDefaultIsNot(_ country: String?) throws {
    let address = Address(street: "s", city: "c", lines: [], country: country)
    #expect(try JSONDecoder().decode([Address].self, from: JSONEncoder().encode([address])) == [address])
    #expect(
      try PropertyListDecoder().decode([Address].self, from: PropertyListEncoder().encode([address])) == [address])
  }

  @Test func aMapByAnEnumIsAnObject() throws {
    let state = SyncState(progress: [.dark: 0.5])
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(state), as: UTF8.self) == #"{"pending":0,"progress":{"dark":0.5}}"#)
  }

  @Test func enumsKeepTheirRawValues() {
    #expect(Theme.allCases.map(\.rawValue) == ["system", "light", "dark"])
    #expect(BadgeLevel.allCases.map(\.rawValue) == [1, 10, 100])
  }

  @Test func aNoteIsPlainText() throws {
    let note = Note(title: "Shopping", lines: ["milk", ""])
    let data = try NoteSerializer.encode(note)
    #expect(data == Data("Shopping\nmilk\n".utf8))
    #expect(try NoteSerializer.decode(data) == note)
    #expect(throws: NoteError.self) { try NoteSerializer.encode(Note(title: "a\nb")) }
    #expect(throws: NoteError.self) { try NoteSerializer.decode(Data([0xFF])) }
  }
}
