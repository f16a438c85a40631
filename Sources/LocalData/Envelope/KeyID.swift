package import Foundation

#if canImport(CryptoKit)
  internal import CryptoKit
#else
  internal import Crypto
#endif

/// Which key sealed a value: 16 bytes that say nothing of the key but whether it is this one.
package struct KeyID: Hashable, Sendable {
  package static let count = 16
  package let bytes: Data

  /// `nil` where these are not 16 bytes.
  package init?(bytes: Data) {
    guard bytes.count == Self.count else { return nil }
    self.bytes = Data(bytes)
  }

  /// The id of a key: HKDF-SHA256 of it with no salt and the info `id`.
  ///
  /// It stands in plain headers, so it must not be made of a passphrase, which it would let anybody guess at without
  /// the cost of PBKDF2: what PBKDF2 stretches has the id of the stretched key.
  package init(of key: SecretBytes) {
    let derived = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: key), info: Data("id".utf8), outputByteCount: Self.count)
    bytes = derived.withUnsafeBytes { Data($0) }
  }
}
