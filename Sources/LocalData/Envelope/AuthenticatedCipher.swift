internal import Foundation
internal import StorageVocabulary

#if canImport(CryptoKit)
  internal import CryptoKit
#else
  internal import Crypto
#endif

/// The two ciphers in one shape: ciphertext and tag behind each other.
struct AuthenticatedCipher {
  private let algorithm: EncryptionAlgorithm

  init(_ algorithm: EncryptionAlgorithm) { self.algorithm = algorithm }

  func seal(_ plaintext: Data, key: SymmetricKey, nonce: Data, associatedData: Data) throws -> Data {
    switch algorithm {
    case .aes256GCM:
      let box = try AES.GCM.seal(
        plaintext, using: key, nonce: AES.GCM.Nonce(data: nonce), authenticating: associatedData)
      return box.ciphertext + box.tag
    case .chaCha20Poly1305:
      let box = try ChaChaPoly.seal(
        plaintext, using: key, nonce: ChaChaPoly.Nonce(data: nonce), authenticating: associatedData)
      return box.ciphertext + box.tag
    }
  }

  func open(_ payload: Data, key: SymmetricKey, nonce: Data, associatedData: Data) throws -> Data {
    let ciphertext = payload.dropLast(EnvelopeHeader.tagCount)
    let tag = payload.suffix(EnvelopeHeader.tagCount)
    switch algorithm {
    case .aes256GCM:
      let box = try AES.GCM.SealedBox(nonce: AES.GCM.Nonce(data: nonce), ciphertext: ciphertext, tag: tag)
      return try AES.GCM.open(box, using: key, authenticating: associatedData)
    case .chaCha20Poly1305:
      let box = try ChaChaPoly.SealedBox(nonce: ChaChaPoly.Nonce(data: nonce), ciphertext: ciphertext, tag: tag)
      return try ChaChaPoly.open(box, using: key, authenticating: associatedData)
    }
  }
}
