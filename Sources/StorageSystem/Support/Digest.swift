package import SmallFoundation

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
