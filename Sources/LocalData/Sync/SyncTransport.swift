public import Foundation

/// A connection to the paired device. It carries one payload of the library, which replaces the one before it.
///
/// The library calls a transport from its own threads, one call at a time. The app owns the session: it activates the
/// session, and passes what arrives to ``StorageSync/receive(_:)-(Data)``.
public protocol SyncTransport: Sendable {
  /// The state of the session. It is read before anything is sent.
  var session: SyncSession { get }

  /// Returns the payload that was put last, in this launch or an earlier one; `nil` if there is none.
  ///
  /// - Throws: Any error. Nothing is sent then, and an event says so.
  func payload() throws -> Data?

  /// Puts a payload in the place of the one before it. Other entries that the app sends in the same way stay.
  ///
  /// - Parameter payload: The bytes to send.
  /// - Throws: Any error. The payload is put again with the next change, and an event says so.
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
