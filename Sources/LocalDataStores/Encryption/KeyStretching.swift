internal import LocalDataFoundation
import LocalDataSystem

#if canImport(CryptoKit)
  internal import CommonCrypto
#else
  #if Passphrases
    internal import Crypto
    internal import CryptoExtras
  #endif
#endif

/// The slow step: PBKDF2-HMAC-SHA256 to 32 bytes. It is a value, so that tests can count the calls.
package struct KeyStretching: Sendable {
  package var stretch: @Sendable (SecretBytes, StretchParameters) throws(StorageProblem) -> SecretBytes

  package init(_ stretch: @escaping @Sendable (SecretBytes, StretchParameters) throws(StorageProblem) -> SecretBytes) {
    self.stretch = stretch
  }

  /// PBKDF2 of the system's library: CommonCrypto on Apple's platforms, swift-crypto with the trait `Passphrases` on Linux.
  ///
  /// The bounds of the iterations are `KeyDerivation.iterations`, and are checked where parameters are read.
  package static let pbkdf2 = KeyStretching { (material, parameters) throws(StorageProblem) in
    guard isAvailable else { throw .noKeyDerivation }
    guard let rounds = UInt32(exactly: parameters.iterations), rounds > 0,
      let key = derive(from: material, salt: parameters.salt, rounds: rounds)
    else { throw .keyMaterialMissing }
    return key
  }

  private static let keyCount = 32
}

extension StorageProblem {
  /// The build has no PBKDF2. It is the code `invalidCatalog` with the reason `keyDerivation`, as registration throws it.
  package static let noKeyDerivation = Self(.invalidCatalog, .text("keyDerivation"))
}

#if canImport(CryptoKit)
  extension KeyStretching {
    /// A Boolean value that indicates whether the build has PBKDF2.
    package static let isAvailable = true

    /// Returns the stretched key, or nil if CommonCrypto refuses the parameters.
    ///
    /// CommonCrypto reads the passphrase from the buffer of `material` and writes into the buffer of the result. Both are
    /// wiped, and there is no other copy.
    private static func derive(from material: SecretBytes, salt: Data, rounds: UInt32) -> SecretBytes? {
      var status = Int32(kCCParamError)
      let key = SecretBytes(count: keyCount) { output in
        material.withUnsafeBytes { password in
          salt.withUnsafeBytes { salt in
            status = CCKeyDerivationPBKDF(
              CCPBKDFAlgorithm(kCCPBKDF2), password.bindMemory(to: CChar.self).baseAddress, password.count,
              salt.bindMemory(to: UInt8.self).baseAddress, salt.count, CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA256),
              rounds, output.bindMemory(to: UInt8.self).baseAddress, output.count)
          }
        }
      }
      return status == kCCSuccess ? key : nil
    }
  }
#elseif Passphrases
  extension KeyStretching {
    /// A Boolean value that indicates whether the build has PBKDF2.
    package static let isAvailable = true

    /// Returns the stretched key, or nil if BoringSSL cannot derive it, for example for lack of memory.
    private static func derive(from material: SecretBytes, salt: Data, rounds: UInt32) -> SecretBytes? {
      do {
        let key = try material.withUnsafeBytes { bytes in
          try KDF.Insecure.PBKDF2.deriveKey(
            from: bytes, salt: salt, using: .sha256, outputByteCount: keyCount, unsafeUncheckedRounds: Int(rounds))
        }
        return SecretBytes(key)
      } catch {
        return nil
      }
    }
  }
#else
  extension KeyStretching {
    /// A Boolean value that indicates whether the build has PBKDF2.
    package static let isAvailable = false

    private static func derive(from material: SecretBytes, salt: Data, rounds: UInt32) -> SecretBytes? { nil }
  }
#endif
