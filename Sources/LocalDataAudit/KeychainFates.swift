import LocalDataVocabulary

/// The fates of keychain items, without their encryption by the library. The master key is such an item too.
enum KeychainFates {
  static func fate(of facts: StoredFacts, at event: StorageEvent) -> Fate {
    switch event {
    case .deviceLocked: whileLocked(facts)
    case .relaunch, .update, .downgrade, .ownBackup, .watchPairedAgain, .signOut:
      present(facts, .containers, "The keychain keeps the item.")
    case .reinstall:
      present(facts, .uninstallAndKeychain, "The item stays in the keychain, which an uninstall does not empty.")
    case .restoreSameDevice:
      inBackup(facts) ?? present(facts, .keychainInBackups, "Every backup restores it on this device.")
    case .encryptedBackup, .directTransfer, .unencryptedBackup, .iCloudRestore:
      ofPair(facts, onAnotherDevice(facts, event))
    case .teamTransfer: ofOtherTeam(facts)
    }
  }

  /// Returns the fate of an item that is in the keychain.
  private static func present(_ facts: StoredFacts, _ rule: FateRule, _ reason: String) -> Fate {
    guard facts.accessControl != nil else { return Fate(.kept, rule, reason) }
    return Fate(.asksUser, .accessControl, "The item is in the keychain, and the system asks the user when it is read.")
  }

  private static func whileLocked(_ facts: StoredFacts) -> Fate {
    switch facts.accessibility ?? .whenUnlocked {
    case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly:
      Fate(.cannotBeReadNow, .accessibility, "The item can be read only while the device is unlocked.")
    case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly:
      present(facts, .accessibility, "The item can be read from the first unlock after the device is started.")
    case .always, .alwaysThisDeviceOnly:
      present(facts, .accessibility, "The item can always be read, even before the first unlock.")
    }
  }

  /// Returns the fate of an item that no backup contains, or nil if backups contain the item.
  private static func inBackup(_ facts: StoredFacts) -> Fate? {
    if facts.accessControl != nil {
      Fate(.lost, .controlledInBackups, "No backup contains an item with an access control.")
    } else if facts.accessibility == .whenPasscodeSetThisDeviceOnly {
      Fate(.lost, .passcodeSet, "No backup contains an item that needs a passcode.")
    } else {
      nil
    }
  }

  private static func onAnotherDevice(_ facts: StoredFacts, _ event: StorageEvent) -> Fate {
    if facts.accessibility?.isThisDeviceOnly ?? false {
      return Fate(.lost, .thisDeviceOnly, "Its accessibility keeps the item on the device that stored it.")
    }
    if event == .directTransfer, facts.accessControl != nil {
      return Fate(
        .notDecidable, .directTransfer,
        "Apple does not say whether a direct transfer moves an item with an access control.")
    }
    if let missing = inBackup(facts) { return missing }
    switch event {
    case .encryptedBackup:
      return Fate(.kept, .keychainInBackups, "An encrypted backup brings the item to another device.")
    case .directTransfer: return Fate(.kept, .directTransfer, "A direct transfer brings the item to another device.")
    default:
      guard !facts.isSynchronizable else {
        return Fate(.mayBeLost, .iCloudKeychain, "The item arrives only if the user uses iCloud Keychain.")
      }
      return Fate(.lost, .keychainInBackups, "Such a backup restores items only on the device that stored them.")
    }
  }

  /// Returns the fate of a key pair whose item has a fate on another device.
  private static func ofPair(_ facts: StoredFacts, _ item: Fate) -> Fate {
    guard facts.isKeyPair, item.outcome == .lost else { return item }
    return Fate(
      .lost, .keyPair,
      "The pair stays behind on a new device: credentials that are bound to it must be issued again.")
  }

  private static func ofOtherTeam(_ facts: StoredFacts) -> Fate {
    if facts.isInGroupKeychain {
      return Fate(.notDecidable, .team, "The item stays if the app group is transferred together with the app.")
    }
    return Fate(
      .cannotBeOpened, .team, "The item stays in an access group of the former team, which the app cannot use.")
  }
}
