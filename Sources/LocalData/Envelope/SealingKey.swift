package import Foundation
package import StorageVocabulary

#if canImport(CryptoKit)
  internal import CryptoKit
#else
  internal import Crypto
#endif

/// A key made ready, PBKDF2 done where there is any: what is left to do for a seal is fast and does not wait.
package struct SealingKey: Sendable {
  package let id: KeyID
  package let source: EnvelopeHeader.Source
  package let stretch: StretchParameters?
  private let key: SecretBytes

  /// `key` is the source's bytes, or with `stretch` what PBKDF2 made of them.
  package init(_ key: SecretBytes, source: EnvelopeHeader.Source, stretch: StretchParameters? = nil) {
    self.key = key
    self.source = source
    self.stretch = stretch
    id = KeyID(of: key)
  }

  /// The key of one seal: HKDF-SHA256 of the key with the seal's salt, and an info of fixed width.
  private func dataKey(for seal: EnvelopeHeader.Seal, purpose: SealPurpose) -> SymmetricKey {
    var info = ByteWriter(capacity: 3 + KeyID.count)
    info.append(EnvelopeHeader.formatVersion)
    info.append(purpose.rawValue)
    info.append(seal.algorithm.formatNumber)
    info.append(id.bytes)
    return HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: key), salt: seal.salt, info: info.bytes, outputByteCount: 32)
  }

  /// An envelope of `plaintext`, bound to its header and to `associatedData`.
  package func seal(
    _ plaintext: Data, algorithm: EncryptionAlgorithm, metadata: EnvelopeMetadata, purpose: SealPurpose,
    associatedData: Data, randomness: Randomness
  ) throws(StorageFault) -> Data {
    let seal = EnvelopeHeader.Seal(
      algorithm: algorithm, source: source, stretch: stretch, keyID: id,
      salt: randomness.bytes(EnvelopeHeader.Seal.saltCount), nonce: randomness.bytes(EnvelopeHeader.Seal.nonceCount))
    let header = EnvelopeHeader(metadata: metadata, seal: seal).bytes
    let dataKey = dataKey(for: seal, purpose: purpose)
    do {
      return try header
        + AuthenticatedCipher(algorithm)
        .seal(plaintext, key: dataKey, nonce: seal.nonce, associatedData: header + associatedData)
    } catch {
      // The lengths of key and nonce are ours; what is left is a plaintext longer than the cipher takes.
      throw .valueTooLarge
    }
  }

  /// The plaintext of an envelope whose header is `header`.
  package func open(
    _ envelope: Data, header: EnvelopeHeader, purpose: SealPurpose, associatedData: Data
  ) throws(StorageFault) -> Data {
    guard let seal = header.seal, envelope.count >= EnvelopeHeader.overhead else { throw .corrupted }
    guard matches(seal) else { throw .authenticationFailed }
    let headerBytes = envelope.prefix(EnvelopeHeader.count)
    let payload = envelope.dropFirst(EnvelopeHeader.count)
    let dataKey = dataKey(for: seal, purpose: purpose)
    do {
      return try AuthenticatedCipher(seal.algorithm)
        .open(payload, key: dataKey, nonce: seal.nonce, associatedData: headerBytes + associatedData)
    } catch {
      throw .authenticationFailed
    }
  }

  /// Whether this is the key that a header names.
  package func matches(_ seal: EnvelopeHeader.Seal) -> Bool {
    seal.keyID == id && seal.source == source && seal.stretch == stretch
  }
}

extension SealingKey: CustomStringConvertible, CustomReflectable {
  package var description: String { "SealingKey(redacted)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
