package import LocalDataVocabulary

/// A respect in which a value is protected less at its new address than at its old one, as far as two addresses can be
/// compared.
public enum ProtectionDowngrade: String, Sendable, Hashable, CaseIterable {
  /// The value was encrypted or in the keychain, and is stored in plain.
  case storedPlain
  /// The value could be read only with the user present.
  case accessControlDropped
  /// The value could be read only while the device was unlocked, and can be read more often.
  case accessibleMoreOften
  /// The value never left the device.
  case leavesDevice
  /// The value was not part of backups.
  case backedUp
  /// The value belonged to the app alone, and other apps of a group can read it.
  case sharedWithGroup

  /// The words of an audit.
  package var words: String {
    switch self {
    case .storedPlain: "stored in plain"
    case .accessControlDropped: "access control dropped"
    case .accessibleMoreOften: "accessible more often"
    case .leavesDevice: "leaves the device"
    case .backedUp: "backed up"
    case .sharedWithGroup: "shared with an app group"
    }
  }
}

/// The protection of a stored value.
package struct Protection: Sendable {
  private var isSecured: Bool
  private var isControlled = false
  /// 2 while the device is unlocked, 1 after the first unlock, 0 always; of what the system guards.
  private var strictness = 0
  private var isBound = false
  private var isBackedUp: Bool
  private var isShared: Bool

  /// Creates the protection of a value in a domain with a security. `isBackedUp` is the option of its key.
  package init(_ domain: StorageDomain, _ security: SecurityPolicy, isBackedUp: Bool) {
    isSecured = security != .none
    isShared = domain.kind.isAppGroup
    self.isBackedUp = isBackedUp
    if domain.isInCaches { self.isBackedUp = false }
    if case .encryptedFileSystem = domain { strictness = 2 }
    switch security {
    case .keychain(let accessibility, let accessControl):
      isControlled = accessControl != nil
      isBound = accessibility.isThisDeviceOnly
      strictness = accessibility.strictness
    // The sealed value is in an item of `whenUnlocked`.
    case .encrypted where domain.kind == .keychain: strictness = 2
    case .none, .encrypted: break
    }
  }

  /// Returns the downgrades of a value that comes from another address.
  package func downgrades(from old: Protection) -> [ProtectionDowngrade] {
    ProtectionDowngrade.allCases.filter { downgrade in
      switch downgrade {
      case .storedPlain: old.isSecured && !isSecured
      case .accessControlDropped: old.isControlled && !isControlled
      case .accessibleMoreOften: old.strictness > strictness
      case .leavesDevice: old.isBound && !isBound
      case .backedUp: !old.isBackedUp && isBackedUp
      case .sharedWithGroup: !old.isShared && isShared
      }
    }
  }
}

extension KeychainAccessibility {
  fileprivate var strictness: Int {
    switch self {
    case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: 2
    case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly: 1
    case .always, .alwaysThisDeviceOnly: 0
    }
  }
}
