package import Foundation
package import StorageVocabulary

/// The first 124 bytes of an envelope, as `FORMAT.md` lays them out.
package struct EnvelopeHeader: Hashable, Sendable {
  package static let magic = Data([0x89, 0x4C, 0x44, 0x45])
  package static let formatVersion: UInt8 = 1
  package static let count = 124
  package static let tagCount = 16
  /// Bytes that sealing adds.
  package static let overhead = count + tagCount

  package var metadata: EnvelopeMetadata
  /// How the payload is sealed; `nil` where it is plain.
  package var seal: Seal?

  package init(metadata: EnvelopeMetadata, seal: Seal?) {
    self.metadata = metadata
    self.seal = seal
  }

  /// How a payload is sealed.
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

  /// Where the key comes from, so that a scan can tell whose an envelope is without opening it.
  package enum Source: UInt8, Sendable, CaseIterable {
    case masterKey = 1
    case external = 2
    /// The key that opens the root key of a keystore: the file's beside it, or another source's.
    case keystoreSource = 3
    case keystoreRoot = 4
  }

  /// Whether bytes begin like an envelope, of this version or another.
  package static func begins(_ bytes: Data) -> Bool { bytes.starts(with: magic) }
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
