public import Foundation

/// What goes to the paired device and comes from it: `router.sync`.
///
///     router.sync.use(WatchConnectivityTransport())
///     try await router.set(.dark, for: .theme)      // automaticSmall: sent by itself
///     try await router.sync.send(.profile)          // manual: sent when asked
///
/// The app owns the session. What its delegate receives it hands in, at launch what the session has received before:
///
///     func session(_ session: WCSession, didReceiveApplicationContext context: [String: Any]) {
///       guard let payload = StorageSync.payload(in: context) else { return }
///       Task { await router.sync.applyReceived(payload) }
///     }
public struct StorageSync: Sendable {
  let router: StorageRouter

  /// The key of our entry in an application context. The other entries are the app's.
  public static let contextKey = "LocalData.sync"

  /// Sets what to send through; with `nil`, as before the first call, nothing is sent.
  ///
  /// What was set meanwhile is not sent by this: ``sendAll()`` does so.
  public func use(_ transport: (any SyncTransport)?) { router.outbox.use(transport) }

  /// What happens from now on, for one more listener.
  public var events: SyncEvents { router.syncEvents.events() }

  /// Sends the latest value of a key, or its removal. A key that never had a value sends nothing.
  ///
  /// - Throws: ``StorageError/syncUnavailable(_:)`` where there is no transport, where its session is not activated,
  ///   paired and installed, where it refuses the payload, and where the key takes no part in sync: its policy is never,
  ///   its availability keeps it on one device, or it is secured and does not say that it may travel (`sync: resecure`).
  ///   ``StorageError/tooLargeToSync(_:limit:)`` where the value, or all that was ever sent together with it, is too
  ///   large; what was sent before stays.
  public func send<Value>(_ key: StorageKey<Value>) async throws(StorageError) {
    try await router.send(AnyStorageKey(key))
  }

  /// Sends the latest value of every registered key that takes part in sync.
  ///
  /// What cannot be sent leaves the others alone: it is told by an event, and the first such error is thrown at the end.
  ///
  /// - Throws: As ``send(_:)``.
  public func sendAll() async throws(StorageError) { try await router.sendAll() }

  /// Stores what is newer in a payload from the paired device, as each key here says, and sends nothing back.
  ///
  /// Payloads may come twice and in any order. What is not stored is told by an event and may be handed in again.
  ///
  /// - Returns: The events of this payload; values that are not newer have none.
  @discardableResult
  public func applyReceived(_ payload: Data) async -> [SyncEvent] { await router.applyReceived(payload) }

  /// The same for what stands under ``contextKey`` in an application context. Without such an entry nothing happens.
  @discardableResult
  public func applyReceived(_ applicationContext: sending [String: Any]) async -> [SyncEvent] {
    guard let payload = Self.payload(in: applicationContext) else { return [] }
    return await applyReceived(payload)
  }

  /// Our entry of an application context, for a task to take along; `nil` where there is none.
  ///
  /// An entry that is no data comes out as no bytes, which ``applyReceived(_:)-(Data)`` refuses.
  public static func payload(in applicationContext: [String: Any]) -> Data? {
    applicationContext[contextKey].map { $0 as? Data ?? Data() }
  }
}

extension StorageRouter {
  /// What goes to the paired device and comes from it.
  public nonisolated var sync: StorageSync { StorageSync(router: self) }
}
