internal import Crypto
internal import CryptoExtras
internal import Foundation

/// The slow step: PBKDF2-HMAC-SHA256 to 32 bytes. A value, so that tests can count how often it is taken.
package struct KeyStretching: Sendable {
  package var stretch: @Sendable (SecretBytes, StretchParameters) throws(StorageFault) -> SecretBytes

  package init(_ stretch: @escaping @Sendable (SecretBytes, StretchParameters) throws(StorageFault) -> SecretBytes) {
    self.stretch = stretch
  }

  package static let pbkdf2 = KeyStretching { (material, parameters) throws(StorageFault) in
    do {
      // The bounds are KeyDerivation.iterations, checked where parameters come in; the library's own are lower.
      let key = try material.withUnsafeBytes { bytes in
        try KDF.Insecure.PBKDF2.deriveKey(
          from: bytes, salt: parameters.salt, using: .sha256, outputByteCount: 32,
          unsafeUncheckedRounds: parameters.iterations)
      }
      return SecretBytes(key)
    } catch {
      throw .keyMaterialMissing
    }
  }
}
