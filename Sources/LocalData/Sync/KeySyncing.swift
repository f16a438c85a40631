import StorageVocabulary

extension AnyStorageKey {
  /// The key's name on the other device.
  var syncKey: SyncKey { SyncKey(name: name, domain: domain) }

  /// Returns why the key takes no part in sync on a platform; `nil` if it does.
  func syncRefusal(on platform: StoragePlatform) -> SyncEvent.ReceivingProblem? {
    guard let syncing else { return .policyNever }
    switch availability {
    case .phoneOnly, .watchOnly: return .notAvailable
    case .all, .phoneWithWatchSync: break
    }
    guard !options.isLegacy else { return .notAvailable }
    guard security == .none || syncing.isDecrypted else { return .notDecrypted }
    guard syncing.watchRepresentation == nil || platform == .phone else { return .watchRepresentation }
    return nil
  }
}

extension KeyPlan {
  /// The ticket that assigns a version to the change of a call; `nil` if the key is not synced.
  var sync: SyncTicket? { hook as? SyncTicket }
}
