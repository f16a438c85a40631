package import LocalDataFoundation
import LocalDataSystem
package import LocalDataVocabulary

#if canImport(CryptoKit)
  internal import CryptoKit
#else
  internal import Crypto
#endif

/// A prepared key, after PBKDF2 if its policy has it. To seal with it is fast and does not wait.
package struct SealingKey: Sendable {
  package let id: KeyID
  package let source: EnvelopeHeader.Source
  package let stretch: StretchParameters?
  private let key: SecretBytes
  private let dataKeys = DataKeys()

  /// Creates a key from the source's bytes, or with `stretch` from the bytes that PBKDF2 has derived from them.
  package init(_ key: SecretBytes, source: EnvelopeHeader.Source, stretch: StretchParameters? = nil) {
    self.key = key
    self.source = source
    self.stretch = stretch
    id = KeyID(of: key)
  }

  /// Returns the key of one seal: HKDF-SHA256 of the key with the seal's salt, and an info of fixed width.
  private func dataKey(for seal: EnvelopeHeader.Seal, purpose: SealPurpose) -> SymmetricKey {
    dataKeys.key(DataKeys.Name(salt: seal.salt, purpose: purpose, algorithm: seal.algorithm)) {
      var info = ByteWriter(capacity: 3 + KeyID.count)
      info.append(EnvelopeHeader.formatVersion)
      info.append(purpose.rawValue)
      info.append(seal.algorithm.formatNumber)
      info.append(id.bytes)
      return HKDF<SHA256>.deriveKey(
        inputKeyMaterial: SymmetricKey(data: key), salt: seal.salt, info: info.bytes, outputByteCount: 32)
    }
  }

  /// Returns an envelope of `plaintext`, bound to its header and to `associatedData`.
  package func seal(
    _ plaintext: Data, algorithm: EncryptionAlgorithm, metadata: EnvelopeMetadata, purpose: SealPurpose,
    associatedData: Data, randomness: Randomness
  ) throws(StorageProblem) -> Data {
    let seal = EnvelopeHeader.Seal(
      algorithm: algorithm, source: source, stretch: stretch, keyID: id,
      salt: randomness.bytes(EnvelopeHeader.Seal.saltCount), nonce: randomness.bytes(EnvelopeHeader.Seal.nonceCount))
    let header = EnvelopeHeader(metadata: metadata, seal: seal).bytes
    let dataKey = dataKey(for: seal, purpose: purpose)
    do {
      let sealed = try AuthenticatedCipher(algorithm)
        .seal(plaintext, key: dataKey, nonce: seal.nonce, associatedData: header + associatedData)
      // One allocation: without the capacity, a large value would be copied twice.
      var envelope = Data(capacity: header.count + sealed.count)
      // The header ends with the nonce, with which the sealed bytes begin.
      envelope.append(header.dropLast(EnvelopeHeader.Seal.nonceCount))
      envelope.append(sealed)
      return envelope
    } catch {
      // The lengths of key and nonce are ours; what is left is a plaintext longer than the cipher takes.
      throw .valueTooLarge(limit: nil)
    }
  }

  /// Returns the plaintext of an envelope whose header is `header`.
  package func open(
    _ envelope: Data, header: EnvelopeHeader, purpose: SealPurpose, associatedData: Data
  ) throws(StorageProblem) -> Data {
    guard let seal = header.seal, envelope.count >= EnvelopeHeader.overhead else { throw .corrupted }
    guard matches(seal) else { throw .authenticationFailed }
    let headerBytes = envelope.prefix(EnvelopeHeader.count)
    let sealed = envelope.dropFirst(EnvelopeHeader.count - EnvelopeHeader.Seal.nonceCount)
    let dataKey = dataKey(for: seal, purpose: purpose)
    do {
      return try AuthenticatedCipher(seal.algorithm)
        .open(sealed, key: dataKey, associatedData: headerBytes + associatedData)
    } catch {
      throw .authenticationFailed
    }
  }

  /// Returns true if this is the key that a header names.
  package func matches(_ seal: EnvelopeHeader.Seal) -> Bool {
    seal.keyID == id && seal.source == source && seal.stretch == stretch
  }
}

