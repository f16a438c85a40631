package import Dispatch
import LocalDataFoundation

/// The time at which all waits of a call end: for its turn, a lock, or another process.
///
/// The deadline of a call is bound as a task-local value. Code that blocks on another thread binds it there too. A task that
/// the app begins within a call inherits the value, and no longer uses it when the call has ended.
///
///     let deadline = CallDeadline(patience: .seconds(60))
///     try await deadline.bound { try await work() }    // waits end after 60 s, those of .seconds(2) after 2 s
package struct CallDeadline: Sendable {
  /// The time that is compared with the patience.
  package enum Measure: Sendable {
    /// The whole time since the beginning of the call.
    case callTime
    /// The waits of the call together. The time in which it works does not count.
    case waits
    /// The time of one wait. A long call can have any number of waits.
    case eachWait
  }

  /// The patience of a wait that belongs to no call.
  package static let ordinaryPatience: Duration = .seconds(10)

  private struct State: Sendable {
    /// The beginning of the call; `nil` if the time since then does not count.
    var start: ContinuousClock.Instant?
    var waited = Duration.zero
    var isOver = false
  }

  @TaskLocal private static var inherited: CallDeadline?

  private let patience: Duration
  private let measure: Measure
  private let state: Lock<State>

  package init(patience: Duration, of measure: Measure = .callTime) {
    self.patience = patience
    self.measure = measure
    state = Lock(State(start: measure == .callTime ? .now : nil))
  }

  /// The deadline of the current call, or `nil` if there is no call.
  package static var current: CallDeadline? {
    guard let inherited, !inherited.state.withLock(\.isOver) else { return nil }
    return inherited
  }

  /// The end of a wait that begins now.
  var instant: ContinuousClock.Instant {
    let state = state.withLock(\.self)
    let now = ContinuousClock.now
    return switch measure {
    case .callTime: (state.start ?? now) + patience
    case .waits: now + max(patience - state.waited, .zero)
    case .eachWait: now + patience
    }
  }

  /// The time for which the call has waited.
  package var waited: Duration { state.withLock(\.waited) }

  /// Starts again after code of the app or a prompt has taken time, because that time does not count.
  package func renew() { state.withLock { $0.start = $0.start == nil ? nil : .now } }

  /// Records that the current call has waited from `start` until now.
  package static func noteWait(since start: ContinuousClock.Instant) {
    guard let current else { return }
    let waited = ContinuousClock.now - start
    current.state.withLock { $0.waited += waited }
  }

  private func end() { state.withLock { $0.isOver = true } }

  /// Returns the end of a wait that begins now: the deadline of the current call, or after `patience` if there is no call. A
  /// shorter patience than the ordinary one also ends the wait of a call.
  package static func end(of patience: Duration) -> ContinuousClock.Instant { endOfWait(of: patience) ?? .now }

  /// Returns the end of a wait that begins now, as ``end(of:)`` does, or `nil` if the current call must not wait.
  package static func endOfWait(of patience: Duration) -> ContinuousClock.Instant? {
    if mustNotWait { return nil }
    guard let current else { return .now + patience }
    return patience < ordinaryPatience ? min(current.instant, .now + patience) : current.instant
  }

  // MARK: Calls that must not wait

  /// Marks the threads that must not wait. Unlike a task-local value, a mark takes no memory, and no task inherits it.
  private static let unwaitingThreads = ThreadMark()

  /// A Boolean value that indicates whether the current call must not wait.
  package static var mustNotWait: Bool { unwaitingThreads.isSet }

  /// Throws ``StorageProblem/busy`` in a call that must not wait. Called before a wait that has no deadline, for example for a
  /// disk or a prompt.
  package static func requireWaiting() throws(StorageProblem) {
    if mustNotWait { throw .busy }
  }

  /// Runs `body` on the current thread as a call that must not wait. Where it would have to wait for a lock, a disk, a prompt,
  /// another thread or another process, it does nothing and throws ``StorageProblem/busy``.
  package static func withoutWaiting<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let mark = unwaitingThreads
    let wasSet = mark.isSet
    mark.isSet = true
    defer { mark.isSet = wasSet }
    return try body()
  }

  /// Runs `body` as a call with this deadline.
  package func bound<Result, Failure: Error>(
    _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    defer { end() }
    // The binding erases the type of an error: it travels as a value.
    let result = await Self.$inherited.withValue(self) { () async -> Swift.Result<Result, Failure> in
      do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Runs `body` on the current thread as a part of the current call, or as a call with a new deadline. The deadline is also
  /// new if the current call must not wait: code of the app, such as a decoder, may wait within it.
  package static func bound<Result, Failure: Error>(
    patience: Duration, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if mustNotWait {
      let mark = unwaitingThreads
      mark.isSet = false
      defer { mark.isSet = true }
      return try bound(patience: patience, body)
    }
    if current != nil { return try body() }
    let deadline = CallDeadline(patience: patience)
    defer { deadline.end() }
    return try bound(deadline, body)
  }

  /// Runs `body` on the current thread with a deadline, which a thread of another executor does not inherit.
  static func bound<Result, Failure: Error>(
    _ deadline: CallDeadline?, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let deadline else { return try body() }
    let result = $inherited.withValue(deadline) { () -> Swift.Result<Result, Failure> in
      do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
    }
    return try result.get()
  }
}

/// A Boolean value that each thread has for itself. It is false in a new thread.
struct ThreadMark: Sendable {
  /// `nil` if the process has no key left. Then no thread is marked, and a call waits on the thread where it is made.
  private let key: pthread_key_t?

  init() {
    var key = pthread_key_t()
    self.key = pthread_key_create(&key, nil) == 0 ? key : nil
  }

  /// The value of the current thread.
  var isSet: Bool {
    get { key.map { pthread_getspecific($0) != nil } ?? false }
    nonmutating set {
      if let key { pthread_setspecific(key, newValue ? UnsafeRawPointer(bitPattern: 1) : nil) }
    }
  }
}

extension DispatchTime {
  /// The time of a clock that also counts while the system sleeps, as a time to wait for.
  package init(_ instant: ContinuousClock.Instant) {
    let rest = max(instant - ContinuousClock.now, .zero).components
    // A century is far enough, and can be counted in nanoseconds.
    let seconds = min(rest.seconds, 100 * 366 * 86_400)
    // Where Int has 32 bits, it holds two seconds of nanoseconds.
    self = .now() + .seconds(Int(clamping: seconds)) + .nanoseconds(Int(rest.attoseconds / 1_000_000_000))
  }
}
