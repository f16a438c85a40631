import Foundation
import RuntimeTestSupport
import LocalDataVocabulary
import TestSupport
import Testing

@testable import LocalDataStores

@Suite struct EnvelopeTests {
  static let stretch = StretchParameters(iterations: 600_000, salt: Data(repeating: 7, count: 16))
  static let metadata = EnvelopeMetadata(
    schema: 3, writtenAt: 1_700_000_000_123, sync: .init(counter: 9, device: UUID()))
  static let plaintext = Data("a value".utf8)

  struct Case: Sendable, CustomTestStringConvertible {
    var algorithm: EncryptionAlgorithm
    var stretch: StretchParameters?
    var testDescription: String { "\(algorithm)\(stretch == nil ? "" : ", stretched")" }

    var key: SealingKey { SealingKey(secret(5), source: .masterKey, stretch: stretch) }

    func seal(_ identity: ValueIdentity = identity) throws -> Data {
      try Sealer(key: key, algorithm: algorithm).seal(plaintext, metadata: metadata, identity: identity)
    }

    static let all = EncryptionAlgorithm.allCases.flatMap {
      [Case(algorithm: $0), Case(algorithm: $0, stretch: EnvelopeTests.stretch)]
    }
  }

  static let identity: ValueIdentity = {
    var identity = ValueIdentity.profile
    identity.schema = 3
    return identity
  }()

  @Test(arguments: Case.all) func opensWhatItSealed(_ sealing: Case) throws {
    let envelope = try sealing.seal()
    #expect(envelope.count == EnvelopeHeader.overhead + Self.plaintext.count)
    let header = try EnvelopeHeader.parse(envelope)
    #expect(header.metadata == Self.metadata)
    #expect(header.bytes == envelope.prefix(EnvelopeHeader.count))
    #expect(header.seal?.stretch == sealing.stretch)
    let opener = Opener(keys: [sealing.key])
    #expect(opener.canOpen(header))
    let opened = try opener.open(envelope, identity: Self.identity)
    #expect(opened.plaintext == Self.plaintext)
    #expect(opened.metadata == Self.metadata)
    // A slice whose indices do not begin at 0.
    let slice = (Data([1, 2, 3]) + envelope).dropFirst(3)
    #expect(try opener.open(slice, identity: Self.identity).plaintext == Self.plaintext)
  }

  @Test(arguments: Case.all) func emptyValuesHaveAnEnvelopeToo(_ sealing: Case) throws {
    let envelope = try Sealer(key: sealing.key, algorithm: sealing.algorithm)
      .seal(Data(), metadata: Self.metadata, identity: Self.identity)
    #expect(try Opener(keys: [sealing.key]).open(envelope, identity: Self.identity).plaintext.isEmpty)
  }

  /// Never a value, never a crash.
  @Test(arguments: Case.all) func everyTruncationIsAFault(_ sealing: Case) throws {
    let envelope = try sealing.seal()
    let opener = Opener(keys: [sealing.key])
    for count in 0..<envelope.count {
      let fault = faultOf { try opener.open(envelope.prefix(count), identity: Self.identity).plaintext }
      let expected: StorageProblem = count < EnvelopeHeader.overhead ? .corrupted : .authenticationFailed
      #expect(fault == expected, "\(count) bytes")
    }
    #expect(faultOf { try opener.open(envelope + [0], identity: Self.identity).plaintext } == .authenticationFailed)
  }

