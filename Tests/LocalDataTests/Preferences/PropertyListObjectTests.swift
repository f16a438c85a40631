import Foundation
import StorageVocabulary
import Testing

@testable import LocalData

@Suite struct PropertyListObjectTests {
  private func bytes<Value: Codable & Sendable>(_ value: Value) throws -> Data {
    try Serializer<Value>.propertyList.encode(value)
  }

  @Test func aScalarIsKeptAsItself() throws {
    let bytes = try bytes(5)
    #expect(try PropertyListObject.object(of: bytes) as? Int == 5)
    #expect(try Serializer<Int>.propertyList.decode(PropertyListObject.bytes(of: 5)) == 5)
  }

  @Test func bytesComeBackAsTheyWent() throws {
    for value in [Data([1, 2]), EnvelopeHeader.magic, EnvelopeHeader.magic + [1, 2]] {
      let object = try PropertyListObject.object(of: try bytes(value))
      #expect(try Serializer<Data>.propertyList.decode(PropertyListObject.bytes(of: object)) == value)
    }
  }

  @Test func anEnvelopeIsKeptAsItsBytes() throws {
    let envelope = StoredValue.wrapPlain(try bytes("x"), metadata: EnvelopeMetadata(schema: 2, writtenAt: 0))
    let object = try PropertyListObject.object(of: envelope)
    #expect(object as? Data == envelope)
    #expect(try PropertyListObject.bytes(of: object) == envelope)
  }
}
