import LocalDataVocabulary

/// The fates of files and preferences, without their encryption by the library.
enum FileFates {
  static func fate(of facts: StoredFacts, at event: StorageEvent) -> Fate {
    switch event {
    case .deviceLocked: whileLocked(facts)
    case .relaunch, .update, .downgrade, .ownBackup, .teamTransfer, .watchPairedAgain, .signOut: inPlace(facts, event)
    case .reinstall: afterUninstall(facts)
    case .restoreSameDevice, .encryptedBackup, .unencryptedBackup, .iCloudRestore, .directTransfer:
      fromBackup(facts, event)
    }
  }

  private static func whileLocked(_ facts: StoredFacts) -> Fate {
    switch facts.fileProtection {
    case .complete:
      Fate(.cannotBeReadNow, .fileProtection, "The file can be opened only while the device is unlocked.")
    case .completeUnlessOpen:
      Fate(
        .cannotBeReadNow, .fileProtection, "Only a file that was opened before can be read while the device is locked.")
    case .untilFirstUnlock:
      Fate(.kept, .fileProtection, "It can be read from the first unlock after the device is started.")
    case .none: Fate(.kept, .fileProtection, "It can always be read, also before the first unlock.")
    }
  }

  private static func inPlace(_ facts: StoredFacts, _ event: StorageEvent) -> Fate {
    if event == .teamTransfer, facts.domain.isAppGroup {
      return Fate(
        .notDecidable, .team, "The container of the group stays if the group is transferred together with the app.")
    }
    if facts.isInCaches { return Fate(.mayBeLost, .caches, "The system may have deleted the file from the caches.") }
    return Fate(.kept, .containers, "It is in a container that the system keeps.")
  }

  private static func afterUninstall(_ facts: StoredFacts) -> Fate {
    guard facts.domain.isAppGroup else { return Fate(.lost, .uninstall, "It is deleted together with the app.") }
    return Fate(.mayBeLost, .uninstallOfGroup, "It is deleted unless another app of the group is installed.")
  }

  private static func fromBackup(_ facts: StoredFacts, _ event: StorageEvent) -> Fate {
    let isExcluded = facts.domain.isFile && !facts.isInBackup
    guard facts.isInCaches || isExcluded else {
      return Fate(.kept, .backups, "Every backup and every transfer contains it.")
    }
    if event == .directTransfer {
      return Fate(
        .notDecidable, .directTransfer, "Apple does not say whether a direct transfer moves what backups leave out.")
    }
    return facts.isInCaches
      ? Fate(.lost, .caches, "No backup contains files in caches.")
      : Fate(.lost, .backups, "The file is excluded from backups.")
  }
}
