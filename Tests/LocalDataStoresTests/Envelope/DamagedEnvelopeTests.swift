import Foundation
import LocalDataVocabulary
import TestSupport
import Testing

@testable import LocalDataStores

/// Damaged envelopes with the exact fault of each, and exhaustive damage that nothing may open.
@Suite struct DamagedEnvelopeTests {
  /// An undamaged envelope that the others are made of.
  enum Base: String, CaseIterable, Sendable {
    case hkdf, pbkdf2, plain

    var stretch: StretchParameters? { self == .pbkdf2 ? EnvelopeTests.stretch : nil }
    var key: SealingKey { SealingKey(secret(5), source: .masterKey, stretch: stretch) }

    func envelope(_ text: String = "a value") throws -> Data {
      let metadata = EnvelopeMetadata(
        schema: 3, writtenAt: 1_700_000_000_123,
        sync: .init(counter: 9, device: UUID(bytes: Data(repeating: 7, count: 16))))
      if self == .plain { return PlainEnvelope.wrapPlain(Data(text.utf8), metadata: metadata) }
      return try Sealer(key: key, algorithm: self == .hkdf ? .aes256GCM : .chaCha20Poly1305)
        .seal(Data(text.utf8), metadata: metadata, identity: EnvelopeTests.identity)
    }

    func open(_ envelope: Data) throws(StorageProblem) -> Data {
      if self == .plain { return try PlainEnvelope.unwrapPlain(envelope).bytes }
      return try Opener(keys: [key]).open(envelope, identity: EnvelopeTests.identity).plaintext
    }
  }

  struct Damage: Sendable {
    var name: String
    var base: Base
    var fault: StorageProblem
    var change: @Sendable (inout Data) -> Void

    /// Bytes in the place of others.
    init(_ name: String, _ base: Base, at offset: Int, _ bytes: [UInt8], _ fault: StorageProblem) {
      (self.name, self.base, self.fault) = ("\(name) \(bytes.prefix(4)) at \(offset), \(base)", base, fault)
      change = { $0.replaceSubrange(offset..<offset + bytes.count, with: bytes) }
    }

    init(cut count: Int, _ base: Base, _ fault: StorageProblem) {
      (name, self.base, self.fault) = ("\(count) bytes of \(base)", base, fault)
      change = { $0 = $0.prefix(count) }
    }
  }

  private static let sealed: [Base] = [.hkdf, .pbkdf2]
  private static let zeros = [UInt8](repeating: 0, count: 16)

