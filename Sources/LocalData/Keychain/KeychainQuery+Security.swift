#if canImport(Security)
  internal import Foundation
  internal import LocalAuthentication
  internal import Security
  internal import StorageVocabulary

  /// The one place that names the constants of Keychain Services.
  extension KeychainQuery {
    /// Which items are meant.
    var dictionary: [String: Any] {
      var query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrSynchronizable as String: isSynchronizable.map { $0 as Any } ?? kSecAttrSynchronizableAny,
        // On macOS the keychain that knows accessibility and access groups; elsewhere there is no other.
        kSecUseDataProtectionKeychain as String: true,
      ]
      if let service { query[kSecAttrService as String] = service }
      if let account { query[kSecAttrAccount as String] = account }
      if let accessGroup { query[kSecAttrAccessGroup as String] = accessGroup }
      return query
    }

    /// The same, where nobody may be asked.
    var withoutPrompt: [String: Any] {
      let context = LAContext()
      context.interactionNotAllowed = true
      return dictionary.merging([kSecUseAuthenticationContext as String: context]) { $1 }
    }

    /// The same, without the items for which somebody would be asked.
    var skippingPrompts: [String: Any] {
      dictionary.merging([kSecUseAuthenticationUI as String: kSecUseAuthenticationUISkip]) { $1 }
    }
  }

  extension KeychainQuery.Protection {
    /// The attributes that an item is written with.
    func attributes() throws(StorageFault) -> [String: Any] {
      switch self {
      case .accessible(let accessibility): return [kSecAttrAccessible as String: accessibility.constant]
      case .controlled(let accessibility, let control):
        let made = SecAccessControlCreateWithFlags(nil, accessibility.constant, control.flags, nil)
        // The combination is one that the system does not know.
        guard let made else { throw .configurationConflict }
        return [kSecAttrAccessControl as String: made]
      }
    }
  }

  extension KeychainAccessibility {
    fileprivate var constant: CFString {
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
    fileprivate var flags: SecAccessControlCreateFlags {
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
