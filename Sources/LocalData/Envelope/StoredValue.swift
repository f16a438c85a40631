package import Foundation

/// How a plain value lies in a store: bare, or in an envelope of its own that seals nothing.
package enum StoredValue {
  /// The bytes to store for a plain value.
  ///
  /// With metadata they get an envelope. So do bytes that begin like one, since otherwise nobody could tell them from
  /// it when they are read.
  package static func wrapPlain(_ bytes: Data, metadata: EnvelopeMetadata? = nil) -> Data {
    guard metadata != nil || EnvelopeHeader.begins(bytes) else { return bytes }
    let metadata = metadata ?? EnvelopeMetadata(writtenAt: 0)
    return EnvelopeHeader(metadata: metadata, seal: nil).bytes + bytes
  }

  /// The plain value in stored bytes; the metadata are `nil` where it lies bare.
  ///
  /// A sealed value is not a plain one: it is `corrupted` here, as plain bytes are where a sealed value is asked for.
  package static func unwrapPlain(
    _ stored: Data
  ) throws(StorageFault) -> (bytes: Data, metadata: EnvelopeMetadata?) {
    guard EnvelopeHeader.begins(stored) else { return (stored, nil) }
    let header = try EnvelopeHeader.parse(stored)
    guard header.seal == nil else { throw .corrupted }
    return (Data(stored.dropFirst(EnvelopeHeader.count)), header.metadata)
  }

  /// Whether stored bytes need the master key: an envelope under it, or one too damaged to say whose it is.
  ///
  /// Where one such value lies, a master key was made once, and a missing one must not be made anew.
  ///
  /// `stored` may be the beginning of a value, if it has ``beginning`` bytes or is the whole of a shorter value.
  package static func needsMasterKey(_ stored: Data) -> Bool {
    guard EnvelopeHeader.begins(stored) else { return false }
    do throws(StorageFault) {
      let header = try EnvelopeHeader.parse(stored)
      return header.seal?.source == .masterKey
    } catch {
      return true
    }
  }

  /// The number of bytes at the beginning of a value that show whether it needs the master key: those of the shortest
  /// sealed envelope.
  package static let beginning = EnvelopeHeader.overhead

  /// Whether any value of these containers needs the master key. What cannot be read throws: it may be one.
  package static func isMasterKeyNeeded(
    by store: any ValueStore, in containers: some Sequence<StorageContainer>
  ) throws(StorageFault) -> Bool {
    var isNeeded = false
    for container in containers {
      try store.scan(container, upTo: beginning) { stored in
        isNeeded = needsMasterKey(stored)
        return !isNeeded
      }
      if isNeeded { return true }
    }
    return false
  }
}
