import SmallFoundation
import StorageStores
import StorageSystem

#if canImport(Security)
  internal import LocalAuthentication
  internal import Security

  /// Keys of Keychain Services that earlier releases of an app created. An adapter with as little logic as possible.
  ///
  /// Apps write a tag as data, as the documentation says, or as text. Keychain Services keep the two apart.
  enum ExistingKey {
    /// Returns the first private key that Keychain Services return for a tag, as the pair that it becomes. Never prompts.
    static func find(_ tag: String, at time: Date) throws(StorageFault) -> SigningValue? {
      for tag in forms(of: tag) {
        var query = privateKeys
        query[kSecAttrApplicationTag as String] = tag
        if let key = try first(query) { return try value(of: key, at: time) }
      }
      return nil
    }

    /// Returns the signature of a message. May prompt.
    static func signature(
      of message: Data, by value: SigningValue, _ session: AuthenticationSession?
    ) throws(StorageFault) -> SigningSignature {
      var query = privateKeys
      query[kSecAttrApplicationLabel as String] = value.privatePart
      if let session { query[kSecUseAuthenticationContext as String] = session.context }
      guard let key = try first(query) else { throw .invalidated }
      guard try publicKey(of: key) == value.publicKey else { throw .corrupted }
      var error: Unmanaged<CFError>?
      let signature = SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message as CFData, &error)
      if let signature { return try SigningSignature(der: signature as Data) }
      guard let error = error?.takeRetainedValue() else { throw .invalidated }
      throw KeyFault.fault(error, ofRefusal: .invalidated)
    }

    /// Deletes all keys with a tag, also the public ones. Never prompts.
    static func remove(_ tag: String) throws(StorageFault) {
      for tag in forms(of: tag) {
        let status = SecItemDelete(
          [
            kSecClass as String: kSecClassKey, kSecAttrApplicationTag as String: tag,
            kSecUseDataProtectionKeychain as String: true,
          ] as [String: Any] as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else { throw KeychainStatus.fault(status) }
      }
    }

    private static var privateKeys: [String: Any] {
      [
        kSecClass as String: kSecClassKey,
        kSecAttrKeyClass as String: kSecAttrKeyClassPrivate,
        kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
        kSecUseDataProtectionKeychain as String: true,
        kSecReturnRef as String: true,
      ]
    }

    private static func forms(of tag: String) -> [Any] { [Data(tag.utf8), tag] }

    private static func first(_ query: [String: Any]) throws(StorageFault) -> SecKey? {
      var found: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &found)
      if status == errSecItemNotFound { return nil }
      guard status == errSecSuccess else { throw KeychainStatus.fault(status) }
      // Keychain Services answer a query for a key with a key.
      guard let found, CFGetTypeID(found) == SecKeyGetTypeID() else { throw .corrupted }
      return (found as! SecKey)
    }

    private static func value(of key: SecKey, at time: Date) throws(StorageFault) -> SigningValue {
      let attributes = SecKeyCopyAttributes(key) as? [String: Any]
      guard let label = attributes?[kSecAttrApplicationLabel as String] as? Data, !label.isEmpty else {
        throw .corrupted
      }
      let publicKey = try publicKey(of: key)
      guard SigningPublicKey(x963: publicKey) != nil else { throw .configurationConflict }
      return SigningValue(.existing, at: time, publicKey: publicKey, privatePart: label)
    }

    private static func publicKey(of key: SecKey) throws(StorageFault) -> Data {
      guard let publicKey = SecKeyCopyPublicKey(key), let bytes = SecKeyCopyExternalRepresentation(publicKey, nil) else {
        throw .corrupted
      }
      return bytes as Data
    }
  }
#else
  /// There are no keys of Keychain Services.
  enum ExistingKey {
    static func find(_ tag: String, at time: Date) throws(StorageFault) -> SigningValue? { nil }

    static func signature(
      of message: Data, by value: SigningValue, _ session: AuthenticationSession?
    ) throws(StorageFault) -> SigningSignature { throw .invalidated }

    static func remove(_ tag: String) throws(StorageFault) {}
  }
#endif
