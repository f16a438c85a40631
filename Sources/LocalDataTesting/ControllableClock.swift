public import Foundation
import LocalData
import LocalDataFoundation

/// A clock whose time changes only if a test changes it.
public final class ControllableClock: StorageClock {
  private let time: Lock<Date>

  /// Creates a clock with a time. The default is 2001-09-09 01:46:40 UTC.
  public init(_ now: Date = Date(timeIntervalSince1970: 1_000_000_000)) { time = Lock(now) }

  /// The time of the clock. A test may also set it to an earlier time.
  public var now: Date {
    get { time.withLock(\.self) }
    set { time.withLock { $0 = newValue } }
  }

  /// Advances the clock by a number of seconds. A negative number sets the clock back.
  public func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
}
