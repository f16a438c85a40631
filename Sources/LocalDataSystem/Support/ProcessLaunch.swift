package import LocalDataFoundation

/// One run of a program that uses the library.
package struct ProcessLaunch: Sendable, Hashable {
  /// Differs from launch to launch.
  package var id: UUID
  /// A Boolean value that indicates whether the program is an extension of an app. Its launch is no launch of the app.
  package var isExtension: Bool
  /// The time at which the program was launched, or at which it first used the library.
  package var startedAt: Date

  package init(id: UUID = UUID(), isExtension: Bool = false, startedAt: Date = Date()) {
    self.id = id
    self.isExtension = isExtension
    self.startedAt = startedAt
  }

  /// The launch of this process.
  package static let current: ProcessLaunch = {
    #if os(Linux)
      ProcessLaunch()
    #else
      let declaration = Bundle.main.object(forInfoDictionaryKey: "NSExtension") as? [String: Any]
      return ProcessLaunch(
        isExtension: isExtension(
          bundlePath: Bundle.main.bundlePath, point: declaration?["NSExtensionPointIdentifier"] as? String))
    #endif
  }()

  /// Returns true if a bundle is that of an app extension.
  ///
  /// - Parameter point: The extension point that the bundle declares. A watch app in the older form is itself an extension: its
  ///   code is in the extension of `com.apple.watchkit`, and its launches are those of an app.
  static func isExtension(bundlePath: String, point: String?) -> Bool {
    bundlePath.hasSuffix(".appex") && point != "com.apple.watchkit"
  }

  /// Returns true if this process may remove the sources that the writer of an entry had to leave until the next launch of the
  /// app.
  package func isLaterLaunch(than writer: UUID?) -> Bool { !isExtension && writer != id }
}

/// The time of the launch of the program. The clock may be set back after the launch.
package final class LaunchTime: Sendable {
  /// The time by the clock as it was then.
  package let time: Date
  private let known = ContinuousClock.now
  private let earlier: Lock<Date>

  package init(_ time: Date) {
    self.time = time
    earlier = Lock(time)
  }

  /// Returns the time of the launch by the clock of now, if the clock was set back to before the launch. Other processes then
  /// write values that seem older than the launch.
  package func earliest(at now: Date) -> Date {
    guard now < time else { return earlier.withLock(\.self) }
    let age = Double((ContinuousClock.now - known) / .seconds(1))
    return earlier.withLock { earlier in
      earlier = min(earlier, now - age)
      return earlier
    }
  }
}
