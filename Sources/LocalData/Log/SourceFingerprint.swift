package import LocalDataFoundation
import LocalDataStores

/// A source with the value that a migration found there.
package struct SeenSource: Sendable, Hashable, Codable {
  package var address: AddressID
  /// The fingerprint of the value. It is nil if the value could not be read, or if no fingerprint could be made.
  package var fingerprint: SourceFingerprint?

  package init(address: AddressID, fingerprint: SourceFingerprint?) {
    self.address = address
    self.fingerprint = fingerprint
  }
}

/// The trace of a source's stored bytes in the log. A later launch compares it with the bytes that are stored at the source then.
///
/// The log is a plain file. A digest in it must not reveal a value that is protected better: a PIN of four digits is found by
/// trying all of them. The fingerprint of such a value is therefore made with a key of the keychain. Bytes that are sealed
/// contain a random nonce, and their digest reveals nothing.
package struct SourceFingerprint: Sendable, Hashable, Codable {
  /// The first 16 bytes of SHA-256 of the bytes, or of HMAC-SHA-256, as hexadecimal digits.
  package var digest: String
  /// Identifies the key; nil if the digest was made without one.
  package var key: String?

  private static let size = 16

  package init(of bytes: Data, _ key: SecretBytes?) {
    guard let key else {
      digest = bytes.sha256.prefix(Self.size).hexadecimal
      return
    }
    digest = key.withUnsafeBytes { key in
      bytes.authenticationCode(key: key).prefix(Self.size).hexadecimal
    }
    self.key = Self.name(of: key)
  }

  /// The name of a key in a fingerprint.
  package static func name(of key: SecretBytes) -> String { KeyID(of: key).bytes.hexadecimal }
}

/// A noted observation of the value at an address of a source.
struct SourceNote: Sendable, Hashable {
  /// The value that the source had.
  enum Value: Sendable, Hashable {
    /// It had no value.
    case none
    /// The entry does not show the value.
    case unknown
    case fingerprint(SourceFingerprint)
  }

  /// The last entry that shows what became of the value, or the one that a key was about to take it.
  var entry: MigrationEntry
  var value: Value
  /// The value that a key was about to take. Nil if a later entry shows whether it has.
  var announced: Value?
  /// A Boolean value that indicates whether the value was removed from the source.
  var isGone: Bool
  /// A Boolean value that indicates whether a later entry notes that a value was stored at the address.
  var isLive: Bool
  /// A Boolean value that indicates whether the key itself has used the source, and not only another one.
  var isOwn: Bool
  /// A Boolean value that indicates whether the key was removed by a sign-out after it took the value.
  var isOfEarlierUser: Bool
  /// The position in the log of the entry by which an app stored that value. Nil if it was not an app, or if the log has a later
  /// entry about the source, or about a value of the key.
  var writtenAt: Int?

  /// A Boolean value that indicates whether the value was removed together with its key.
  var isRemoval: Bool { entry.event?.outcome == .removed }

  /// A Boolean value that indicates whether a migration has left the value at the source.
  var isLeftover: Bool { !isGone && !isLive && value != .none }

  /// A Boolean value that indicates whether an entry shows a value of the key's user, so that another one is newer.
  var isKnown: Bool { announced != nil || (value != .none && !isOfEarlierUser) }
}
