public import Foundation

public enum WCSessionActivationState: Int, Sendable { case notActivated, inactive, activated }

/// The application context is limited to property lists of 262,144 bytes, as there.
open class WCSession {
  nonisolated(unsafe) public static let `default` = WCSession()
  nonisolated(unsafe) public static var supported = true
  public static func isSupported() -> Bool { supported }
  public var activationState = WCSessionActivationState.activated
  public var isPaired = true
  public var isWatchAppInstalled = true
  public var isCompanionAppInstalled = true
  public private(set) var applicationContext: [String: Any] = [:]
  public private(set) var receivedApplicationContext: [String: Any] = [:]
  public struct Failure: Error { public let code: Int }
  public func updateApplicationContext(_ applicationContext: [String: Any]) throws {
    guard activationState == .activated else { throw Failure(code: 7004) }
    guard
      let bytes = try? PropertyListSerialization.data(fromPropertyList: applicationContext, format: .binary, options: 0)
    else { throw Failure(code: 7010) }
    guard bytes.count <= 262_144 else { throw Failure(code: 7009) }
    self.applicationContext = applicationContext
  }
}
