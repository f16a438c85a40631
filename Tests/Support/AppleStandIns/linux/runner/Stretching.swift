import CommonCrypto
import Crypto
import CryptoExtras
import Foundation
import LocalData
import LocalDataVocabulary

/// PBKDF2 by CommonCrypto: the parameters of the call, and values that Linux has sealed.
func stretchingChecks(_ checks: Checks) {
  publishedVectorChecks(checks)
  stretchedValueChecks(checks)
  checks.check("pbkdf2: the passphrase and the key are not copied") {
    let material = SecretBytes(Data("password".utf8))
    let key = try stretched(material, rounds: 1, salt: Data("salt".utf8))
    try expect(material.withUnsafeBytes { $0.baseAddress }, FakeCommonCrypto.password, "the passphrase")
    try expect(key.withUnsafeBytes { $0.baseAddress }, FakeCommonCrypto.derivedKey, "the key")
  }
  checks.check("pbkdf2: a refusal is an error") {
    FakeCommonCrypto.failure = Int32(kCCParamError)
    defer { FakeCommonCrypto.failure = nil }
    try expectNoKey(rounds: 1)
  }
  checks.check("pbkdf2: a number of rounds that is none is an error") {
    for rounds in [0, -1, Int(UInt32.max) + 1] { try expectNoKey(rounds: rounds) }
  }
}

private func publishedVectorChecks(_ checks: Checks) {
  checks.check("pbkdf2: the vectors of RFC 6070, computed with SHA-256") {
    for (password, salt, rounds, key) in rfc6070 {
      let derived = try stretched(SecretBytes(Data(password.utf8)), rounds: rounds, salt: Data(salt.utf8))
      try expect(hexadecimal(derived).hasPrefix(key), true, "\(rounds) rounds: \(hexadecimal(derived))")
    }
  }
  checks.check("pbkdf2: the vectors of Project Wycheproof") {
    let lines = try String(contentsOfFile: "pbkdf2_sha256.tsv", encoding: .utf8).split(separator: "\n")
    var derived = 0
    for line in lines where line.first?.isNumber == true {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      try expect(fields[1], "valid", "vector \(fields[0])")
      let rounds = Int(fields[4]) ?? 0
      let key = try stretched(SecretBytes(bytes(fields[2])), rounds: rounds, salt: bytes(fields[3]))
      try expect(hexadecimal(key).prefix(fields[6].count), fields[6].prefix(64), "vector \(fields[0])")
      derived += 1
    }
    try require(derived > 20, "\(derived) vectors")
  }
}

private func stretchedValueChecks(_ checks: Checks) {
  checks.check("pbkdf2: a value that Linux has sealed is opened") {
    let envelope = try bytes(String(contentsOfFile: "v1-chacha-pbkdf2-preferences.hex", encoding: .utf8))
    let key = try SealingKey(stretched(material, parameters), source: .external, stretch: parameters)
    try expect(try Opener(keys: [key]).open(envelope, identity: identity).plaintext, Data(), "the value")
  }
  checks.check("pbkdf2: a value that is sealed here opens with the key that Linux derives") {
    let key = try SealingKey(stretched(material, parameters), source: .external, stretch: parameters)
    let envelope = try Sealer(key: key, algorithm: .aes256GCM, randomness: .system)
      .seal(Data("note".utf8), metadata: EnvelopeMetadata(writtenAt: 0), identity: identity)
    let derived = try material.withUnsafeBytes {
      try KDF.Insecure.PBKDF2.deriveKey(
        from: $0, salt: parameters.salt, using: .sha256, outputByteCount: 32,
        unsafeUncheckedRounds: parameters.iterations)
    }
    let linux = SealingKey(SecretBytes(derived), source: .external, stretch: parameters)
    try expect(try Opener(keys: [linux]).open(envelope, identity: identity).plaintext, Data("note".utf8), "the value")
  }
}

/// The inputs of RFC 6070 with the first 32 bytes of PBKDF2-HMAC-SHA256, as Python's hashlib computes them.
private let rfc6070: [(String, String, Int, String)] = [
  (
    "password", "salt", 1,
    "120fb6cffcf8b32c43e7225256c4f837a86548c92ccc35480805987cb70be17b"
  ),
  (
    "password", "salt", 2,
    "ae4d0c95af6b46d32d0adff928f06dd02a303f8ef3c251dfd6e2d85a95474c43"
  ),
  (
    "password", "salt", 4096,
    "c5e478d59288c841aa530db6845c4c8d962893a001ce4e11a4963873aa98134a"
  ),
  (
    "passwordPASSWORDpassword", "saltSALTsaltSALTsaltSALTsaltSALTsalt", 4096,
    "348c89dbcbd32b2f32d814b8116e84cf2b17347ebc1800181c4e2a1fb8dd53e1"
  ),
  (
    "pass\0word", "sa\0lt", 4096,
    "89b69d0516f829893c696226650a86878c029ac13ee276509d5ae58b6466a724"
  ),
]

private let material = SecretBytes(Data((0..<32).map { UInt8($0) * 7 }))
private let parameters = StretchParameters(iterations: 600_000, salt: Data(repeating: 0x5A, count: 16))
private let identity = ValueIdentity(domain: .userDefaults, container: .preferences(suite: nil), name: "note")

private func stretched(_ material: SecretBytes, _ parameters: StretchParameters) throws -> SecretBytes {
  try KeyStretching.pbkdf2.stretch(material, parameters)
}

private func stretched(_ material: SecretBytes, rounds: Int, salt: Data) throws -> SecretBytes {
  try stretched(material, StretchParameters(iterations: rounds, salt: salt))
}

private func expectNoKey(rounds: Int) throws {
  do {
    _ = try stretched(material, rounds: rounds, salt: Data("salt".utf8))
  } catch {
    return try expect(error as? StorageProblem, .keyMaterialMissing, "the error of \(rounds) rounds")
  }
  throw Broken("a key of \(rounds) rounds")
}

private func hexadecimal(_ key: SecretBytes) -> String {
  key.withUnsafeBytes { $0.map { String(format: "%02x", $0) }.joined() }
}

private func bytes(_ hexadecimal: String) throws -> Data {
  var bytes = Data()
  var rest = hexadecimal.filter { !$0.isWhitespace }[...]
  while !rest.isEmpty {
    guard let byte = UInt8(rest.prefix(2), radix: 16) else { throw Broken("no hexadecimal digits: \(rest.prefix(2))") }
    bytes.append(byte)
    rest = rest.dropFirst(2)
  }
  return bytes
}
