import Dispatch
import Foundation

/// Runs work that may block for long, for example on a disk or a prompt, outside of Swift's cooperative threads, of which
/// there are only as many as cores.
package struct BlockingExecutor: Sendable {
  package static let shared = BlockingExecutor()

  #if canImport(Darwin)
    // The kernel adds a thread when one of them blocks.
    private let threads = DispatchQueue(label: "LocalData.blocking", attributes: .concurrent)
  #else
    private let threads = BlockingThreads()
  #endif

  /// Returns the result of `body`, which runs on another thread with the deadline of the current call.
  package func run<Result: Sendable, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, _ body: @escaping @Sendable () throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let deadline = CallDeadline.current
    // Continuations erase the type of an error: it travels as a value.
    let result: Swift.Result<Result, Failure> = await withCheckedContinuation { continuation in
      start {
        do throws(Failure) {
          continuation.resume(returning: .success(try CallDeadline.bound(deadline, body)))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }

  /// Runs `job` on another thread, and does not wait for it.
  func start(_ job: @escaping @Sendable () -> Void) { threads.async(execute: job) }
}

#if !canImport(Darwin)
  /// Threads for work that blocks. A job waits for a thread only if all of them are busy.
  ///
  /// A queue of Dispatch has as many threads as cores on Linux, and looks once a second whether they are blocked. A thread of
  /// Foundation sets up more than is needed here, which takes time at the launch of an app.
  private final class BlockingThreads: Sendable {
    private typealias Job = @Sendable () -> Void

    private struct State: Sendable {
      var jobs: [Job] = []
      var (threads, idle) = (0, 0)

      /// Returns the next job for an idle thread, or `nil` if there is none: then the thread ends if its rest is over.
      mutating func jobForIdle(isOver: Bool) -> Job? {
        guard jobs.isEmpty else {
          idle -= 1
          return jobs.removeFirst()
        }
        if isOver { (threads, idle) = (threads - 1, idle - 1) }
        return nil
      }
    }

    private static let mostThreads = 64
    /// The seconds after which a thread without work ends.
    private static let rest = 10.0

    private let state = Lock(State())
    /// Signalled for each job that an idle thread is to take.
    private let isNeeded = DispatchSemaphore(value: 0)

    func async(execute job: @escaping @Sendable () -> Void) {
      let (isNew, wakes) = state.withLock { state in
        state.jobs.append(job)
        // Each waiting job has woken an idle thread, or waits for a busy one.
        if state.jobs.count <= state.idle { return (false, true) }
        guard state.threads < Self.mostThreads else { return (false, false) }
        state.threads += 1
        return (true, false)
      }
      if wakes { isNeeded.signal() }
      if isNew, !startThread() { endThread() }
    }

    private func startThread() -> Bool {
      var thread = pthread_t()
      let pool = Unmanaged.passRetained(self)
      let code = pthread_create(
        &thread, nil,
        { pool in
          if let pool { Unmanaged<BlockingThreads>.fromOpaque(pool).takeRetainedValue().work() }
          return nil
        }, pool.toOpaque())
      guard code == 0 else {
        pool.release()
        return false
      }
      pthread_detach(thread)
      return true
    }
    /// Ends a thread that could not be started, because the system gives the process no more. A busy one takes the job then,
    /// or if there is none, one of Dispatch.
    private func endThread() {
      let isLast = state.withLock { state in
        state.threads -= 1
        return state.threads == 0
      }
      guard isLast else { return }
      DispatchQueue.global().async { [self] in while let job = nextJob() { job() } }
    }

    private func nextJob() -> Job? { state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() } }

    private func work() {
      while let job = nextJob() ?? jobAfterRest() { job() }
    }

    /// Waits for a job. Returns `nil` if none has come, and the thread ends.
    private func jobAfterRest() -> Job? {
      let end = DispatchTime.now() + Self.rest
      var isOver = false
      state.withLock { $0.idle += 1 }
      while true {
        // Also before the wait: a job may have come since the last look.
        let job = state.withLock { [isOver] in $0.jobForIdle(isOver: isOver) }
        if job != nil || isOver { return job }
        isOver = isNeeded.wait(timeout: end) == .timedOut
      }
    }
  }
#endif
