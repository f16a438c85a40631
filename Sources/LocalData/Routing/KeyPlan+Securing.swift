import Foundation
import StorageVocabulary

/// Serialized bytes to stored bytes and back.
extension KeyPlan {
  /// Bytes as they are stored: sealed where a sealer is given, else plain.
  func secured(_ bytes: Data, _ sealer: Sealer?, at time: Date) throws(StorageFault) -> Data {
    guard bytes.count <= maxSize else { throw .valueTooLarge }
    let metadata = EnvelopeMetadata(schema: identity.schema, writtenAt: Int64(time.timeIntervalSince1970 * 1_000))
    guard let sealer else { return PlainForm.wrap(bytes, recordsTime ? metadata : nil) }
    return try sealer.seal(bytes, metadata, identity)
  }

  /// The serialized bytes of what is stored.
  func opened(_ stored: Data, _ opener: Opener?) throws(StorageFault) -> Data {
    let bytes = if let opener { try opener.open(stored, identity).plaintext } else { try PlainForm.unwrap(stored) }
    guard bytes.count <= maxSize else { throw .valueTooLarge }
    return bytes
  }
}
