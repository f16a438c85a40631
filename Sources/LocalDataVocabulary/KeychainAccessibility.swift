/// When the keychain gives an item out. The names are those of Keychain Services (`kSecAttrAccessible…`).
public enum KeychainAccessibility: String, Sendable, Hashable, Codable, CaseIterable {
  /// Only while the device is unlocked.
  case whenUnlocked
  /// From the first unlock after a restart on.
  case afterFirstUnlock
  /// Only while the device is unlocked, and never on another device.
  case whenUnlockedThisDeviceOnly
  /// From the first unlock after a restart on, and never on another device.
  case afterFirstUnlockThisDeviceOnly
  /// Always, even before the first unlock. The weakest.
  case always
  /// Always, and never on another device.
  case alwaysThisDeviceOnly
  /// Only while unlocked, only where a passcode is set, and never on another device.
  case whenPasscodeSetThisDeviceOnly

  /// A Boolean value that indicates whether an item never leaves the device, not even in a backup.
  public var isThisDeviceOnly: Bool {
    switch self {
    case .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly, .alwaysThisDeviceOnly,
      .whenPasscodeSetThisDeviceOnly:
      true
    case .whenUnlocked, .afterFirstUnlock, .always: false
    }
  }
}
