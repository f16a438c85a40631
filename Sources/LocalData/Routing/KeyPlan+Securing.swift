import Foundation
import StorageVocabulary

/// Serialized bytes to stored bytes and back.
extension KeyPlan {
  /// Bytes as they are stored: sealed where a sealer is given, else plain.
  func secured(_ bytes: Data, _ sealer: Sealer?, at time: Date) throws(StorageFault) -> Data {
    guard bytes.count <= maxSize else { throw .valueTooLarge }
    let metadata = EnvelopeMetadata(schema: identity.schema, writtenAt: time)
    guard let sealer else { return StoredValue.wrapPlain(bytes, metadata: recordsMetadata ? metadata : nil) }
    return try sealer.seal(bytes, metadata: metadata, identity: identity)
  }

  /// The serialized bytes of what is stored, of the key's schema or an earlier one.
  func opened(_ stored: Data, _ opener: Opener?) throws(StorageFault) -> OpenedValue {
    let (bytes, metadata): (Data, EnvelopeMetadata?) =
      if let opener { try opener.open(stored, identity: identity) } else { try StoredValue.unwrapPlain(stored) }
    // What lies bare was stored before the key had a schema.
    let opened = OpenedValue(bytes: bytes, schema: metadata?.schema ?? 1)
    guard opened.schema <= identity.schema else { throw .newerSchema }
    guard bytes.count <= maxSize else { throw .valueTooLarge }
    return opened
  }
}
