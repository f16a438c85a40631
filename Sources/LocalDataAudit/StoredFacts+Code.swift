import LocalDataVocabulary

extension StoredFacts {
  package static func == (left: Self, right: Self) -> Bool { left.code == right.code }

  package func hash(into hasher: inout Hasher) { hasher.combine(code) }

  /// A number that only these facts have.
  package var code: Int {
    var code = FactCode()
    code.add(domain.code, bits: 3)
    code.add(fileProtection.code, bits: 2)
    code.add(accessibility.map { $0.code + 1 } ?? 0, bits: 3)
    code.add(accessControl.map { $0.code + 1 } ?? 0, bits: 3)
    code.add(seal.code, bits: 4)
    code.add(end.map { $0 == .relaunch ? 1 : 2 } ?? 0, bits: 2)
    code.add(availability.code, bits: 2)
    code.add(isInCaches)
    code.add(isInBackup)
    code.add(isSynchronizable)
    code.add(isInGroupKeychain)
    code.add(isMoved)
    code.add(isUpgraded)
    code.add(isSent)
    code.add(isKeyPair)
    code.add(isKeptAtSignOut)
    code.add(isInOwnBackup)
    return code.value
  }
}

/// A number of which parts of a value are some bits.
package struct FactCode {
  package private(set) var value = 0

  package init() {}

  package mutating func add(_ part: Int, bits: Int) { value = value << bits | part }

  package mutating func add(_ flag: Bool) { add(flag ? 1 : 0, bits: 1) }
}

extension StorageDomain.Kind {
  fileprivate var code: Int {
    switch self {
    case .userDefaults: 0
    case .appGroupUserDefaults: 1
    case .keychain: 2
    case .fileSystem: 3
    case .encryptedFileSystem: 4
    case .appGroupFileSystem: 5
    }
  }
}

extension StoredFacts.FileProtection {
  fileprivate var code: Int {
    switch self {
    case .complete: 0
    case .completeUnlessOpen: 1
    case .untilFirstUnlock: 2
    case .none: 3
    }
  }
}

extension KeychainAccessibility {
  fileprivate var code: Int {
    switch self {
    case .whenUnlocked: 0
    case .afterFirstUnlock: 1
    case .whenUnlockedThisDeviceOnly: 2
    case .afterFirstUnlockThisDeviceOnly: 3
    case .always: 4
    case .alwaysThisDeviceOnly: 5
    case .whenPasscodeSetThisDeviceOnly: 6
    }
  }
}

extension KeychainAccessControl {
  fileprivate var code: Int {
    switch self {
    case .userPresence: 0
    case .biometryAny: 1
    case .biometryCurrentSet: 2
    case .devicePasscode: 3
    case .biometryAnyOrDevicePasscode: 4
    case .biometryCurrentSetOrDevicePasscode: 5
    }
  }
}

extension StoredFacts.Seal {
  fileprivate var code: Int {
    switch self {
    case .none: 0
    case .external: 1
    case .masterKey(let accessibility): 2 + accessibility.code
    }
  }
}

extension PlatformAvailability {
  fileprivate var code: Int {
    switch self {
    case .all: 0
    case .phoneOnly: 1
    case .watchOnly: 2
    case .phoneWithWatchSync: 3
    }
  }
}
