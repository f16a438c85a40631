import LocalData
import LocalDataFoundation

/// The properties of a key that sync uses, without the type of the value. A key whose policy is never has none.
struct KeySyncing: Sendable {
  /// A Boolean value that indicates whether the value of a secured key may leave the device decrypted.
  let isDecrypted: Bool
  /// The smaller representation that the watch gets, or `nil` if it gets the key's own bytes.
  let watchRepresentation: WatchEncoding?

  fileprivate init?(_ key: AnyStorageKey) {
    guard key.syncPolicy != .never else { return nil }
    isDecrypted = key.options.isDecryptedForSync
    watchRepresentation = key.options.watchRepresentation
  }

  /// Returns the bytes that are sent for serialized bytes.
  func outgoing(_ bytes: Data) throws(StorageProblem) -> Data {
    guard let watchRepresentation else { return bytes }
    return try watchRepresentation.encode(bytes)
  }
}

extension AnyStorageKey {
  /// The properties of the key that sync uses; `nil` if its policy is never.
  var syncing: KeySyncing? { KeySyncing(self) }
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
