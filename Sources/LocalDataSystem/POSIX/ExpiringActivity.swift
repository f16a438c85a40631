import Dispatch
import LocalDataFoundation

/// A period in which the system does not suspend the process.
///
/// iOS and watchOS end an app with the code 0xdead10cc if it holds a file lock in the container of an app group when it is
/// suspended, because other processes would wait for the lock. Such a lock is therefore taken and released inside an
/// activity. The locks are held for milliseconds, which is far below the time that the system allows.
///
/// An activity occupies a thread, so all locks of the process share one. It ends shortly after the last of them, because the
/// next lock often follows at once.
///
///     let activity = try ExpiringActivity.begin(until: deadline)
///     defer { activity?.end() }
package final class ExpiringActivity: Sendable {
  /// Performs a block as `ProcessInfo.performExpiringActivity(withReason:using:)` does: on another thread, with `false` if
  /// the activity is granted, which it is until the block returns; with `true`, then or later, if the process is about to
  /// be suspended.
  typealias System = @Sendable (_ block: @escaping @Sendable (_ isExpired: Bool) -> Void) -> Void

  private enum Phase: Sendable {
    case requested, granted, expired, refused, ended
  }

  private struct State: Sendable {
    var phase = Phase.requested
    var users = 1
    /// A Boolean value that indicates whether the activity has lost its last user, and ends soon if it gets no other.
    var isResting = false
  }

  private let state = Lock(State())
  private let isAnswered = DispatchSemaphore(value: 0)
  private let isEnded = DispatchSemaphore(value: 0)

  private init() {}

  /// The activity that the users of a system share. A process has one.
  struct Shared: Sendable {
    let system: System
    private let current = Lock<ExpiringActivity?>(nil)

    init(_ system: @escaping System) { self.system = system }

    /// Begins the activity, or joins it. Throws ``StorageProblem/busy`` if it is refused, or not granted before the deadline.
    func begin(until deadline: ContinuousClock.Instant) throws(StorageProblem) -> ExpiringActivity {
      let (activity, isNew) = current.withLock { current in
        if let current, current.join() { return (current, false) }
        let begun = ExpiringActivity()
        current = begun
        return (begun, true)
      }
      if isNew { system { isExpired in isExpired ? activity.expire() : activity.grant() } }
      try activity.waitForAnswer(until: deadline)
      return activity
    }
  }

  #if os(iOS) || os(watchOS) || os(visionOS)
    private static let ofProcess = Shared { block in
      ProcessInfo.processInfo.performExpiringActivity(withReason: "LocalData holds a file lock", using: block)
    }
  #endif

  /// Begins an activity if this system suspends processes, and returns `nil` if it does not.
  ///
  /// - Throws: ``StorageProblem/busy`` if the system is about to suspend the process.
  static func begin(until deadline: ContinuousClock.Instant) throws(StorageProblem) -> ExpiringActivity? {
    #if os(iOS) || os(watchOS) || os(visionOS)
      try ofProcess.begin(until: deadline)
    #else
      nil
    #endif
  }

  /// A Boolean value that indicates whether the process is about to be suspended.
  package var isExpired: Bool { state.withLock { $0.phase == .expired } }

  /// Ends the activity for one user, who has released every lock.
  func end() {
    let rests = state.withLock { state in
      state.users -= 1
      guard state.users == 0 else { return false }
      guard state.phase == .granted else {
        state.phase = .ended
        return false
      }
      defer { state.isResting = true }
      return !state.isResting
    }
    guard rests else { return signalEnd() }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.rest) { self.endWithoutUser() }
  }

  /// The time for which an activity without a user goes on.
  private static let rest = DispatchTimeInterval.milliseconds(50)

  private func endWithoutUser() {
    state.withLock { state in
      state.isResting = false
      if state.users == 0 { state.phase = .ended }
    }
    signalEnd()
  }

  private func signalEnd() { if state.withLock({ $0.phase == .ended }) { isEnded.signal() } }

  // MARK: The system's answer

  /// Adds a user, if the activity can still be used.
  private func join() -> Bool {
    state.withLock { state in
      guard state.phase == .requested || state.phase == .granted else { return false }
      state.users += 1
      return true
    }
  }

  /// The answer comes from another thread: a caller who does not wait for a lock waits for that.
  private func waitForAnswer(until deadline: ContinuousClock.Instant) throws(StorageProblem) {
    let start = ContinuousClock.now
    if isAnswered.wait(timeout: DispatchTime(max(deadline, start + .seconds(1)))) == .success { isAnswered.signal() }
    CallDeadline.noteWait(since: start)
    guard state.withLock({ $0.phase == .granted }) else {
      end()
      throw .busy
    }
  }

  private func grant() {
    let isGranted = state.withLock { state in
      if state.phase == .requested { state.phase = .granted }
      return state.phase == .granted
    }
    guard isGranted else { return }
    isAnswered.signal()
    waitForEnd()
  }

  /// The system waits for this to return before it suspends the process.
  private func expire() {
    let isRunning = state.withLock { state in
      switch state.phase {
      case .requested: state.phase = .refused
      case .granted: state.phase = state.users == 0 ? .ended : .expired
      case .expired, .refused, .ended: break
      }
      return state.phase == .expired
    }
    isAnswered.signal()
    if isRunning { waitForEnd() } else { signalEnd() }
  }

  /// Both calls of the system's block may wait: each passes the signal on.
  private func waitForEnd() {
    isEnded.wait()
    isEnded.signal()
  }
}
