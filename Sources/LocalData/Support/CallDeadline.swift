/// The time at which a call stops waiting, whatever it waits for: its turn, a lock, another process.
///
/// The deadline of a call is bound as a task-local value. Code that blocks on another thread binds it there too.
///
///     let deadline = CallDeadline(patience: .seconds(60))
///     try await deadline.bound { try await work() }    // waits end after 60 s, those of .seconds(2) after 2 s
struct CallDeadline: Sendable {
  /// The patience of a wait that belongs to no call.
  static let ordinaryPatience: Duration = .seconds(10)

  @TaskLocal static var current: CallDeadline?

  private let patience: Duration
  private let time: Lock<ContinuousClock.Instant>

  init(patience: Duration) {
    self.patience = patience
    time = Lock(ContinuousClock.now + patience)
  }

  var instant: ContinuousClock.Instant { time.withLock { $0 } }

  /// Begins again, after code of the app or a question to the user took its time. That was no waiting.
  func renew() {
    let patience = patience
    time.withLock { $0 = ContinuousClock.now + patience }
  }

  /// Returns the end of a wait that begins now: the deadline of the current call, or after `patience` if there is no call. A
  /// shorter patience than the ordinary one also ends the wait of a call.
  static func end(of patience: Duration) -> ContinuousClock.Instant {
    let end = ContinuousClock.now + patience
    guard let current else { return end }
    return patience < ordinaryPatience ? min(current.instant, end) : current.instant
  }

  /// Runs `body` with this deadline.
  func bound<Result, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    // The binding erases the type of an error: it travels as a value.
    let result = await Self.$current.withValue(self) { () async -> Swift.Result<Result, Failure> in
      do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Runs `body` on the current thread with a deadline, which a thread of another executor does not inherit.
  static func bound<Result, Failure: Error>(
    _ deadline: CallDeadline?, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let deadline else { return try body() }
    let result = $current.withValue(deadline) { () -> Swift.Result<Result, Failure> in
      do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