  static var damages: [Damage] {
    var all: [Damage] = []
    for base in Base.allCases {
      for version: UInt8 in [0, 2, 3, 255] {
        all.append(.init("version", base, at: 4, [version], .unknownFormatVersion))
      }
      for number: UInt8 in [3, 4, 255] {
        all.append(.init("algorithm", base, at: 5, [number], .unknownFormatVersion))
        all.append(.init("derivation", base, at: 6, [number], .unknownFormatVersion))
      }
      for number: UInt8 in [5, 6, 255] { all.append(.init("source", base, at: 7, [number], .unknownFormatVersion)) }
      all.append(.init("no device", base, at: 28, zeros, .corrupted))
      for count in [5, 6, 8, 12, 20, 28, 44, 48, 64, 80, 112, 123] { all.append(.init(cut: count, base, .corrupted)) }
    }
    for base in sealed {
      for index in 0..<4 { all.append(.init("magic", base, at: index, [0], .corrupted)) }
      for count in [0, 1, 4, 124, 139] { all.append(.init(cut: count, base, .corrupted)) }
      for count in [140, 146] { all.append(.init(cut: count, base, .authenticationFailed)) }
      all.append(.init("no algorithm", base, at: 5, [0], .corrupted))
      all.append(.init("other algorithm", base, at: 5, [base == .hkdf ? 2 : 1], .authenticationFailed))
      all.append(.init("no derivation", base, at: 6, [0], .corrupted))
      all.append(.init("other derivation", base, at: 6, [base == .hkdf ? 2 : 1], .corrupted))
      all.append(.init("no source", base, at: 7, [0], .corrupted))
      for source: UInt8 in [2, 3, 4] { all.append(.init("other source", base, at: 7, [source], .authenticationFailed)) }
      for schema: [UInt8] in [[0, 0, 0, 0], [0, 0, 0, 2], [255, 255, 255, 255]] {
        all.append(.init("schema", base, at: 8, schema, .authenticationFailed))
      }
      for (name, offset) in [
        ("time", 12), ("time", 19), ("counter", 20), ("counter", 27), ("device", 28), ("device", 43),
      ] {
        all.append(.init(name, base, at: offset, [0xA5], .authenticationFailed))
      }
      for (name, offset) in [
        ("key id", 64), ("key id", 79), ("salt", 80), ("salt", 111), ("nonce", 112), ("nonce", 123),
        ("ciphertext", 124),
        ("ciphertext", 129), ("tag", 131), ("tag", 145),
      ] {
        // Two bytes, because one random byte is the same already in one of 256 runs.
        all.append(.init(name, base, at: offset, [0xA5, 0x5A], .authenticationFailed))
      }
    }
    for iterations: [UInt8] in [[0, 0, 0, 0], [0, 9, 0x27, 0xBF], [0, 0x98, 0x96, 0x81], [255, 255, 255, 255]] {
      all.append(.init("iterations", .pbkdf2, at: 44, iterations, .corrupted))
    }
    all.append(.init("other iterations", .pbkdf2, at: 44, [0, 9, 0x27, 0xC1], .authenticationFailed))
    all.append(.init("PBKDF2 salt", .pbkdf2, at: 48, [0], .authenticationFailed))
    for base in [Base.hkdf, .plain] {
      for (name, offset) in [("iterations", 44), ("iterations", 47), ("PBKDF2 salt", 48), ("PBKDF2 salt", 63)] {
        all.append(.init(name, base, at: offset, [1], .corrupted))
      }
    }
    for (name, offset) in [
      ("algorithm", 5), ("derivation", 6), ("source", 7), ("key id", 64), ("key id", 79), ("salt", 80), ("salt", 111),
      ("nonce", 112), ("nonce", 123),
    ] { all.append(.init(name, .plain, at: offset, [1], .corrupted)) }
    return all
  }

  @Test func eachHasItsFault() throws {
    let damages = Self.damages
    for damage in damages {
      var envelope = try damage.base.envelope()
      damage.change(&envelope)
      #expect(faultOf { try damage.base.open(envelope) } == damage.fault, "\(damage.name)")
    }
    #expect(damages.count >= 120)
    #expect(Set(damages.map(\.name)).count == damages.count)
    Sweep.report("damaged envelopes", "\(damages.count)")
  }

  /// Every flipped bit, every truncation, and every exchange of two bytes or of the ends of two envelopes.
  @Test(arguments: [Base.hkdf, .pbkdf2]) func noDamagedEnvelopeOpens(_ base: Base) throws {
    let (one, other) = (try base.envelope(), try base.envelope("another"))
    #expect(one.count == other.count)
    var tried = 0
    func refuse(_ envelope: Data, _ what: @autoclosure () -> String) {
      if envelope == one || envelope == other { return }
      tried += 1
      if faultOf({ try base.open(envelope) }) == nil { Issue.record("\(what()) was opened") }
    }
    for bit in 0..<one.count * 8 {
      var changed = one
      changed[bit / 8] ^= 1 << (bit % 8)
      refuse(changed, "bit \(bit % 8) of byte \(bit / 8)")
    }
    for count in 0..<one.count {
      refuse(one.prefix(count), "\(count) bytes")
      refuse(one.suffix(count), "the last \(count) bytes")
      refuse(one.prefix(count) + other.suffix(one.count - count), "one until \(count), then the other")
    }
    for first in 0..<one.count {
      for second in stride(from: first + 1, to: one.count, by: 7) {
        var changed = one
        changed.swapAt(first, second)
        refuse(changed, "bytes \(first) and \(second) exchanged")
      }
    }
    refuse(one + [0], "a byte more")
    refuse(one + other, "both")
    #expect(tried > 2_000)
    Sweep.report("changed envelopes with \(base)", "\(tried) refused")
  }
}
