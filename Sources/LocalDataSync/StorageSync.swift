public import LocalData
public import LocalDataFoundation

/// Sends values to the paired device and receives its values: `router.sync`.
///
/// ```swift
/// router.sync.setTransport(WatchConnectivityTransport())
/// try await router.set(.dark, for: .theme)      // automaticSmall: sent at once
/// try await router.sync.send(.profile)          // manual: sent when the app asks
/// ```
///
/// The app owns the session. It passes the contexts that its delegate receives to the router. At launch it also passes the
/// context that the session received earlier:
///
/// ```swift
/// func session(_ session: WCSession, didReceiveApplicationContext context: [String: Any]) {
///   guard let payload = StorageSync.payload(in: context) else { return }
///   Task { await router.sync.receive(payload) }
/// }
/// ```
public struct StorageSync: Sendable {
  let router: StorageRouter

  /// The key of the library's entry in an application context. The other entries belong to the app.
  public static let contextKey = "LocalData.sync"

  /// Sets the transport that sends payloads. If it is `nil`, which is the default, nothing is sent.
  ///
  /// Earlier changes are sent with the next change, after the next received payload, or by ``sendAll()``.
  ///
  /// - Parameter transport: The transport.
  public func setTransport(_ transport: (any SyncTransport)?) { router.syncLink.setTransport(transport) }

  /// A sequence of all later events. Each access returns a sequence for one listener.
  public var events: SyncEvents { router.syncLink.events.events() }

  /// Sends the latest value of a key, or its removal. Sends nothing if the key never had a value.
  ///
  /// - Parameter key: The key.
  /// - Throws: ``StorageProblem/Code/syncUnavailable`` if there is no transport, if its session is not activated, paired and
  ///   installed, if the transport refuses the payload, or if the key takes no part in sync. A key takes no part if its policy
  ///   is `never`, if its availability is limited to one device, or if it is secured and its catalog has no `sync: decrypted`.
  ///   ``StorageProblem/Code/tooLargeToSync`` if the value is too large, alone or together with what the paired device
  ///   has not acknowledged yet. Every other ``StorageError`` if the value cannot be read.
  @concurrent public func send<Value>(_ key: StorageKey<Value>) async throws(StorageError) {
    try await send(AnyStorageKey(key))
  }

  /// Sends the latest value of every registered key that takes part in sync, even if the paired device has it already. A
  /// removal that the paired device has acknowledged is not sent again.
  ///
  /// If the values are too large for one payload, the router sends the first of them. It sends the others, in as many
  /// payloads as they need, each when the paired device has acknowledged the one before it.
  ///
  /// If a value cannot be sent, the others are sent all the same. Each failure is an event, and the first error is thrown at
  /// the end.
  ///
  /// - Throws: Every error that ``send(_:)`` throws. If only the payload is full, no error is thrown.
  @concurrent public func sendAll() async throws(StorageError) { try await sendEverything() }

  /// Stores the newer values of a payload from the paired device. Each value is secured with the security of its key on this
  /// device.
  ///
  /// Payloads may arrive twice and in any order. If the sender waits for an acknowledgement or for values, the router sends a
  /// payload through the transport.
  ///
  /// The call has one deadline for all values. If a value is still used by another call or process after the deadline, it is
  /// not stored, and its event is ``SyncEvent/ignored(_:_:)`` with ``StorageProblem/Code/busy``. It is not acknowledged, so that
  /// the paired device sends it again.
  ///
  /// - Parameter payload: The payload that ``payload(in:)`` returned for an application context.
  /// - Returns: The events of this payload. Values that are not newer have none.
  @discardableResult
  @concurrent public func receive(_ payload: Data) async -> [SyncEvent] { await apply(payload) }

  /// Stores the newer values of the library's entry in an application context. Does nothing if there is no such entry.
  ///
  /// - Parameter applicationContext: The application context.
  /// - Returns: The events of the payload, as ``receive(_:)-(Data)`` returns them.
  @discardableResult
  @concurrent public func receive(_ applicationContext: sending [String: Any]) async -> [SyncEvent] {
    guard let payload = Self.payload(in: applicationContext) else { return [] }
    return await receive(payload)
  }

  /// Returns the library's entry in an application context. Unlike the context, it can be passed to a task. Returns `nil` if
  /// there is no entry.
  ///
  /// If the entry is not of type `Data`, the result is empty, and ``receive(_:)-(Data)`` refuses it.
  ///
  /// - Parameter applicationContext: The application context.
  public static func payload(in applicationContext: [String: Any]) -> Data? {
    applicationContext[contextKey].map { $0 as? Data ?? Data() }
  }

  /// Returns an application context that contains the app's own entries and the library's entry of the current context.
  ///
  /// `updateApplicationContext` replaces the whole context. An app that calls it must keep the library's entry:
  ///
  /// ```swift
  /// let context = StorageSync.merging(["workout": identifier], into: session.applicationContext)
  /// try session.updateApplicationContext(context)
  /// ```
  ///
  /// If the entry was lost, it is sent again with the next change.
  ///
  /// - Parameters:
  ///   - own: The app's own entries.
  ///   - current: The session's `applicationContext`.
  /// - Returns: The app's own entries and the library's entry.
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
