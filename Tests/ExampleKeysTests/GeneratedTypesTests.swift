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
    for serialized in [try JSONEncoder().encode([address]), try PropertyListEncoder().encode([address])] {
      let isList = serialized.starts(with: Data("bplist".utf8)) || serialized.starts(with: Data("<?xml".utf8))
      let found =
        isList
        ? try PropertyListDecoder().decode([Address].self, from: serialized)
        : try JSONDecoder().decode([Address].self, from: serialized)
      #expect(found == [address])
    }
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

  @Test func everyKeyHasADescriptor() {
    let keys = SecureStorageSampleCatalog.allKeys
    let descriptors = SecureStorageSampleCatalog.descriptors
    #expect(descriptors.filter { $0.parameters.isEmpty }.map(\.name) == keys.map(\.name))
    #expect(descriptors.filter { $0.parameters.isEmpty }.map(\.domain) == keys.map(\.domain))
    #expect(descriptors.filter { $0.parameters.isEmpty }.map(\.security) == keys.map(\.security))
    #expect(SecureStorageSampleCatalog.allFamilies.map(\.name) == ["draft_{documentID}"])
    #expect(SecureStorageSampleCatalog.reservedNames.map(\.name) == ["session_v0"])
    #expect(WalletCatalog.descriptors.map(\.name) == WalletCatalog.allKeys.map(\.name))
  }

  @Test func theSampleShowsEveryOption() {
    let descriptors = SecureStorageSampleCatalog.descriptors
    #expect(Set(descriptors.map(\.domain.kind)) == Set(StorageDomain.Kind.allCases))
    #expect(Set(descriptors.map(\.security.kind)) == Set(SecurityPolicy.Kind.allCases))
    #expect(Set(descriptors.map(\.serializer.kind)) == Set(SerializerKind.Kind.allCases))
    #expect(Set(descriptors.map(\.sensitivity)) == Set(Sensitivity.allCases))
    var accessibilities: Set<KeychainAccessibility> = []
    var accessControls: Set<KeychainAccessControl> = []
    for case .keychain(let accessibility, let accessControl) in descriptors.map(\.security) {
      accessibilities.insert(accessibility)
      if let accessControl { accessControls.insert(accessControl) }
    }
    #expect(accessibilities == Set(KeychainAccessibility.allCases))
    #expect(accessControls == Set(KeychainAccessControl.allCases))
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
