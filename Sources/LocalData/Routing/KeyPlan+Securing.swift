import Foundation
import StorageVocabulary

/// Serialized bytes to stored bytes and back.
extension KeyPlan {
  /// Bytes as they are stored: sealed where a sealer is given, else plain.
  func secured(_ bytes: Data, _ sealer: Sealer?, at time: Date) throws(StorageFault) -> Data {
    guard bytes.count <= maxSize else { throw .valueTooLarge }
    let metadata = EnvelopeMetadata(schema: identity.schema, writtenAt: time)
    guard let sealer else { return StoredValue.wrapPlain(bytes, metadata: recordsTime ? metadata : nil) }
    return try sealer.seal(bytes, metadata: metadata, identity: identity)
  }

  /// The serialized bytes of what is stored.
  func opened(_ stored: Data, _ opener: Opener?) throws(StorageFault) -> Data {
    let bytes =
      if let opener { try opener.open(stored, identity: identity).plaintext } else {
        try StoredValue.unwrapPlain(stored).bytes
      }
    guard bytes.count <= maxSize else { throw .valueTooLarge }
    return bytes
  }
}
