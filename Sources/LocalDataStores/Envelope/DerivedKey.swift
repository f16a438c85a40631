package import LocalDataFoundation
package import LocalDataSystem
package import LocalDataVocabulary

#if canImport(CryptoKit)
  internal import CryptoKit
#else
  internal import Crypto
#endif

/// A key that is derived from a secret for one use: to seal and open, or to authenticate.
package struct DerivedKey: Sendable {
  private let key: SymmetricKey

  /// Derives 32 bytes with HKDF-SHA256 and no salt.
  package init(from secret: SecretBytes, info: Data) {
    key = HKDF<SHA256>.deriveKey(inputKeyMaterial: SymmetricKey(data: secret), info: info, outputByteCount: 32)
  }

  /// Derives 32 bytes with HKDF-SHA256 and a salt.
  package init(from secret: SecretBytes, salt: Data, info: Data) {
    key = Self.derived(from: secret, salt: salt, info: info)
  }

  /// Returns 32 bytes that HKDF-SHA256 derives from a secret and a salt, for a public value: they do not tell the secret.
  package static func bytes(from secret: SecretBytes, salt: Data, info: Data) -> Data {
    derived(from: secret, salt: salt, info: info).withUnsafeBytes { Data($0) }
  }

  private static func derived(from secret: SecretBytes, salt: Data, info: Data) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: secret), salt: salt, info: info, outputByteCount: 32)
  }

  /// Returns the nonce, the ciphertext and the tag.
  package func seal(
    _ plaintext: [UInt8], _ algorithm: EncryptionAlgorithm, nonce: Data, associatedData: [UInt8]
  ) throws(StorageProblem) -> Data {
    do {
      return try AuthenticatedCipher(algorithm).seal(plaintext, key: key, nonce: nonce, associatedData: associatedData)
    } catch {
      // The lengths of key and nonce are right; what is left is a plaintext longer than the cipher takes.
      throw .valueTooLarge(limit: nil)
    }
  }

  /// Returns the plaintext of a nonce, a ciphertext and a tag.
  package func open(
    _ sealed: Data, _ algorithm: EncryptionAlgorithm, associatedData: [UInt8]
  ) throws(StorageProblem) -> Data {
    do {
      return try AuthenticatedCipher(algorithm).open(sealed, key: key, associatedData: associatedData)
    } catch {
      throw .authenticationFailed
    }
  }

  /// Returns the HMAC-SHA256 of bytes.
  package func authenticationCode(for bytes: Data) -> Data {
    Data(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
  }
}

extension DerivedKey: CustomStringConvertible, CustomReflectable {
  package var description: String { "DerivedKey(redacted)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
