package import LocalDataFoundation

#if canImport(CryptoKit)
  internal import CryptoKit
#else
  internal import Crypto
#endif

extension Data {
  /// The SHA-256 of the bytes.
  package var sha256: Data { Data(SHA256.hash(data: self)) }

  /// Returns the HMAC-SHA-256 of the bytes.
  package func authenticationCode(key: some ContiguousBytes) -> Data {
    Data(HMAC<SHA256>.authenticationCode(for: self, using: SymmetricKey(data: key)))
  }
}

/// The SHA-256 of bytes that come in parts.
package struct RunningDigest {
  private var hash = SHA256()

  package init() {}

  package mutating func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

  /// The digest of the bytes until now.
  package var value: Data { Data(hash.finalize()) }
}
