import LocalDataVocabulary

/// The fate of every value on iPhone, iPad and Apple Watch.
///
/// A fate follows from the declaration and from the place of the master key: a value that is encrypted can arrive on another
/// device while its master key stays behind.
package enum FateTable {
  /// Returns the fate of a value at an event.
  package static func fate(of facts: StoredFacts, at event: StorageEvent) -> Fate {
    switch event {
    case .signOut: return facts.isKeptAtSignOut ? keptAtSignOut : ofSignOut
    case .ownBackup: return ofOwnBackup(facts)
    case .watchPairedAgain: return ofWatch(facts)
    case .deviceLocked, .relaunch, .update, .downgrade, .reinstall, .restoreSameDevice, .encryptedBackup,
      .unencryptedBackup, .directTransfer, .iCloudRestore, .teamTransfer:
      break
    }
    if let ended = endOfRetention(facts, event) { return ended }
    let fate =
      facts.domain == .keychain ? KeychainFates.fate(of: facts, at: event) : FileFates.fate(of: facts, at: event)
    guard fate.outcome == .kept || fate.outcome == .asksUser else { return fate }
    if let seal = ofSeal(facts, event) { return seal }
    if event == .downgrade, let earlier = ofEarlierRelease(facts) { return earlier }
    return fate
  }

  /// Returns the fates of a value at all events, in their order.
  package static func fates(of facts: StoredFacts) -> [Fate] { StorageEvent.allCases.map { fate(of: facts, at: $0) } }

  private static let ofSignOut = Fate(
    .kept, .signOut, "No declaration removes the value at sign-out. removeAll(in:) removes the values of a catalog.")

  private static let keptAtSignOut = Fate(.kept, .signOut, "removeAll(in:) leaves the value.")

  private static func ofOwnBackup(_ facts: StoredFacts) -> Fate {
    facts.isInOwnBackup
      ? Fate(.kept, .ownBackup, "A backup of the app contains the value, and restores it.")
      : Fate(.lost, .ownBackup, "No backup of the app contains the value.")
  }

  private static func endOfRetention(_ facts: StoredFacts, _ event: StorageEvent) -> Fate? {
    switch facts.end {
    case .relaunch where event.launchesApp:
      Fate(.lost, .retention, "Its retention ends with the next launch of the app.")
    case .reinstall where event == .reinstall:
      Fate(.lost, .retention, "Its retention ends with the next installation of the app.")
    case nil, .relaunch, .reinstall: nil
    }
  }

  /// Returns the fate of an encrypted value whose bytes are kept, or nil if it can be opened.
  private static func ofSeal(_ facts: StoredFacts, _ event: StorageEvent) -> Fate? {
    switch facts.seal {
    case .none: nil
    case .masterKey(let accessibility): ofMasterKey(accessibility, facts, event)
    case .external: ofExternalKey(event)
    }
  }

  private static func ofMasterKey(
    _ accessibility: KeychainAccessibility, _ facts: StoredFacts, _ event: StorageEvent
  ) -> Fate? {
    var item = StoredFacts(domain: .keychain)
    item.accessibility = accessibility
    item.isInGroupKeychain = facts.isInGroupKeychain
    let key = KeychainFates.fate(of: item, at: event)
    switch key.outcome {
    case .kept, .asksUser: return nil
    case .lost, .cannotBeOpened:
      return Fate(.cannotBeOpened, .masterKey, "The encrypted value arrives, and its master key stays behind.")
    case .cannotBeReadNow:
      return Fate(.cannotBeReadNow, .masterKey, "Its master key cannot be read while the device is locked.")
    case .mayBeLost, .notDecidable:
      return Fate(.notDecidable, .masterKey, "It is not known whether its master key stays.")
    }
  }

  private static func ofExternalKey(_ event: StorageEvent) -> Fate? {
    switch event {
    case .relaunch, .update, .downgrade, .ownBackup, .watchPairedAgain, .signOut: nil
    case .deviceLocked:
      Fate(
        .notDecidable, .externalKey, "It can be read if the app's provider returns the key while the device is locked.")
    case .reinstall, .restoreSameDevice, .encryptedBackup, .unencryptedBackup, .directTransfer, .iCloudRestore,
      .teamTransfer:
      Fate(.notDecidable, .externalKey, "It can be read if the app's provider still returns the same key.")
    }
  }

  /// Returns the fate of a value that an earlier release does not find in its own form, or nil if it does.
  private static func ofEarlierRelease(_ facts: StoredFacts) -> Fate? {
    if facts.isUpgraded {
      Fate(
        .cannotBeReadNow, .earlierRelease,
        "An earlier release refuses a value of a newer schema, and leaves it for the later release.")
    } else if facts.isMoved {
      Fate(
        .cannotBeReadNow, .earlierRelease,
        "A release before the migration does not find the value at the address, or in the form, in which it stored it.")
    } else {
      nil
    }
  }

  private static func ofWatch(_ facts: StoredFacts) -> Fate {
    switch facts.availability {
    case .phoneOnly: Fate(.kept, .watch, "The value is only on the phone.")
    case .all, .watchOnly, .phoneWithWatchSync:
      if facts.isSent, facts.availability != .watchOnly {
        Fate(.kept, .watch, "The phone keeps the value, and sends it to the watch again.")
      } else {
        Fate(.notDecidable, .watch, "Apple does not say whether the backup of a watch contains the value on the watch.")
      }
    }
  }
}