extension SealingKey: CustomStringConvertible, CustomReflectable {
  package var description: String { "SealingKey(redacted)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// One of the two ciphers. The sealed bytes are the nonce, the ciphertext and the tag.
struct AuthenticatedCipher {
  private let algorithm: EncryptionAlgorithm

  init(_ algorithm: EncryptionAlgorithm) { self.algorithm = algorithm }

  func seal(
    _ plaintext: some DataProtocol, key: SymmetricKey, nonce: Data, associatedData: some DataProtocol
  ) throws -> Data {
    switch algorithm {
    case .aes256GCM:
      let box = try AES.GCM.seal(
        plaintext, using: key, nonce: AES.GCM.Nonce(data: nonce), authenticating: associatedData)
      // The box has these bytes unless the nonce has another length than the layer's.
      return box.combined ?? nonce + box.ciphertext + box.tag
    case .chaCha20Poly1305:
      return try ChaChaPoly.seal(
        plaintext, using: key, nonce: ChaChaPoly.Nonce(data: nonce), authenticating: associatedData
      ).combined
    }
  }

  func open(_ sealed: Data, key: SymmetricKey, associatedData: some DataProtocol) throws -> Data {
    switch algorithm {
    case .aes256GCM:
      return try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: key, authenticating: associatedData)
    case .chaCha20Poly1305:
      return try ChaChaPoly.open(ChaChaPoly.SealedBox(combined: sealed), using: key, authenticating: associatedData)
    }
  }
}

/// The identifier of a key: 16 bytes that tell nothing of the key, except whether it is this one.
package struct KeyID: Hashable, Sendable {
  package static let count = 16
  package let bytes: Data

  /// Creates an identifier, or returns `nil` if these are not 16 bytes.
  package init?(bytes: Data) {
    guard bytes.count == Self.count else { return nil }
    self.bytes = bytes.copy
  }

  /// Creates the identifier of a key: HKDF-SHA256 of it with no salt and the info `id`.
  ///
  /// Plain headers contain it. It must not be made from a passphrase, which could be guessed then without the cost of
  /// PBKDF2. A passphrase that PBKDF2 stretches therefore has the identifier of the stretched key.
  package init(of key: SecretBytes) {
    let derived = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: key), info: Data("id".utf8), outputByteCount: Self.count)
    bytes = derived.withUnsafeBytes { Data($0) }
  }
}

/// The purpose of a data key. It is part of the key's derivation, so that bytes sealed for one purpose open for no other.
///
/// The numbers are part of the format, and are never used again for another purpose.
package enum SealPurpose: UInt8, Sendable, CaseIterable {
  /// A value that a key declares.
  case value = 1
  /// The root key of a keystore, sealed under the key of its source.
  case keystoreRoot = 2
  /// An item of a keystore, sealed under its root key.
  case keystoreItem = 3
  /// The key that seals the encrypted fields of records.
  case recordKey = 4
}

/// The keys of the values that one key has sealed or opened last. A value that is read again needs no derivation, which takes
/// longer than to decrypt a small value.
///
/// They are forgotten with the key that they are derived from.
final class DataKeys: Sendable {
  /// The inputs of a derivation, except for the key that all data keys are derived from.
  struct Name: Hashable, Sendable {
    let salt: Data
    let purpose: SealPurpose
    let algorithm: EncryptionAlgorithm
  }

  private static let most = 64

  private let known = Lock<[Name: SymmetricKey]>([:])

  /// Returns the key with a name, which `derive` returns if it is not known.
  func key(_ name: Name, derive: () -> SymmetricKey) -> SymmetricKey {
    if let key = known.withLock({ $0[name] }) { return key }
    let key = derive()
    known.withLock { known in
      // The keys of values that are still used are derived again, once each.
      if known.count >= Self.most { known = [:] }
      known[name] = key
    }
    return key
  }
}
