import StorageVocabulary

extension [MigrationPlan.Weakening] {
  /// What a value loses that goes from one key to another.
  init(from source: AnyStorageKey, to key: AnyStorageKey) {
    let (old, new) = (Protection(source), Protection(key))
    let losses: [MigrationPlan.Weakening: Bool] = [
      .storedPlain: old.isSecured && !new.isSecured, .accessControlDropped: old.isControlled && !new.isControlled,
      .accessibleMoreOften: old.strictness > new.strictness, .leavesDevice: old.isBound && !new.isBound,
      .backedUp: !old.isBackedUp && new.isBackedUp, .sharedWithGroup: !old.isShared && new.isShared,
    ]
    self = MigrationPlan.Weakening.allCases.filter { losses[$0] ?? false }
  }
}

/// What protects a value, as far as two keys can be compared.
private struct Protection {
  var isSecured: Bool
  var isControlled = false
  /// 2 while the device is unlocked, 1 after the first unlock, 0 always; of what the system guards.
  var strictness = 0
  var isBound = false
  var isBackedUp: Bool
  var isShared: Bool

  init(_ key: AnyStorageKey) {
    isSecured = key.security != .none
    isShared = key.domain.kind == .appGroupUserDefaults || key.domain.kind == .appGroupFileSystem
    isBackedUp = key.traits.isBackedUp
    if case .fileSystem(.caches) = key.domain { isBackedUp = false }
    if case .encryptedFileSystem(let directory) = key.domain {
      strictness = 2
      if directory == .caches { isBackedUp = false }
    }
    if case .keychain(let accessibility, let accessControl) = key.security {
      isControlled = accessControl != nil
      isBound = accessibility.isThisDeviceOnly
      strictness = accessibility.strictness
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

  fileprivate var isThisDeviceOnly: Bool {
    switch self {
    case .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly, .afterFirstUnlockThisDeviceOnly,
      .alwaysThisDeviceOnly:
      true
    case .whenUnlocked, .afterFirstUnlock, .always: false
    }
  }
}
