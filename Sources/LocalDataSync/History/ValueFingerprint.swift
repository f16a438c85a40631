import LocalData
import LocalDataFoundation

/// The trace of a stored value in the history, which shows later whether a change took effect.
///
/// The history is a plain file. A digest in it must not reveal a value that is protected better than the file: a PIN of four
/// digits is found by trying all of them. So a digest is kept only of bytes that an attacker who reads the history could read
/// as well, or that contain a random nonce because they are sealed. Other values, those of the keychain and of completely
/// protected files, are stored in an envelope that contains their version, and no fingerprint of them is noted.
enum ValueFingerprint: Hashable, Sendable {
  /// The first 16 bytes of the SHA-256 of the stored bytes.
  case digest(Data)
  /// The stored envelope contains the version.
  case versionInValue
}

/// The result of a look at a stored value.
enum StoredLook: Hashable, Sendable {
  case absent
  /// A value that was not read, or of which no fingerprint may be noted.
  case present
  /// A value with the digest of its bytes, or with the version in its envelope.
  case value(digest: Data?, version: SyncVersion?)

  var isPresent: Bool { self != .absent }

  /// Returns whether the value is the one that a version belongs to; `nil` if this is unknown.
  func isValue(of version: SyncVersion, _ fingerprint: ValueFingerprint?) -> Bool? {
    switch (self, fingerprint) {
    case (.value(_, let found), .versionInValue): found == version
    case (.value(let digest?, _), .digest(let wanted)): digest == wanted
    // It was stored before its version was: the value with the version came later, or never.
    case (.value(_, _?), .digest): false
    default: nil
    }
  }
}

extension StorageAttributes {
  /// A Boolean value that indicates whether the stored bytes of a place are protected better than the history of versions.
  fileprivate func isHidden(at address: StorageAddress) -> Bool {
    address.container.store == .keychain || isCompletelyProtected
  }

  /// A Boolean value that indicates whether a read from the store may return other bytes than were written.
  fileprivate var isRewritten: Bool {
    #if os(Linux)
      false
    #else
      mayBePropertyListValue
    #endif
  }

  /// Returns the fingerprint of stored bytes.
  func look(at stored: Data?, _ address: StorageAddress) -> StoredLook {
    guard let stored else { return .absent }
    if let version = PlainEnvelope.version(in: stored) { return .value(digest: nil, version: version) }
    if isRewritten { return .present }
    if isHidden(at: address), !PlainEnvelope.isSealed(stored) { return .value(digest: nil, version: nil) }
    return .value(digest: stored.fingerprint, version: nil)
  }

  /// Returns the bytes to store for a change with the given version, and their fingerprint to note.
  func marked(_ bytes: Data, with version: SyncVersion, _ address: StorageAddress) -> (
    bytes: Data, fingerprint: ValueFingerprint?
  ) {
    if isRewritten { return (bytes, nil) }
    guard isHidden(at: address), !PlainEnvelope.isSealed(bytes) else { return (bytes, .digest(bytes.fingerprint)) }
    guard let marked = PlainEnvelope.adding(version, to: bytes) else { return (bytes, nil) }
    return (marked, .versionInValue)
  }
}

extension PlainEnvelope {
  /// Returns the version in the envelope of stored bytes.
  fileprivate static func version(in stored: Data) -> SyncVersion? { header(of: stored)?.metadata.sync }

  fileprivate static func isSealed(_ stored: Data) -> Bool { header(of: stored)?.seal != nil }

  /// Returns plain stored bytes with a version in their envelope. They get one if they have none.
  fileprivate static func adding(_ version: SyncVersion, to stored: Data) -> Data? {
    do throws(StorageProblem) {
      let (bytes, metadata) = try unwrapPlain(stored)
      var versioned = metadata ?? EnvelopeMetadata(writtenAt: 0)
      versioned.sync = version
      return wrapPlain(bytes, metadata: versioned)
    } catch {
      // The bytes are a damaged envelope: they are stored unchanged.
      return nil
    }
  }

  private static func header(of stored: Data) -> EnvelopeHeader? {
    guard EnvelopeHeader.begins(stored) else { return nil }
    do throws(StorageProblem) { return try EnvelopeHeader.parse(stored) } catch { return nil }
  }
}

extension Data {
  fileprivate var fingerprint: Data { sha256.prefix(16) }
}
