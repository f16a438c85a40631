public import Foundation

/// Sends values to the paired device and receives its values: `router.sync`.
///
/// ```swift
/// router.sync.setTransport(WatchConnectivityTransport())
/// try await router.set(.dark, for: .theme)      // automaticSmall: sent at once
/// try await router.sync.send(.profile)          // manual: sent when the app asks
/// ```
///
/// The app owns the session. It hands over what its delegate receives, and at launch what the session has received before:
///
/// ```swift
/// func session(_ session: WCSession, didReceiveApplicationContext context: [String: Any]) {
///   guard let payload = StorageSync.payload(in: context) else { return }
///   Task { await router.sync.receive(payload) }
/// }
/// ```
public struct StorageSync: Sendable {
  let router: StorageRouter

  /// The key of the package's entry in an application context. The other entries are the app's.
  public static let contextKey = "LocalData.sync"

  /// Sets the transport that payloads are sent through. If it is `nil`, as before the first call, nothing is sent.
  ///
  /// Changes that were made before are sent with the next change, with the next payload that is received, or by
  /// ``sendAll()``.
  ///
  /// - Parameter transport: The transport.
  public func setTransport(_ transport: (any SyncTransport)?) { router.syncLink.setTransport(transport) }

  /// The events from now on. Each access returns a sequence for one more listener.
  public var events: SyncEvents { router.syncLink.events.events() }

  /// Sends the latest value of a key, or its removal. Sends nothing if the key never had a value.
  ///
  /// - Parameter key: The key.
  /// - Throws: ``StorageError/syncUnavailable(_:)`` if there is no transport, if its session is not activated, paired and
  ///   installed, if it refuses the payload, or if the key takes no part in sync: its policy is never, its availability
  ///   keeps it on one device, or it is secured and its catalog does not say `sync: decrypted`.
  ///   ``StorageError/tooLargeToSync(_:limit:)`` if the value is too large, alone or together with what the paired device
  ///   has not acknowledged yet. Every other ``StorageError`` says why the value cannot be read.
  public func send<Value>(_ key: StorageKey<Value>) async throws(StorageError) {
    try await send(AnyStorageKey(key))
  }

  /// Sends the latest value of every registered key that takes part in sync, even if the paired device has it already.
  ///
  /// A value that cannot be sent does not keep the others from being sent. It is reported by an event, and the first such
  /// error is thrown at the end.
  ///
  /// - Throws: As ``send(_:)``.
  public func sendAll() async throws(StorageError) { try await sendEverything() }

  /// Stores what is newer in a payload of the paired device, secured as each key here says.
  ///
  /// Payloads may arrive twice and in any order. If the sender waits for an acknowledgement or for values, a payload is
  /// sent back through the transport.
  ///
  /// The call has one deadline for all values. A value that another call or process holds for longer is not stored, and has
  /// the event ``SyncEvent/ignored(_:_:)`` with ``StorageError/busy(_:)``. It is not acknowledged, so that it is sent again.
  ///
  /// - Parameter payload: What ``payload(in:)`` returned for an application context.
  /// - Returns: The events of this payload. Values that are not newer have none.
  @discardableResult
  public func receive(_ payload: Data) async -> [SyncEvent] { await apply(payload) }

  /// Stores what is newer in the package's entry of an application context. Does nothing if there is no such entry.
  ///
  /// - Parameter applicationContext: The application context.
  /// - Returns: As ``receive(_:)-(Data)``.
  @discardableResult
  public func receive(_ applicationContext: sending [String: Any]) async -> [SyncEvent] {
    guard let payload = Self.payload(in: applicationContext) else { return [] }
    return await receive(payload)
  }

  /// Returns the package's entry of an application context, which can be passed to a task; `nil` if there is none.
  ///
  /// If the entry is no data, this returns no bytes, which ``receive(_:)-(Data)`` refuses.
  ///
  /// - Parameter applicationContext: The application context.
  public static func payload(in applicationContext: [String: Any]) -> Data? {
    applicationContext[contextKey].map { $0 as? Data ?? Data() }
  }

  /// Returns an app's own application context with the package's entry of the current one.
  ///
  /// `updateApplicationContext` replaces the whole context. An app that uses it must keep the package's entry:
  ///
  /// ```swift
  /// let context = StorageSync.merging(["workout": identifier], into: session.applicationContext)
  /// try session.updateApplicationContext(context)
  /// ```
  ///
  /// An entry that was lost is sent again with the next change.
  ///
  /// - Parameters:
  ///   - own: The app's own entries.
  ///   - current: The session's `applicationContext`.
  /// - Returns: The app's own entries and the package's entry.
  public static func merging(_ own: [String: Any], into current: [String: Any]) -> [String: Any] {
    var merged = own
    merged[contextKey] = current[contextKey]
    return merged
  }
}

extension StorageRouter {
  /// Sends values to the paired device and receives its values.
  public nonisolated var sync: StorageSync { StorageSync(router: self) }
}
