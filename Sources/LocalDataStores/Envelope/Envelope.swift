package import LocalDataFoundation
import LocalDataSystem
package import LocalDataVocabulary

/// The first 124 bytes of an envelope, see `EncryptedFormat.md`.
package struct EnvelopeHeader: Hashable, Sendable {
  package static let magic = Data([0x89, 0x4C, 0x44, 0x45])
  package static let formatVersion: UInt8 = 1
  package static let count = 124
  package static let tagCount = 16
  /// The number of bytes that sealing adds.
  package static let overhead = count + tagCount

  package var metadata: EnvelopeMetadata
  /// The seal of the payload; `nil` if the payload is plain.
  package var seal: Seal?

  package init(metadata: EnvelopeMetadata, seal: Seal?) {
    self.metadata = metadata
    self.seal = seal
  }

  /// The algorithm, key and random bytes that a payload is sealed with.
  package struct Seal: Hashable, Sendable {
    package var algorithm: EncryptionAlgorithm
    package var source: Source
    package var stretch: StretchParameters?
    package var keyID: KeyID
    /// 32 bytes, fresh for each seal.
    package var salt: Data
    /// 12 bytes, fresh for each seal.
    package var nonce: Data

    package static let saltCount = 32
    package static let nonceCount = 12
  }

  /// The source of the key, so that a scan can tell it without opening the envelope.
  package enum Source: UInt8, Sendable, CaseIterable {
    case masterKey = 1
    case external = 2
    /// The key that opens the root key of a keystore: that of the file beside it, or of another source.
    case keystoreSource = 3
    case keystoreRoot = 4
  }

  /// A header that no version writes: one of a plain value that has a key derivation. It is reported as corrupted.
  static let damaged = magic + Data([formatVersion, 0, 1, 0]) + Data(count: count - magic.count - 4)

  /// Returns true if an envelope says that its payload is sealed, also if the rest of the header is damaged.
  package static func saysSealed(_ envelope: Data) -> Bool {
    begins(envelope) && envelope.dropFirst(magic.count + 1).first.map { $0 != 0 } ?? false
  }

  /// Returns true if bytes begin like an envelope, of this version or another.
  package static func begins(_ bytes: Data) -> Bool { bytes.prefix(magic.count) == magic }
}

/// The parameters of PBKDF2-HMAC-SHA256.
package struct StretchParameters: Hashable, Sendable {
  package static let saltCount = 16

  package var iterations: Int
  /// 16 bytes, fixed for a key and a number of iterations.
  package var salt: Data

  package init(iterations: Int, salt: Data) {
    self.iterations = iterations
    self.salt = salt
  }
}

/// The metadata of a value in an envelope. They are authenticated if the value is sealed.
package struct EnvelopeMetadata: Hashable, Sendable {
  /// The version of the value's own schema.
  package var schema: UInt32
  /// The time at which the value was written, in milliseconds since 1970, UTC.
  package var writtenAt: Int64
  /// The version of a synced value; `nil` if the value was never synced.
  package var sync: SyncVersion?

  package init(schema: UInt32 = 1, writtenAt: Int64, sync: SyncVersion? = nil) {
    self.schema = schema
    self.writtenAt = writtenAt
    self.sync = sync
  }

  package init(schema: UInt32 = 1, writtenAt: Date, sync: SyncVersion? = nil) {
    self.init(schema: schema, writtenAt: writtenAt.inEnvelope, sync: sync)
  }

  /// The time at which the value was written, or `nil` if it is not known.
  package var time: Date? { writtenAt > 0 ? Date(timeIntervalSince1970: Double(writtenAt) / 1_000) : nil }

  /// A counter and the device that counted. The nil UUID is no device.
  package struct SyncVersion: Hashable, Sendable {
    package var counter: UInt64
    package var device: UUID

    package init(counter: UInt64, device: UUID) {
      self.counter = counter
      self.device = device
    }
  }
}

extension Date {
  /// The time as envelopes contain it: in milliseconds since 1970, UTC. A date out of range, as of a clock that was never set, is 0,
  /// because it must not stop a value from being written.
  package var inEnvelope: Int64 { Int64(exactly: (timeIntervalSince1970 * 1000).rounded(.down)) ?? 0 }
}

/// The declared identity that a sealed value is bound to. It contains no absolute path.
///
/// Its encoding is part of the associated data of every seal (see `EncryptedFormat.md`).
package struct ValueIdentity: Hashable, Sendable {
  package var domain: StorageDomain.Kind
  package var container: StorageContainer
  package var name: String
  package var schema: UInt32

  package init(domain: StorageDomain.Kind, container: StorageContainer, name: String, schema: UInt32 = 1) {
    self.domain = domain
    self.container = container
    self.name = name
    self.schema = schema
  }
}

/// The stored form of plain values: the bytes themselves, or an envelope that seals nothing.
package enum PlainEnvelope {
  /// Returns the bytes to store for a plain value.
  ///
  /// With metadata they get an envelope. So do bytes that begin like one, because they could not be told from an envelope
  /// when they are read.
  package static func wrapPlain(_ bytes: Data, metadata: EnvelopeMetadata? = nil) -> Data {
    guard metadata != nil || EnvelopeHeader.begins(bytes) else { return bytes }
    let metadata = metadata ?? EnvelopeMetadata(writtenAt: 0)
    return EnvelopeHeader(metadata: metadata, seal: nil).bytes + bytes
  }

  /// Returns the plain value in stored bytes. The metadata are `nil` if the bytes are the value itself.
  ///
  /// Throws `corrupted` if the value is sealed, as plain bytes do if a sealed value is asked for.
  package static func unwrapPlain(_ stored: Data) throws(StorageProblem) -> (bytes: Data, metadata: EnvelopeMetadata?) {
    guard EnvelopeHeader.begins(stored) else { return (stored, nil) }
    let header = try EnvelopeHeader.parse(stored)
    guard header.seal == nil else { throw .corrupted }
    return (Data(stored.dropFirst(EnvelopeHeader.count)), header.metadata)
  }

  /// Returns true if stored bytes need the master key: they are an envelope sealed with it, or a damaged one whose key is not
  /// known.
  ///
  /// If there is such a value, a master key was created before, and no new one may be created if it is missing.
  ///
  /// `stored` may be the beginning of a value, if it has ``beginning`` bytes or is the whole of a shorter value.
  package static func needsMasterKey(_ stored: Data) -> Bool {
    guard EnvelopeHeader.begins(stored) else { return false }
    do throws(StorageProblem) {
      let header = try EnvelopeHeader.parse(stored)
      return header.seal?.source == .masterKey
    } catch {
      return true
    }
  }

  /// The number of bytes at the beginning of a value that show whether it needs the master key: those of the shortest
  /// sealed envelope.
  package static let beginning = EnvelopeHeader.overhead
}
