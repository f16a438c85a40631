import Foundation
import StorageVocabulary

/// What sync needs to know of a key, whatever its `Value`. Keys whose policy is never have none.
struct KeySyncing: Sendable {
  /// A Boolean value that indicates whether the value of a secured key may leave the device decrypted.
  let isDecrypted: Bool
  /// The smaller representation that the watch gets, or `nil` if it gets the key's own bytes.
  let watchRepresentation: WatchEncoding?

  init?<Value>(_ key: StorageKey<Value>) {
    guard key.syncPolicy != .never else { return nil }
    isDecrypted = key.traits.isDecryptedForSync
    watchRepresentation = key.traits.watchRepresentation
  }

  /// Returns the bytes that are sent for serialized bytes.
  func outgoing(_ bytes: Data) throws(StorageFault) -> Data {
    guard let watchRepresentation else { return bytes }
    return try watchRepresentation.encode(bytes)
  }
}

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
    guard !traits.isLegacy else { return .notAvailable }
    guard security == .none || syncing.isDecrypted else { return .notDecrypted }
    guard syncing.watchRepresentation == nil || platform == .phone else { return .watchRepresentation }
    return nil
  }
}

extension KeyPlan {
  /// What gives the change of a call its version; `nil` if the key takes no part in sync.
  var sync: SyncTicket? { hook as? SyncTicket }
}
