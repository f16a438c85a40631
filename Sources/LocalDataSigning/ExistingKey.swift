import LocalDataFoundation
import LocalDataStores
import LocalDataSystem

#if canImport(Security)
  internal import LocalAuthentication
  internal import Security

  /// Keys of Keychain Services that earlier releases of an app created. An adapter with as little logic as possible.
  ///
  /// Apps write a tag as data, as the documentation says, or as text. Keychain Services keep the two apart. No query names an
  /// access group: keys are looked for as the app did.
  enum ExistingKey {
    /// Returns the first private key that Keychain Services return for a tag, as the pair that it becomes.
    ///
    /// - Parameter session: The authentication for a key that cannot be examined without the user; `nil` if there must be no
    ///   prompt.
    static func find(
      _ tag: String, at time: Date, _ session: AuthenticationSession?
    ) throws(StorageProblem) -> SigningValue? {
      for tag in forms(of: tag) {
        if let key = try first([kSecAttrApplicationTag as String: tag], session) {
          return try value(of: key, at: time)
        }
      }
      return nil
    }

    /// Returns the signature of a message. May prompt.
    static func signature(
      of message: Data, by value: SigningValue, _ session: AuthenticationSession
    ) throws(StorageProblem) -> SigningSignature {
      guard let key = try first([kSecAttrApplicationLabel as String: value.privatePart], session) else {
        throw .invalidated
      }
      guard try publicKey(of: key) == value.publicKey else { throw .corrupted }
      var error: Unmanaged<CFError>?
      let signature = SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message as CFData, &error)
      if let signature { return try SigningSignature(der: signature as Data) }
      guard let error = error?.takeRetainedValue() else { throw .invalidated }
      throw KeyFault.fault(error, ofRefusal: .invalidated)
    }

    /// Deletes all keys with a tag, also the public ones. Never prompts.
    static func remove(_ tag: String) throws(StorageProblem) {
      for tag in forms(of: tag) {
        let query: [String: Any] = [
          kSecClass as String: kSecClassKey,
          kSecAttrApplicationTag as String: tag,
          kSecUseDataProtectionKeychain as String: true,
        ]
        let status = SecItemDelete(query as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else { throw KeychainStatus.fault(status) }
      }
    }

    private static func forms(of tag: String) -> [Any] { [Data(tag.utf8), tag] }

    /// Returns the first private key for the curve P-256 that a query matches, or `nil` if there is none.
    private static func first(
      _ attributes: [String: Any], _ session: AuthenticationSession?
    ) throws(StorageProblem) -> SecKey? {
      var query = attributes
      query[kSecClass as String] = kSecClassKey
      query[kSecAttrKeyClass as String] = kSecAttrKeyClassPrivate
      query[kSecAttrKeyType as String] = kSecAttrKeyTypeECSECPrimeRandom
      query[kSecAttrKeySizeInBits as String] = 256
      query[kSecUseDataProtectionKeychain as String] = true
      query[kSecReturnRef as String] = true
      if let session {
        query[kSecUseAuthenticationContext as String] = session.context
      } else {
        query[kSecUseAuthenticationUI as String] = KeychainStatus.noPrompt as CFString
      }
      var found: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &found)
      if status == errSecItemNotFound { return nil }
      guard status == errSecSuccess, let found else { throw KeychainStatus.fault(status) }
      // Keychain Services answer a query for a reference to a key with a key. A cast cannot check a type of Core Foundation.
      return unsafeDowncast(found as AnyObject, to: SecKey.self)
    }

    private static func value(of key: SecKey, at time: Date) throws(StorageProblem) -> SigningValue {
      let attributes = SecKeyCopyAttributes(key) as? [String: Any]
      guard let label = attributes?[kSecAttrApplicationLabel as String] as? Data, !label.isEmpty else {
        throw .corrupted
      }
      return SigningValue(.existing, at: time, publicKey: try publicKey(of: key), privatePart: label)
    }

    private static func publicKey(of key: SecKey) throws(StorageProblem) -> Data {
      guard let publicKey = SecKeyCopyPublicKey(key), let bytes = SecKeyCopyExternalRepresentation(publicKey, nil),
        SigningPublicKey(x963: bytes as Data) != nil
      else { throw .corrupted }
      return bytes as Data
    }
  }
#else
  /// There are no keys of Keychain Services.
  enum ExistingKey {
    static func find(
      _ tag: String, at time: Date, _ session: AuthenticationSession?
    ) throws(StorageProblem) -> SigningValue? { nil }

    static func signature(
      of message: Data, by value: SigningValue, _ session: AuthenticationSession
    ) throws(StorageProblem) -> SigningSignature { throw .invalidated }

    static func remove(_ tag: String) throws(StorageProblem) {}
  }
#endif
