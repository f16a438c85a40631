import Foundation
import RuntimeTestSupport
import Testing

@testable import LocalDataStores

@Suite struct PlainEnvelopeTests {
  static let plain: [Data] = [
    Data(), Data([0x89]), Data([0x89, 0x4C, 0x44]), Data("text".utf8),
    // Bytes that begin like an envelope, and a value that is itself a whole envelope.
    EnvelopeHeader.magic, EnvelopeHeader.magic + [1, 0, 0],
    PlainEnvelope.wrapPlain(Data("inner".utf8), metadata: EnvelopeMetadata(writtenAt: 5)),
  ]

  @Test(arguments: plain) func readingIsUnambiguous(_ bytes: Data) throws {
    let bare = PlainEnvelope.wrapPlain(bytes)
    #expect(try PlainEnvelope.unwrapPlain(bare).bytes == bytes)
    #expect(bare == bytes || bytes.starts(with: EnvelopeHeader.magic))

    let metadata = EnvelopeMetadata(schema: 2, writtenAt: -7, sync: .init(counter: 1, device: UUID()))
    let wrapped = try PlainEnvelope.unwrapPlain(PlainEnvelope.wrapPlain(bytes, metadata: metadata))
    #expect(wrapped.bytes == bytes)
    #expect(wrapped.metadata == metadata)
    #expect(wrapped.bytes.startIndex == 0)
  }

  @Test func sealedAndDamagedValuesAreNotPlainOnes() throws {
    let sealed = try EnvelopeTests.Case(algorithm: .aes256GCM).seal()
    #expect(faultOf { try PlainEnvelope.unwrapPlain(sealed).bytes } == .corrupted)
    var wrapped = PlainEnvelope.wrapPlain(Data("x".utf8), metadata: EnvelopeMetadata(writtenAt: 1))
    for offset in [6, 7, 44, 63, 64, 80, 123] {
      let byte = wrapped[offset]
      wrapped[offset] = 1
      #expect(faultOf { try PlainEnvelope.unwrapPlain(wrapped).bytes } == .corrupted, "byte \(offset)")
      wrapped[offset] = byte
    }
    for count in 4..<EnvelopeHeader.count {
      #expect(faultOf { try PlainEnvelope.unwrapPlain(wrapped.prefix(count)).bytes } == .corrupted, "\(count) bytes")
    }
    // And a plain value is no sealed one.
    let opener = Opener(keys: [SealingKey(secret(5), source: .masterKey)])
    for bytes in [wrapped, Data("x".utf8), Data()] {
      #expect(faultOf { try opener.open(bytes, identity: .profile).plaintext } == .corrupted)
    }
  }

  @Test func tellsWhatNeedsTheMasterKey() throws {
    let sealed = try EnvelopeTests.Case(algorithm: .aes256GCM).seal()
    #expect(PlainEnvelope.needsMasterKey(sealed))
    // Damaged, of a later version, cut short: better a key too few than one too many.
    #expect(PlainEnvelope.needsMasterKey(sealed.prefix(10)))
    #expect(PlainEnvelope.needsMasterKey(EnvelopeHeader.magic + [9]))
    #expect(!PlainEnvelope.needsMasterKey(Data("plain".utf8)))
    #expect(!PlainEnvelope.needsMasterKey(PlainEnvelope.wrapPlain(sealed.dropFirst(), metadata: .init(writtenAt: 0))))
    let external = try Sealer(key: SealingKey(secret(5), source: .external), algorithm: .aes256GCM)
      .seal(Data(), metadata: .init(writtenAt: 0), identity: .profile)
    #expect(!PlainEnvelope.needsMasterKey(external))
  }
}
