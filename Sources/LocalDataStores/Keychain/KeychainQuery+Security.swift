import LocalDataSystem

#if canImport(Security)
  internal import LocalDataFoundation
  package import Security
  package import LocalDataVocabulary

  /// The attributes of queries. With ``KeychainHelper`` the only code that names the constants of Keychain Services.
  extension KeychainQuery {
    /// The attributes that select the items.
    var dictionary: [String: Any] {
      if let reference {
        return [
          kSecClass as String: kSecClassGenericPassword, kSecValuePersistentRef as String: reference,
          kSecUseDataProtectionKeychain as String: true,
        ]
      }
      var query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrSynchronizable as String: isSynchronizable.map { $0 as Any } ?? kSecAttrSynchronizableAny,
        kSecAttrAccessGroup as String: accessGroup,
        // On macOS, the keychain that supports accessibility and access groups. Other platforms have only this one.
        kSecUseDataProtectionKeychain as String: true,
      ]
      if let service, !service.isEmpty { query[kSecAttrService as String] = service }
      if let account, !account.isEmpty { query[kSecAttrAccount as String] = account }
      if let version { query[kSecAttrGeneric as String] = version }
      if let modified { query[kSecAttrModificationDate as String] = modified }
      return query
    }

    /// The query, which fails if it would have to show a prompt.
    ///
    /// The value is that of kSecUseAuthenticationUIFail, which is deprecated in favor of a context. Keychain Services serialize
    /// a context before the item is known to need one, and they treat this value as a context that must not interact.
    var withoutPrompt: [String: Any] {
      dictionary.merging([kSecUseAuthenticationUI as String: KeychainStatus.noPrompt as CFString]) { $1 }
    }

    /// Calls Keychain Services with the query, and with the authentication of the current operation if the key has an access
    /// control, or an earlier release has stored the item with one. May prompt.
    func perform(_ attributes: StorageAttributes, _ call: (_ query: [String: Any]) -> OSStatus) -> OSStatus {
      if attributes.accessControl == nil {
        let status = call(withoutPrompt)
        let mayPrompt = AuthenticationSession.current?.mayPrompt ?? true
        guard status == KeychainStatus.interactionNotAllowed, mayPrompt else { return status }
      }
      guard let session = AuthenticationSession.current else { return call(dictionary) }
      return call(dictionary.merging([kSecUseAuthenticationContext as String: session.context]) { $1 })
    }
  }

  extension KeychainQuery.Protection {
    /// Returns the attributes that an item is written with.
    func attributes() throws(StorageProblem) -> [String: Any] {
      switch self {
      case .accessible(let accessibility): return [kSecAttrAccessible as String: accessibility.constant]
      case .controlled(let accessibility, let control):
        let made = SecAccessControlCreateWithFlags(nil, accessibility.constant, control.flags, nil)
        // The system does not support the combination.
        guard let made else { throw .configurationConflict }
        return [kSecAttrAccessControl as String: made]
      }
    }
  }

  extension KeychainAccessibility {
    /// The value of `kSecAttrAccessible`.
    package var constant: CFString {
      switch self {
      case .whenUnlocked: kSecAttrAccessibleWhenUnlocked
      case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlock
      case .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
      case .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
      case .whenPasscodeSetThisDeviceOnly: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
      // The values of kSecAttrAccessibleAlways and …ThisDeviceOnly: both are deprecated since iOS 12 and macOS 10.14,
      // and what apps stored so long ago must still be found.
      case .always: "dk" as CFString
      case .alwaysThisDeviceOnly: "dku" as CFString
      }
    }
  }

  extension KeychainAccessControl {
    package var flags: SecAccessControlCreateFlags {
      switch self {
      case .userPresence: .userPresence
      case .biometryAny: .biometryAny
      case .biometryCurrentSet: .biometryCurrentSet
      case .devicePasscode: .devicePasscode
      case .biometryAnyOrDevicePasscode: [.biometryAny, .or, .devicePasscode]
      case .biometryCurrentSetOrDevicePasscode: [.biometryCurrentSet, .or, .devicePasscode]
      }
    }
  }
#endif
