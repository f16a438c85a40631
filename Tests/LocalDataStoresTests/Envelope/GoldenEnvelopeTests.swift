import Foundation
import RuntimeTestSupport
import LocalDataVocabulary
import TestSupport
import Testing

@testable import LocalDataStores

/// Envelopes of format version 1 as they were first written. They must open for ever.
@Suite struct GoldenEnvelopeTests {
  struct Golden: Sendable, CustomTestStringConvertible {
    var name: String
    var algorithm: EncryptionAlgorithm?
    var iterations: Int?
    var identity: ValueIdentity
    /// The fields of the identity, as a reader of the document gives them.
    var fields: [String?]
    var metadata: EnvelopeMetadata
    var plaintext: Data
    var source = EnvelopeHeader.Source.masterKey

    var testDescription: String { name }
    var material: Data { Data((0..<32).map { UInt8($0) * 7 }) }

    var url: URL {
      URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden/\(name).hex")
    }

    func envelope() throws -> Data { try Data(hex: String(contentsOf: url, encoding: .utf8)) }

    func key() throws -> SealingKey {
      guard let iterations else { return SealingKey(SecretBytes(material), source: source) }
      let stretch = StretchParameters(iterations: iterations, salt: Data(repeating: 0x5A, count: 16))
      let stretched = try KeyStretching.pbkdf2.stretch(SecretBytes(material), stretch)
      return SealingKey(stretched, source: source, stretch: stretch)
    }
  }

  static let all = [
    Golden(
      name: "v1-aes-hkdf-file", algorithm: .aes256GCM, identity: .profile,
      fields: ["encryptedFileSystem", "directory", "documents", nil, "profile"],
      metadata: EnvelopeMetadata(writtenAt: 1_700_000_000_123), plaintext: Data("the profile".utf8)),
    Golden(
      name: "v1-chacha-hkdf-keychain", algorithm: .chaCha20Poly1305,
      identity: ValueIdentity(
        domain: .keychain, container: .keychain(service: "com.example", accessGroup: "T.g", synchronizable: true),
        name: "tökén", schema: 4),
      fields: ["keychain", "keychain", "com.example", "T.g", "tökén"],
      metadata: EnvelopeMetadata(
        schema: 4, writtenAt: -1,
        sync: .init(counter: 258, device: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))),
      plaintext: Data([0, 255, 1])),
    Golden(
      name: "v1-chacha-pbkdf2-preferences", algorithm: .chaCha20Poly1305, iterations: 600_000,
      identity: ValueIdentity(domain: .userDefaults, container: .preferences(suite: nil), name: "note"),
      fields: ["userDefaults", "preferences", nil, "note"],
      metadata: EnvelopeMetadata(writtenAt: 0), plaintext: Data(), source: .external),
    Golden(
      name: "v1-aes-hkdf-group-custom", algorithm: .aes256GCM,
      identity: ValueIdentity(
        domain: .appGroupFileSystem,
        container: .groupDirectory(identifier: "group.example", .custom("Reports/2024")), name: "a/b"),
      fields: ["appGroupFileSystem", "groupDirectory", "group.example", "custom", "Reports/2024", "a/b"],
      metadata: EnvelopeMetadata(writtenAt: 1), plaintext: Data(repeating: 0x41, count: 100)),
    Golden(
      name: "v1-plain", algorithm: nil, identity: .profile, fields: [],
      metadata: EnvelopeMetadata(schema: 2, writtenAt: 1_700_000_000_000), plaintext: Data("plain".utf8)),
  ]

  @Test(arguments: all) func opensForEver(_ golden: Golden) throws {
    let envelope = try golden.envelope()
    guard golden.algorithm != nil else {
      let opened = try PlainEnvelope.unwrapPlain(envelope)
      #expect(opened.bytes == golden.plaintext)
      #expect(opened.metadata == golden.metadata)
      return
    }
    let opened = try Opener(keys: [golden.key()]).open(envelope, identity: golden.identity)
    #expect(opened.plaintext == golden.plaintext)
    #expect(opened.metadata == golden.metadata)
  }

  /// If a file is missing, the test writes it and fails. A new file must be reviewed before it is kept.
  @Test(arguments: all) func sealsTheSameToday(_ golden: Golden) throws {
    let envelope =
      if let algorithm = golden.algorithm {
        try Sealer(key: golden.key(), algorithm: algorithm, randomness: countingRandomness())
          .seal(golden.plaintext, metadata: golden.metadata, identity: golden.identity)
      } else {
        PlainEnvelope.wrapPlain(golden.plaintext, metadata: golden.metadata)
      }
    guard FileManager.default.fileExists(atPath: golden.url.path) else {
      try Data((envelope.hex + "\n").utf8).write(to: golden.url)
      Issue.record("Recorded \(golden.name)")
      return
    }
    #expect(try golden.envelope() == envelope)
  }

  #if os(Linux) || os(macOS)
    @Test(
      .enabled(if: Python.cryptography != nil, "needs python3 with the package cryptography"), arguments: all)
    func anotherProgramOpensItFromTheDocument(_ golden: Golden) throws {
      let envelope = try golden.envelope()
      let answer = try PythonReader.open(envelope, key: golden.material, identity: golden.fields)
      #expect(answer.plaintext == golden.plaintext.hex)
      #expect(answer.schema == golden.metadata.schema)
      #expect(answer.writtenAt == golden.metadata.writtenAt)
      #expect(answer.counter == golden.metadata.sync?.counter ?? 0)
    }
  #endif
}

#if os(Linux) || os(macOS)
  /// The reader in Python, which knows the document alone.
  enum PythonReader {
    struct Answer: Decodable {
      var plaintext: String
      var schema: UInt32
      var writtenAt: Int64
      var counter: UInt64
    }

    static func open(_ envelope: Data, key: Data, identity: [String?]) throws -> Answer {
      let task: [String: Any] = [
        "envelope": envelope.hex, "key": key.hex, "identity": identity.map { $0 as Any? ?? NSNull() },
      ]
      let input = String(decoding: try JSONSerialization.data(withJSONObject: task), as: UTF8.self)
      let lines = try #require(Python.cryptography).lines("open_value.py", input: input, beside: #filePath)
      return try JSONDecoder().decode(Answer.self, from: Data(lines.joined().utf8))
    }
  }
#endif