  @Test(arguments: Case.all) func everyBitIsGuarded(_ sealing: Case) throws {
    let envelope = try sealing.seal()
    let opener = Opener(keys: [sealing.key])
    for bit in 0..<envelope.count * 8 {
      var changed = envelope
      changed[bit / 8] ^= 1 << (bit % 8)
      let fault = faultOf { try opener.open(changed, identity: Self.identity).plaintext }
      let expected: Set<StorageProblem> =
        switch bit / 8 {
        case 0..<4: [.corrupted]
        case 4: [.unknownFormatVersion]
        case 5..<8: [.corrupted, .unknownFormatVersion, .authenticationFailed]
        // Out of bounds, or in bounds and another than the one that sealed.
        case 44..<48, 48..<64: [.corrupted, .authenticationFailed]
        default: [.authenticationFailed]
        }
      #expect(
        fault.map { expected.contains($0) } == true, "byte \(bit / 8), bit \(bit % 8): \(String(describing: fault))")
    }
  }

  @Test func randomBytesNeverCrashTheParser() {
    var generator = SeededRandom(seed: Sweep.seed)
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...200, using: &generator)
      var bytes = EnvelopeHeader.magic + [1]
      bytes += (0..<count).map { _ in UInt8.random(in: 0...4, using: &generator) }
      _ = faultOf { try EnvelopeHeader.parse(bytes) }
      _ = faultOf { try Keyset(bytes: bytes) }
    }
  }

  struct Edit: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var offset: Int
    var bytes: [UInt8]
    var fault: StorageProblem
  }

  @Test(arguments: [
    Edit(testDescription: "format version 2", offset: 4, bytes: [2], fault: .unknownFormatVersion),
    Edit(testDescription: "format version 0", offset: 4, bytes: [0], fault: .unknownFormatVersion),
    Edit(testDescription: "algorithm 3", offset: 5, bytes: [3], fault: .unknownFormatVersion),
    Edit(testDescription: "algorithm none, key fields set", offset: 5, bytes: [0], fault: .corrupted),
    Edit(testDescription: "derivation 3", offset: 6, bytes: [3], fault: .unknownFormatVersion),
    Edit(testDescription: "derivation none", offset: 6, bytes: [0], fault: .corrupted),
    Edit(testDescription: "HKDF with iterations", offset: 6, bytes: [1], fault: .corrupted),
    Edit(testDescription: "source 5", offset: 7, bytes: [5], fault: .unknownFormatVersion),
    Edit(testDescription: "source none", offset: 7, bytes: [0], fault: .corrupted),
    Edit(
      testDescription: "a counter without a device", offset: 28, bytes: Array(repeating: 0, count: 16),
      fault: .corrupted),
    Edit(testDescription: "4 billion iterations", offset: 44, bytes: [0xFF, 0xFF, 0xFF, 0xFF], fault: .corrupted),
    Edit(testDescription: "one iteration too many", offset: 44, bytes: [0x00, 0x98, 0x96, 0x81], fault: .corrupted),
    Edit(testDescription: "one iteration too few", offset: 44, bytes: [0x00, 0x09, 0x27, 0xBF], fault: .corrupted),
  ]) func inconsistentHeadersAreRefused(_ edit: Edit) throws {
    var envelope = try Case(algorithm: .aes256GCM, stretch: Self.stretch).seal()
    envelope.replaceSubrange(edit.offset..<edit.offset + edit.bytes.count, with: edit.bytes)
    #expect(faultOf { try EnvelopeHeader.parse(envelope) } == edit.fault)
  }

  @Test func wrongKeysDoNotOpen() throws {
    let envelope = try Case(algorithm: .aes256GCM).seal()
    let other = Opener(keys: [SealingKey(secret(6), source: .masterKey)])
    #expect(!other.canOpen(try EnvelopeHeader.parse(envelope)))
    #expect(faultOf { try other.open(envelope, identity: Self.identity).plaintext } == .authenticationFailed)
    let none = Opener(keys: [])
    #expect(faultOf { try none.open(envelope, identity: Self.identity).plaintext } == .authenticationFailed)
  }

  /// More values than the key remembers data keys for.
  @Test func oneKeyOpensManyValuesAgainAndAgain() throws {
    let key = Case(algorithm: .chaCha20Poly1305).key
    let sealer = Sealer(key: key, algorithm: .chaCha20Poly1305)
    let opener = Opener(keys: [key])
    let plaintexts = (0..<200).map { Data("value \($0)".utf8) }
    let envelopes = try plaintexts.map { try sealer.seal($0, metadata: Self.metadata, identity: Self.identity) }
    for number in Array(0..<200) + (0..<200).reversed() + Array(repeating: 7, count: 3) {
      #expect(try opener.open(envelopes[number], identity: Self.identity).plaintext == plaintexts[number])
    }
  }

  /// A seal made for one purpose opens for no other, with the same key and associated data.
  @Test func purposesAreApart() throws {
    let key = SealingKey(secret(5), source: .masterKey)
    for sealed in SealPurpose.allCases {
      let envelope = try key.seal(
        Self.plaintext, algorithm: .aes256GCM, metadata: Self.metadata, purpose: sealed, associatedData: Data(),
        randomness: .system)
      for purpose in SealPurpose.allCases {
        let header = try EnvelopeHeader.parse(envelope)
        let opens = faultOf { try key.open(envelope, header: header, purpose: purpose, associatedData: Data()) } == nil
        #expect(opens == (purpose == sealed))
      }
    }
  }

  /// Pairwise different identities, among them those that a tuple without lengths would confuse.
  static let identities: [ValueIdentity] = [
    .init(domain: .fileSystem, container: .directory(.documents), name: "n"),
    .init(domain: .encryptedFileSystem, container: .directory(.documents), name: "n"),
    .init(domain: .fileSystem, container: .directory(.documents), name: "m"),
    .init(domain: .fileSystem, container: .directory(.caches), name: "n"),
    .init(domain: .fileSystem, container: .directory(.custom("documents")), name: "n"),
    .init(domain: .fileSystem, container: .directory(.custom("documents/n")), name: ""),
    .init(domain: .fileSystem, container: .directory(.custom("a")), name: "n"),
    .init(domain: .appGroupFileSystem, container: .groupDirectory(identifier: "g", .documents), name: "n"),
    .init(domain: .appGroupFileSystem, container: .groupDirectory(identifier: "h", .documents), name: "n"),
    .init(domain: .userDefaults, container: .preferences(suite: nil), name: "n"),
    .init(domain: .userDefaults, container: .preferences(suite: ""), name: "n"),
    .init(domain: .userDefaults, container: .preferences(suite: "s"), name: "n"),
    .init(domain: .userDefaults, container: .preferences(suite: "sn"), name: ""),
    .init(domain: .appGroupUserDefaults, container: .groupPreferences(identifier: "s"), name: "n"),
    .init(domain: .keychain, container: .keychain(service: "s", accessGroup: nil, synchronizable: false), name: "n"),
    .init(domain: .keychain, container: .keychain(service: "s", accessGroup: "", synchronizable: false), name: "n"),
    .init(domain: .keychain, container: .keychain(service: "s", accessGroup: "a", synchronizable: false), name: "n"),
    .init(domain: .keychain, container: .keychain(service: "t", accessGroup: nil, synchronizable: false), name: "n"),
  ]

  @Test func valuesCopiedToAnotherKeyDoNotOpen() throws {
    let key = SealingKey(secret(5), source: .masterKey)
    for (index, sealed) in Self.identities.enumerated() {
      let envelope = try Sealer(key: key, algorithm: .chaCha20Poly1305)
        .seal(Self.plaintext, metadata: EnvelopeMetadata(writtenAt: 0), identity: sealed)
      for (other, identity) in Self.identities.enumerated() {
        let fault = faultOf { try Opener(keys: [key]).open(envelope, identity: identity).plaintext }
        #expect(fault == (index == other ? nil : .authenticationFailed), "\(sealed) as \(identity)")
      }
    }
  }

  @Test func schemasAreBoundAndCompared() throws {
    let key = SealingKey(secret(5), source: .masterKey)
    let sealer = Sealer(key: key, algorithm: .aes256GCM)
    var identity = ValueIdentity.profile
    identity.schema = 2
    let older = try sealer.seal(Self.plaintext, metadata: .init(schema: 1, writtenAt: 0), identity: identity)
    let newer = try sealer.seal(Self.plaintext, metadata: .init(schema: 3, writtenAt: 0), identity: identity)
    let opener = Opener(keys: [key])
    #expect(try opener.open(older, identity: identity).metadata.schema == 1)
    #expect(faultOf { try opener.open(newer, identity: identity).plaintext } == .newerSchema)
    // An edited schema is no newer one.
    var edited = older
    edited[11] = 3
    #expect(faultOf { try opener.open(edited, identity: identity).plaintext } == .authenticationFailed)
  }

  @Test func saltsAndNoncesNeverRepeat() throws {
    let sealer = Sealer(key: SealingKey(secret(5), source: .masterKey), algorithm: .chaCha20Poly1305)
    var (salts, nonces): (Set<Data>, Set<Data>) = ([], [])
    for _ in 0..<10_000 {
      let envelope = try sealer.seal(Data(), metadata: .init(writtenAt: 0), identity: .profile)
      let seal = try #require(try EnvelopeHeader.parse(envelope).seal)
      salts.insert(seal.salt)
      nonces.insert(seal.nonce)
    }
    #expect(salts.count == 10_000)
    #expect(nonces.count == 10_000)
  }

  @Test(arguments: [
    Date.distantPast, .distantFuture, Date(timeIntervalSince1970: .infinity), Date(timeIntervalSince1970: 1.0009),
  ])
  func everyDateHasATime(_ date: Date) {
    let time = EnvelopeMetadata(writtenAt: date).writtenAt
    #expect(
      date.timeIntervalSince1970.isFinite
        ? time == Int64((date.timeIntervalSince1970 * 1000).rounded(.down)) : time == 0)
  }
}
