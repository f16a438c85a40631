package import LocalDataFoundation
import LocalDataSystem
package import LocalDataVocabulary

/// Seals values with a prepared key. It is synchronous, so that the closure of an update can use it.
package struct Sealer: Sendable {
  private let key: SealingKey
  private let algorithm: EncryptionAlgorithm
  private let randomness: Randomness

  package init(key: SealingKey, algorithm: EncryptionAlgorithm, randomness: Randomness = .system) {
    self.key = key
    self.algorithm = algorithm
    self.randomness = randomness
  }

  /// Returns true if this sealer has the key of a seal.
  package func sealsLike(_ seal: EnvelopeHeader.Seal) -> Bool { key.id == seal.keyID }

  /// Returns the envelope of a value, with a new salt and nonce. The schema is that of `metadata`.
  package func seal(
    _ plaintext: Data, metadata: EnvelopeMetadata, identity: ValueIdentity
  ) throws(StorageProblem) -> Data {
    try seal(
      plaintext, metadata: metadata, purpose: .value,
      associatedData: identity.associatedData(schema: metadata.schema))
  }

  /// Returns an envelope of any purpose, with a new salt and nonce.
  package func seal(
    _ plaintext: Data, metadata: EnvelopeMetadata, purpose: SealPurpose, associatedData: Data
  ) throws(StorageProblem) -> Data {
    try key.seal(
      plaintext, algorithm: algorithm, metadata: metadata, purpose: purpose, associatedData: associatedData,
      randomness: randomness)
  }
}

extension Sealer: CustomStringConvertible, CustomReflectable {
  package var description: String { "Sealer(redacted)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Opens values with prepared keys. It is synchronous, so that the closure of an update can use it.
package struct Opener: Sendable {
  /// An array, because there is usually one key, and there are few after rotations.
  private let keys: [SealingKey]

  package init(keys: [SealingKey]) { self.keys = keys }

  /// Returns true if the key that a header names is among the prepared ones.
  ///
  /// Before a caller has the lock of a value that it has read, another process may have sealed the value with another key.
  /// If this is false, release the lock and ask for another opener.
  package func canOpen(_ header: EnvelopeHeader) -> Bool {
    header.seal.map { seal in keys.contains { $0.matches(seal) } } ?? false
  }

  /// Returns the value in an envelope, with its metadata.
  ///
  /// Throws `authenticationFailed` if the value was sealed for another identity or with another key, or was changed. An older
  /// schema than the identity's opens, and the metadata contain it. A newer one throws `newerSchema` once it is known to be
  /// authentic.
  package func open(
    _ envelope: Data, identity: ValueIdentity
  ) throws(StorageProblem) -> (plaintext: Data, metadata: EnvelopeMetadata) {
    let header = try EnvelopeHeader.parse(envelope)
    let plaintext = try open(
      envelope, header: header, purpose: .value,
      associatedData: identity.associatedData(schema: header.metadata.schema))
    guard header.metadata.schema <= identity.schema else { throw .newerSchema }
    return (plaintext, header.metadata)
  }

  /// Returns the plaintext of an envelope of any purpose, whose header is `header`.
  package func open(
    _ envelope: Data, header: EnvelopeHeader, purpose: SealPurpose, associatedData: Data
  ) throws(StorageProblem) -> Data {
    guard let seal = header.seal else { throw .corrupted }
    guard let key = keys.first(where: { $0.id == seal.keyID }) else { throw .authenticationFailed }
    return try key.open(envelope, header: header, purpose: purpose, associatedData: associatedData)
  }
}

extension Opener: CustomStringConvertible, CustomReflectable {
  package var description: String { "Opener(redacted)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
