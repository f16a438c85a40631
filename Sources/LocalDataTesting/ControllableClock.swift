public import Foundation
import LocalData

/// A clock that stands until a test moves it.
///
/// `@unchecked Sendable`: `time` is touched with `lock` held alone.
public final class ControllableClock: StorageClock, @unchecked Sendable {
  private let lock = NSLock()
  private var time: Date

  /// Creates a clock that shows a time. The default is 2001-09-09 01:46:40 UTC.
  public init(_ now: Date = Date(timeIntervalSince1970: 1_000_000_000)) { time = now }

  /// The time that the clock shows. A test may set it, also to an earlier time.
  public var now: Date {
    get { lock.withLock { time } }
    set { lock.withLock { time = newValue } }
  }

  /// Moves the clock by a number of seconds, which is negative if the clock is set back.
  public func advance(by seconds: TimeInterval) { lock.withLock { time += seconds } }
}
