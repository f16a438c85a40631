public import Foundation
import LocalData

/// A clock that shows the same time until a test moves it.
public final class ControllableClock: StorageClock {
  private let time: Lock<Date>

  /// Creates a clock that shows a time. The default is 2001-09-09 01:46:40 UTC.
  public init(_ now: Date = Date(timeIntervalSince1970: 1_000_000_000)) { time = Lock(now) }

  /// The time that the clock shows. A test may set it, also to an earlier time.
  public var now: Date {
    get { time.withLock(\.self) }
    set { time.withLock { $0 = newValue } }
  }

  /// Moves the clock by a number of seconds, which is negative if the clock is set back.
  public func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
}
