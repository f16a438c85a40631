/// The time at which a call stops waiting, whatever it waits for: its turn, a lock, another process.
///
/// The deadline of a call is bound as a task-local value. Code that blocks on another thread binds it there too.
///
///     let deadline = CallDeadline(patience: .seconds(10))
///     try await deadline.bound { try await work() }    // waits end with CallDeadline.end(of: .seconds(60)) after 10 s
struct CallDeadline: Sendable {
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

  /// Returns the end of a wait that begins now: after `patience`, or at the deadline of the current call if that is earlier.
  static func end(of patience: Duration) -> ContinuousClock.Instant {
    let end = ContinuousClock.now + patience
    return current.map { min($0.instant, end) } ?? end
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
