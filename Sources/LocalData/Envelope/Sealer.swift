package import Foundation
package import StorageVocabulary

/// Seals values under a key made ready: synchronous, so that it serves inside an update's closure.
package struct Sealer: Sendable {
  private let key: SealingKey
  private let algorithm: EncryptionAlgorithm
  private let randomness: Randomness

  package init(key: SealingKey, algorithm: EncryptionAlgorithm, randomness: Randomness = .system) {
    self.key = key
    self.algorithm = algorithm
    self.randomness = randomness
  }

  /// The envelope of a value, under a fresh salt and nonce. The schema is that of `metadata`.
  package func seal(
    _ plaintext: Data, metadata: EnvelopeMetadata, identity: ValueIdentity
  ) throws(StorageFault) -> Data {
    try key.seal(
      plaintext, algorithm: algorithm, metadata: metadata, purpose: .value,
      associatedData: identity.associatedData(schema: metadata.schema), randomness: randomness)
  }
}

extension Sealer: CustomStringConvertible, CustomReflectable {
  package var description: String { "Sealer(redacted)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Opens values under keys made ready: synchronous, so that it serves inside an update's closure.
package struct Opener: Sendable {
  private let keys: [KeyID: SealingKey]

  package init(keys: some Sequence<SealingKey>) {
    self.keys = Dictionary(keys.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether the key that a header names is among those made ready.
  ///
  /// Between a look at a value and the lock under which it is changed another process may have sealed it anew: where
  /// this is false, leave the lock and ask for another opener.
  package func canOpen(_ header: EnvelopeHeader) -> Bool {
    header.seal.flatMap { seal in keys[seal.keyID]?.matches(seal) } ?? false
  }

  /// The value in an envelope, and what the envelope tells of it.
  ///
  /// What was sealed for another identity, under another key, or has been changed since is `authenticationFailed`. A
  /// schema older than the identity's opens, and the metadata say so; a newer one is `newerSchema`, once it is
  /// known to be authentic.
  package func open(
    _ envelope: Data, identity: ValueIdentity
  ) throws(StorageFault) -> (plaintext: Data, metadata: EnvelopeMetadata) {
    let header = try EnvelopeHeader.parse(envelope)
    guard let seal = header.seal else { throw .corrupted }
    guard let key = keys[seal.keyID] else { throw .authenticationFailed }
    let plaintext = try key.open(
      envelope, header: header, purpose: .value,
      associatedData: identity.associatedData(schema: header.metadata.schema))
    guard header.metadata.schema <= identity.schema else { throw .newerSchema }
    return (plaintext, header.metadata)
  }
}

extension Opener: CustomStringConvertible, CustomReflectable {
  package var description: String { "Opener(redacted)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
