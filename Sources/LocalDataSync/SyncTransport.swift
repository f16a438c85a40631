import LocalData
public import LocalDataFoundation

/// A connection to the paired device. It carries one payload of the library. A new payload replaces the one before it.
///
/// The library calls a transport on its own threads. It calls ``payload()`` and ``put(_:)`` one at a time, and may read
/// ``session`` at the same time. The app owns the session: it activates the session, and passes received payloads to
/// ``StorageSync/receive(_:)-(Data)``.
public protocol SyncTransport: Sendable {
  /// The state of the session. The library reads it before it sends a payload.
  var session: SyncSession { get }

  /// Returns the last payload that was put, in this launch or an earlier one; `nil` if there is none.
  ///
  /// - Throws: Any error. Then no value is sent, and the library reports an event.
  func payload() throws -> Data?

  /// Replaces the last payload by a new one. Other entries that the app sends in the same way must stay.
  ///
  /// - Parameter payload: The bytes to send.
  /// - Throws: Any error. The payload is put again with the next change, and the library reports an event.
  func put(_ payload: Data) throws
}

/// The state of an app's session with the paired device.
public struct SyncSession: Sendable, Hashable {
  /// A Boolean value that indicates whether the app has activated the session.
  public var isActivated: Bool
  /// A Boolean value that indicates whether there is a paired device.
  public var isPaired: Bool
  /// A Boolean value that indicates whether the app is installed on the paired device.
  public var isInstalled: Bool

  /// Creates a state.
  public init(isActivated: Bool, isPaired: Bool, isInstalled: Bool) {
    self.isActivated = isActivated
    self.isPaired = isPaired
    self.isInstalled = isInstalled
  }

  /// A Boolean value that indicates whether something can be sent.
  var isReady: Bool { isActivated && isPaired && isInstalled }
}
