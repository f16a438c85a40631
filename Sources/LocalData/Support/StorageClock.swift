package import Foundation

/// What tells the time of writing, so that tests can set it.
package protocol StorageClock: Sendable {
  var now: Date { get }
}

/// The system's clock.
package struct SystemClock: StorageClock {
  package init() {}

  package var now: Date { Date() }
}
