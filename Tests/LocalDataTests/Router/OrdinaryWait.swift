import LocalDataFoundation
import TestSupport

@testable import LocalData

/// The time that a wait lasts which belongs to no call, beside a call that waits for less.
///
///     let wait = OrdinaryWait()
///     let call = Task { try await wait.ends { try await router.set(1, for: key) } }
///     try await wait.isAlmostOver()    // Then the test lets the call go on. It has failed before.
final class OrdinaryWait: Sendable {
  private let isOver = Lock(false)

  /// Runs a call that ends before.
  func ends<Result>(_ call: () async throws -> Result) async rethrows -> Result {
    defer { isOver.withLock { $0 = true } }
    return try await call()
  }

  /// Waits until the call has ended, or a wait that belongs to no call would end soon.
  func isAlmostOver() async throws {
    for _ in 0..<80 where !isOver.withLock(\.self) { try await Task.sleep(for: CallDeadline.ordinaryPatience / 100) }
  }
}
