import Dispatch
import Foundation

/// A period in which the system does not suspend the process.
///
/// iOS and watchOS end an app with the code 0xdead10cc if it holds a file lock in the container of an app group when it is
/// suspended, because other processes would wait for the lock. Such a lock is therefore taken and released inside an
/// activity. The locks are held for milliseconds, which is far below the time that the system allows.
///
///     let activity = try ExpiringActivity.begin(until: deadline)
///     defer { activity?.end() }
final class ExpiringActivity: Sendable {
  /// Performs a block as `ProcessInfo.performExpiringActivity(withReason:using:)` does: on another thread, with `false` if
  /// the activity is granted, which it is until the block returns; with `true`, then or later, if the process is about to
  /// be suspended.
  typealias System = @Sendable (_ block: @escaping @Sendable (_ isExpired: Bool) -> Void) -> Void

  private enum Phase: Sendable {
    case requested, granted, expired, refused, ended
  }

  private let phase = Lock(Phase.requested)
  private let isAnswered = DispatchSemaphore(value: 0)
  private let isEnded = DispatchSemaphore(value: 0)

  private init() {}

  /// Begins an activity if this system suspends processes, and returns `nil` if it does not.
  ///
  /// - Throws: ``StorageFault/busy`` if the system is about to suspend the process.
  static func begin(until deadline: ContinuousClock.Instant) throws(StorageFault) -> ExpiringActivity? {
    #if os(iOS) || os(watchOS) || os(tvOS) || os(visionOS)
      try begin(until: deadline) { block in
        ProcessInfo.processInfo.performExpiringActivity(withReason: "LocalData holds a file lock", using: block)
      }
    #else
      nil
    #endif
  }

  /// Begins an activity of `system`. Throws ``StorageFault/busy`` if it is refused, or not granted before the deadline.
  static func begin(
    until deadline: ContinuousClock.Instant, _ system: System
  ) throws(StorageFault) -> ExpiringActivity {
    let activity = ExpiringActivity()
    system { isExpired in isExpired ? activity.expire() : activity.grant() }
    // The answer comes from another thread: a caller who does not wait for a lock waits for that.
    let start = ContinuousClock.now
    _ = activity.isAnswered.wait(timeout: DispatchTime(max(deadline, start + .seconds(1))))
    CallDeadline.noteWait(since: start)
    guard activity.phase.withLock({ $0 == .granted }) else {
      activity.end()
      throw .busy
    }
    return activity
  }

  /// A Boolean value that indicates whether the process is about to be suspended.
  var isExpired: Bool { phase.withLock { $0 == .expired } }

  /// Ends the activity. Every lock was released before.
  func end() {
    phase.withLock { $0 = .ended }
    isEnded.signal()
  }

  private func grant() {
    let isGranted = phase.withLock { phase in
      if phase == .requested { phase = .granted }
      return phase == .granted
    }
    guard isGranted else { return }
    isAnswered.signal()
    waitForEnd()
  }

  /// The system waits for this to return before it suspends the process.
  private func expire() {
    let isRunning = phase.withLock { phase in
      phase = phase == .requested ? .refused : phase == .granted ? .expired : phase
      return phase == .expired
    }
    isAnswered.signal()
    if isRunning { waitForEnd() }
  }

  /// Both calls of the system's block may wait: each passes the signal on.
  private func waitForEnd() {
    isEnded.wait()
    isEnded.signal()
  }
}
