import LocalDataFoundation
import LocalDataStores
import LocalDataSystem
import LocalDataVocabulary

#if canImport(CryptoKit)
  internal import CryptoKit
  internal import LocalAuthentication
  internal import Security

  /// Private keys in the Secure Enclave. An adapter with as little logic as possible.
  enum EnclaveKey {
    static var isAvailable: Bool { SecureEnclave.isAvailable }

    /// Creates a key, and returns its public key and the bytes by which only this enclave finds it again. Never prompts.
    static func new(
      _ protection: (accessibility: KeychainAccessibility, control: KeychainAccessControl?)
    ) throws(StorageProblem) -> (publicKey: Data, blob: Data) {
      var flags = protection.control?.flags ?? []
      flags.insert(.privateKeyUsage)
      let control = SecAccessControlCreateWithFlags(nil, protection.accessibility.constant, flags, nil)
      guard let control else { throw .configurationConflict }
      do {
        let key = try SecureEnclave.P256.Signing.PrivateKey(accessControl: control)
        return (key.publicKey.x963Representation, key.dataRepresentation)
      } catch { throw KeyFault.fault(error, ofRefusal: .accessDenied) }
    }

    /// Returns the signature of a message. May prompt.
    static func signature(
      of message: Data, by value: SigningValue, _ session: AuthenticationSession
    ) throws(StorageProblem) -> SigningSignature {
      let key: SecureEnclave.P256.Signing.PrivateKey
      do {
        guard SecureEnclave.isAvailable else { throw StorageProblem.invalidated }
        key = try SecureEnclave.P256.Signing.PrivateKey(
          dataRepresentation: value.privatePart, authenticationContext: session.context)
      } catch {
        let fault = KeyFault.fault(error, ofRefusal: .invalidated)
        if fault == .invalidated { SigningKeyInfo.note(.madeOnAnotherDevice, of: value) }
        throw fault
      }
      guard key.publicKey.x963Representation == value.publicKey else { throw .corrupted }
      do { return try SigningSignature(der: key.signature(for: message).derRepresentation) } catch {
        let fault = KeyFault.fault(error, ofRefusal: .invalidated)
        if fault == .invalidated { SigningKeyInfo.note(.invalidated, of: value) }
        throw fault
      }
    }
  }

  /// The errors of CryptoKit, of LocalAuthentication and of Keychain Services, as faults.
  enum KeyFault {
    /// Returns the fault of an error.
    ///
    /// - Parameter refusal: The fault of an error that says neither that the user refused nor that the device is locked.
    static func fault(_ error: any Error, ofRefusal refusal: StorageProblem) -> StorageProblem {
      if let fault = error as? StorageProblem { return fault }
      let error = error as NSError
      switch (error.domain, error.code) {
      // Cancelled by the user, the app, the system, or for another method, which the app does not offer.
      case ("com.apple.LocalAuthentication", -2), ("com.apple.LocalAuthentication", -3),
        ("com.apple.LocalAuthentication", -4), ("com.apple.LocalAuthentication", -9), ("CryptoTokenKit", -4):
        return .userCancelled
      // The user was not recognized, or too often not.
      case ("com.apple.LocalAuthentication", -1), ("com.apple.LocalAuthentication", -8), ("CryptoTokenKit", -5):
        return .accessDenied
      // No prompt may be shown now.
      case ("com.apple.LocalAuthentication", -1004), ("CryptoTokenKit", -9): return .locked
      case ("NSOSStatusErrorDomain", let status):
        guard let status = OSStatus(exactly: status) else { return refusal }
        let fault = KeychainStatus.fault(status)
        if fault.code == .io { return refusal }
        return fault
      default: return refusal
      }
    }
  }
#else
  /// There is no Secure Enclave.
  enum EnclaveKey {
    static var isAvailable: Bool { false }

    static func new(
      _ protection: (accessibility: KeychainAccessibility, control: KeychainAccessControl?)
    ) throws(StorageProblem) -> (publicKey: Data, blob: Data) { throw .invalidated }

    static func signature(
      of message: Data, by value: SigningValue, _ session: AuthenticationSession
    ) throws(StorageProblem) -> SigningSignature {
      SigningKeyInfo.note(.madeOnAnotherDevice, of: value)
      throw .invalidated
    }
  }
#endif
