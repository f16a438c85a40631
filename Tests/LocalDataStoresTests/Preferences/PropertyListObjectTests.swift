import Foundation
import LocalDataVocabulary
import Testing

@testable import LocalData
@testable import LocalDataStores

@Suite struct PropertyListObjectTests {
  private func bytes<Value: Codable & Sendable>(_ value: Value) throws -> Data {
    try Serializer<Value>.propertyList.encode(value)
  }

  @Test func aScalarIsKeptAsItself() throws {
    let bytes = try bytes(5)
    #expect(try PropertyListObject.object(of: bytes) as? Int == 5)
    #expect(try Serializer<Int>.propertyList.decode(PropertyListObject.bytes(of: 5)) == 5)
  }

  /// Checks what `array(forKey:)` and `dictionary(forKey:)` of UserDefaults see.
  @Test func listsAreKeptAsLists() throws {
    #expect(try PropertyListObject.object(of: bytes([5])) as? [Int] == [5])
    #expect(try PropertyListObject.object(of: bytes([[5]])) as? [[Int]] == [[5]])
    #expect(try PropertyListObject.object(of: bytes([1, 2])) as? [Int] == [1, 2])
    #expect(try PropertyListObject.object(of: bytes([Int]())) as? [Int] == [])
    #expect(try PropertyListObject.object(of: bytes(["a": 1])) as? [String: Int] == ["a": 1])
    #expect(try PropertyListObject.object(of: bytes([["a": 1]])) as? [[String: Int]] == [["a": 1]])
    #expect(try PropertyListObject.object(of: bytes(AnyCodable.object(["a": 1]))) as? [String: Int] == ["a": 1])
    #expect(try PropertyListObject.object(of: bytes(AnyCodable.array([1]))) as? [Int] == [1])
  }

  /// Checks lists that other code stored with UserDefaults.
  @Test func listsOfOthersAreRead() throws {
    #expect(try Serializer<[Int]>.propertyList.decode(PropertyListObject.bytes(of: [5])) == [5])
    #expect(try Serializer<[[Int]]>.propertyList.decode(PropertyListObject.bytes(of: [[Int]()])) == [[]])
    #expect(try Serializer<AnyCodable>.propertyList.decode(PropertyListObject.bytes(of: ["a": 1])) == ["a": 1])
    #expect(throws: (any Error).self) { try Serializer<Int>.propertyList.decode(PropertyListObject.bytes(of: [5])) }
  }

  @Test func bytesComeBackAsTheyWent() throws {
    for value in [Data([1, 2]), EnvelopeHeader.magic, EnvelopeHeader.magic + [1, 2]] {
      let object = try PropertyListObject.object(of: try bytes(value))
      #expect(try Serializer<Data>.propertyList.decode(PropertyListObject.bytes(of: object)) == value)
    }
  }

  @Test func anEnvelopeIsKeptAsItsBytes() throws {
    let envelope = PlainEnvelope.wrapPlain(try bytes("x"), metadata: EnvelopeMetadata(schema: 2, writtenAt: 0))
    let object = try PropertyListObject.object(of: envelope)
    #expect(object as? Data == envelope)
    #expect(try PropertyListObject.bytes(of: object) == envelope)
  }

  /// The result of a read of a key whose `onCorruption` is not to throw: bytes that are no value, and no envelope.
  @Test(arguments: [5, "text", [1, 2], ["a": 1], Date(timeIntervalSince1970: 0)] as [any Sendable])
  func anObjectOfAnotherKindIsReadAsBytesThatAreNoValue(_ object: any Sendable) throws {
    #expect(throws: StorageProblem.corrupted) { try PropertyListObject.storedBytes(of: object, StorageAttributes()) }
    let bytes = try PropertyListObject.storedBytes(of: object, StorageAttributes(readsOtherObjects: true))
    #expect(throws: StorageProblem.corrupted) { try EnvelopeHeader.parse(bytes) }
    #expect(!EnvelopeHeader.saysSealed(bytes))
    #expect(bytes.dropFirst(EnvelopeHeader.count) == (try PropertyListObject.bytes(of: object)))
    // A Data is the bytes of a value.
    let attributes = StorageAttributes(readsOtherObjects: true)
    #expect(try PropertyListObject.storedBytes(of: Data([1]), attributes) == Data([1]))
  }
}
