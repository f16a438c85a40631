import Foundation
import TestSupport
import Testing

@testable import LocalDataSigning

/// The forms of public keys and signatures, read by other programs.
@Suite struct PublicKeyTests {
  private let message = Data("header.payload".utf8)

  @Test func pointOffTheCurveIsNoKey() {
    let key = SoftwareKey().publicKey
    #expect(SigningPublicKey(x963: key)?.x963 == key)
    for wrong in [Data(), key.dropLast(), key + [0], Data([4]) + Data(repeating: 1, count: 64)] {
      #expect(SigningPublicKey(x963: wrong) == nil)
    }
  }

  @Test func jwkHasTheMembersOfItsThumbprint() throws {
    let key = try #require(SigningPublicKey(x963: SoftwareKey().publicKey))
    let members = try #require(try JSONSerialization.jsonObject(with: Data(key.jwk.utf8)) as? [String: String])
    #expect(members.keys.sorted() == ["crv", "kty", "x", "y"])
    let x = try #require(bytes(base64URL: members["x"]))
    let y = try #require(bytes(base64URL: members["y"]))
    #expect(Data([4]) + x + y == key.x963)
    #expect(key.jwk.hasPrefix(#"{"crv":"P-256","kty":"EC","x":""#))
  }

  private func bytes(base64URL text: String?) -> Data? {
    guard let text, text.count == 43 else { return nil }
    let plain = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    return Data(base64Encoded: plain + "=")
  }

  #if os(Linux) || os(macOS)
    /// OpenSSL reads the key as PEM and as DER, and verifies the signature as DER.
    @Test(.enabled(if: OtherVerifiers.hasOpenSSL, "needs openssl")) func opensslVerifies() throws {
      let folder = try ScratchFolder()
      for _ in 0..<20 {
        let (key, signature) = try signed()
        let files = try write(key, signature, to: folder)
        for form in ["PEM", "DER"] {
          let end = try ChildProcess.run(
            "/usr/bin/env",
            [
              "openssl", "dgst", "-sha256", "-verify", form == "PEM" ? files.pem : files.der, "-keyform", form,
              "-signature", files.signature, files.message,
            ])
          #expect(end == .init(code: 0, output: "Verified OK\n"))
        }
      }
    }

    /// Python's cryptography verifies all forms of the key and both of the signature.
    @Test(.enabled(if: OtherVerifiers.hasPython, "needs python3 with the package cryptography"))
    func pythonVerifies() throws {
      let folder = try ScratchFolder()
      let (key, signature) = try signed()
      let files = try write(key, signature, to: folder)
      let end = try ChildProcess.run(
        "/usr/bin/env",
        ["python3", "-c", Self.script, files.pem, files.der, key.jwk, files.signature, files.raw, files.message])
      #expect(end == .init(code: 0, output: "verified\n"))
    }

    private func signed() throws -> (SigningPublicKey, SigningSignature) {
      let pair = SoftwareKey()
      return (try #require(SigningPublicKey(x963: pair.publicKey)), try pair.signature(of: message))
    }

    private typealias Files = (pem: String, der: String, signature: String, raw: String, message: String)

    private func write(
      _ key: SigningPublicKey, _ signature: SigningSignature, to folder: borrowing ScratchFolder
    ) throws -> Files {
      let url = folder.url
      func file(_ name: String, _ bytes: Data) throws -> String {
        let file = url.appending(path: name)
        try bytes.write(to: file)
        return file.path
      }
      return (
        try file("key.pem", Data(key.pem.utf8)), try file("key.der", key.der), try file("signature.der", signature.der),
        try file("signature.raw", signature.raw), try file("message", message)
      )
    }

    private static let script = """
      import base64, json, sys
      from cryptography.hazmat.primitives import hashes, serialization
      from cryptography.hazmat.primitives.asymmetric import ec, utils

      pem, der, jwk, signature, raw, message = sys.argv[1:]
      read = lambda path: open(path, "rb").read()
      number = lambda text: int.from_bytes(base64.urlsafe_b64decode(text + "="), "big")
      jwk = json.loads(jwk)
      keys = [
        serialization.load_pem_public_key(read(pem)), serialization.load_der_public_key(read(der)),
        ec.EllipticCurvePublicNumbers(number(jwk["x"]), number(jwk["y"]), ec.SECP256R1()).public_key(),
      ]
      raw = read(raw)
      pair = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
      for key in keys:
        for form in (read(signature), pair):
          key.verify(form, read(message), ec.ECDSA(hashes.SHA256()))
      print("verified")
      """
  #endif
}

#if os(Linux) || os(macOS)
  /// The programs that verify signatures in these tests.
  enum OtherVerifiers {
    static let hasOpenSSL = runs(["openssl", "version"])
    static let hasPython = runs(["python3", "-c", "import cryptography"])

    private static func runs(_ words: [String]) -> Bool {
      do { return try ChildProcess.run("/usr/bin/env", words).code == 0 } catch { return false }
    }
  }
#endif
