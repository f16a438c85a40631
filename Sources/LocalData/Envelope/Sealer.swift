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
