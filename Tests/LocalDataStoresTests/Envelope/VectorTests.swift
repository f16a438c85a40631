import Foundation
import LocalDataVocabulary
import Testing

@testable import LocalDataStores

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// Published vectors against the primitives as our code calls them.
@Suite struct VectorTests {
  struct Vector: Sendable, CustomTestStringConvertible {
    let file: String
    let fields: [String: String]

    var isValid: Bool { fields["result"] == "valid" }
    var testDescription: String { "\(file) \(fields["id"] ?? "?")" }

    func bytes(_ field: String) throws -> Data { try Data(hex: #require(fields[field])) }
    func number(_ field: String) throws -> Int { try #require(fields[field].flatMap { Int($0) }) }
  }

  static func vectors(_ file: String) throws -> [Vector] {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../Vectors/\(file).tsv").standardizedFileURL
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
    let names = lines[0].split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    return lines.dropFirst().map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return Vector(file: file, fields: Dictionary(zip(names, fields)) { $1 })
    }
  }

  @Test(arguments: [("aes_gcm", EncryptionAlgorithm.aes256GCM), ("chacha20_poly1305", .chaCha20Poly1305)])
  func cipher(file: String, algorithm: EncryptionAlgorithm) throws {
    var (opened, refused, skipped) = (0, 0, 0)
    for vector in try Self.vectors(file) {
      // The layer has one length of nonces and one of keys.
      guard try vector.bytes("iv").count == EnvelopeHeader.Seal.nonceCount,
        try vector.bytes("key").count == Keyset.Key.count
      else {
        skipped += 1
        continue
      }
      let (key, nonce) = (SymmetricKey(data: try vector.bytes("key")), try vector.bytes("iv"))
      let cipher = AuthenticatedCipher(algorithm)
      let (plaintext, associated) = (try vector.bytes("msg"), try vector.bytes("aad"))
      let bytes = try nonce + vector.bytes("ct") + vector.bytes("tag")
      let result = Result { try cipher.open(bytes, key: key, associatedData: associated) }
      if vector.isValid {
        #expect(try result.get() == plaintext, "\(vector.testDescription)")
        let sealed = try cipher.seal(plaintext, key: key, nonce: nonce, associatedData: associated)
        #expect(sealed == bytes, "\(vector.testDescription)")
        opened += 1
      } else {
        #expect(throws: (any Error).self, "\(vector.testDescription)") { try result.get() }
        refused += 1
      }
    }
    #expect(opened > 30)
    #expect(refused > 20)
    print("vectors of \(file): \(opened) opened, \(refused) refused, \(skipped) skipped for a length that is not ours")
  }

  @Test func hkdf() throws {
    var (derived, skipped) = (0, 0)
    for vector in try Self.vectors("hkdf_sha256") {
      // What is asked for is more than HKDF has.
      guard vector.isValid else {
        skipped += 1
        continue
      }
      let key = HKDF<SHA256>.deriveKey(
        inputKeyMaterial: SymmetricKey(data: try vector.bytes("ikm")), salt: try vector.bytes("salt"),
        info: try vector.bytes("info"), outputByteCount: try vector.number("size"))
      #expect(key.withUnsafeBytes { Data($0) } == (try vector.bytes("okm")), "\(vector.testDescription)")
      derived += 1
    }
    #expect(derived > 50)
    print("vectors of hkdf_sha256: \(derived) derived, \(skipped) skipped as invalid")
  }

  /// Our stretching gives 32 bytes: of PBKDF2 with SHA-256 that is the first block, whatever length is asked for.
  @Test func pbkdf2() throws {
    var (derived, skipped) = (0, 0)
    for vector in try Self.vectors("pbkdf2_sha256") {
      guard vector.isValid else {
        skipped += 1
        continue
      }
      let expected = try vector.bytes("dk").prefix(32)
      let parameters = StretchParameters(
        iterations: try vector.number("iterationCount"), salt: try vector.bytes("salt"))
      let key = try KeyStretching.pbkdf2.stretch(SecretBytes(try vector.bytes("password")), parameters)
      #expect(key.count == 32)
      #expect(key.withUnsafeBytes { Data($0) }.prefix(expected.count) == expected, "\(vector.testDescription)")
      derived += 1
    }
    #expect(derived > 20)
    print("vectors of pbkdf2_sha256: \(derived) derived, \(skipped) skipped as invalid")
  }

  @Test(arguments: [0, -1, Int(UInt32.max) + 1])
  func iterationsOutOfRangeThrow(iterations: Int) {
    let parameters = StretchParameters(iterations: iterations, salt: Data("salt".utf8))
    #expect(throws: StorageProblem.keyMaterialMissing) {
      try KeyStretching.pbkdf2.stretch(SecretBytes(Data("password".utf8)), parameters)
    }
  }
}
