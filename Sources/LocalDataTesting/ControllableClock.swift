package import Foundation
import LocalData

/// A clock that stands until a test moves it.
///
/// `@unchecked Sendable`: `time` is touched with `lock` held alone.
package final class ControllableClock: StorageClock, @unchecked Sendable {
  private let lock = NSLock()
  private var time: Date

  package init(_ now: Date = Date(timeIntervalSince1970: 1_000_000_000)) { time = now }

  package var now: Date {
    get { lock.withLock { time } }
    set { lock.withLock { time = newValue } }
  }

  package func advance(by seconds: TimeInterval) { lock.withLock { time += seconds } }
}
