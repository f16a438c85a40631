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

/// Which key sealed a value: 16 bytes that say nothing of the key but whether it is this one.
package struct KeyID: Hashable, Sendable {
  package static let count = 16
  package let bytes: Data

  /// `nil` where these are not 16 bytes.
  package init?(bytes: Data) {
    guard bytes.count == Self.count else { return nil }
    self.bytes = Data(bytes)
  }

  /// The id of a key: HKDF-SHA256 of it with no salt and the info `id`.
  ///
  /// It stands in plain headers, so it must not be made of a passphrase, which it would let anybody guess at without
  /// the cost of PBKDF2: what PBKDF2 stretches has the id of the stretched key.
  package init(of key: SecretBytes) {
    let derived = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: key), info: Data("id".utf8), outputByteCount: Self.count)
    bytes = derived.withUnsafeBytes { Data($0) }
  }
}

/// What a data key is for. Part of its derivation, so that a seal made for one purpose opens for no other.
///
/// The numbers are the format's; one that was used is never used for something else.
package enum SealPurpose: UInt8, Sendable, CaseIterable {
  /// A value that a key declares.
  case value = 1
  /// The root key of a keystore, sealed under the key of its source.
  case keystoreRoot = 2
  /// An item of a keystore, sealed under its root key.
  case keystoreItem = 3
}
