/// In what a value is protected less where it goes than where it was, as far as two places can be compared.
package enum ProtectionLoss: Sendable, Hashable, CaseIterable {
  case storedPlain, accessControlDropped, accessibleMoreOften, leavesDevice, backedUp, sharedWithGroup

  /// As an audit says it.
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

/// What protects a stored value.
package struct Protection: Sendable {
  private var isSecured: Bool
  private var isControlled = false
  /// 2 while the device is unlocked, 1 after the first unlock, 0 always; of what the system guards.
  private var strictness = 0
  private var isBound = false
  private var isBackedUp: Bool
  private var isShared: Bool

  /// That of a value in a domain, secured so; `isBackedUp` is what its key asks.
  package init(_ domain: StorageDomain, _ security: SecurityPolicy, isBackedUp: Bool) {
    isSecured = security != .none
    isShared = domain.kind.isAppGroup
    self.isBackedUp = isBackedUp
    if case .fileSystem(.caches) = domain { self.isBackedUp = false }
    if case .encryptedFileSystem(let directory) = domain {
      strictness = 2
      if directory == .caches { self.isBackedUp = false }
    }
    if case .keychain(let accessibility, let accessControl) = security {
      isControlled = accessControl != nil
      isBound = accessibility.isThisDeviceOnly
      strictness = accessibility.strictness
    }
  }

  /// What a value loses that comes from somewhere else.
  package func losses(from old: Protection) -> [ProtectionLoss] {
    ProtectionLoss.allCases.filter { loss in
      switch loss {
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
