public import Foundation

/// The way to the paired device: one payload of ours, which replaces the one before it.
///
/// Calls may come from any thread, one at a time, and not on Swift's own. The app owns the session: it activates it, and
/// hands what arrives to ``StorageSync/receive(_:)-(Data)``.
public protocol SyncTransport: Sendable {
  /// What is there to send to, asked before anything is sent.
  var session: SyncSession { get }

  /// What was put last, from this launch or an earlier one; `nil` where nothing was.
  func payload() throws -> Data?

  /// Puts a payload in the place of the one before it. What else the app sends the same way stays.
  func put(_ payload: Data) throws
}

/// What an app's session with the paired device is.
public struct SyncSession: Sendable, Hashable {
  /// Whether the app has activated it.
  public var isActivated: Bool
  /// Whether there is a paired device.
  public var isPaired: Bool
  /// Whether the app is installed on it.
  public var isInstalled: Bool

  /// A session by what it is.
  public init(isActivated: Bool, isPaired: Bool, isInstalled: Bool) {
    self.isActivated = isActivated
    self.isPaired = isPaired
    self.isInstalled = isInstalled
  }

  /// Whether something can be sent.
  var isReady: Bool { isActivated && isPaired && isInstalled }
}
