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
  /// A queue of Dispatch has as many threads as cores on Linux, and looks once a second whether they are blocked. Threads of
  /// Foundation take several times as long to start as those of the system.
  ///
  /// `@unchecked Sendable`: every mutable property is used only while `mutex` is locked.
  private final class BlockingThreads: @unchecked Sendable {
    private static let mostThreads = 64
    /// The seconds after which a thread without work ends.
    private static let rest = 10

    // On the heap: their addresses must not change. They are never freed, because this object is never released.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let isNeeded = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs: [@Sendable () -> Void] = []
    private var (threads, idle) = (0, 0)

    init() {
      mutex.initialize(to: pthread_mutex_t())
      isNeeded.initialize(to: pthread_cond_t())
      pthread_mutex_init(mutex, nil)
      var attributes = pthread_condattr_t()
      pthread_condattr_init(&attributes)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      pthread_cond_init(isNeeded, &attributes)
      pthread_condattr_destroy(&attributes)
    }

    func async(execute job: @escaping @Sendable () -> Void) {
      // The system may give the process no more threads. A busy one takes the job then, or if there is none, one of Dispatch.
      if !add(job) { DispatchQueue.global().async { self.workWithoutRest() } }
    }

    /// Adds a job, and returns false if there is no thread for it.
    private func add(_ job: @escaping @Sendable () -> Void) -> Bool {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      jobs.append(job)
      // Each waiting job has woken an idle thread, or waits for a busy one.
      if jobs.count <= idle {
        pthread_cond_signal(isNeeded)
      } else if threads < Self.mostThreads, startThread() {
        threads += 1
      }
      return threads > 0
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

    private func workWithoutRest() {
      while let job = firstJob() { job() }
    }

    private func firstJob() -> (@Sendable () -> Void)? {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return jobs.isEmpty ? nil : jobs.removeFirst()
    }

    private func work() {
      while let job = next() { job() }
    }

    private func next() -> (@Sendable () -> Void)? {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      var end = timespec()
      clock_gettime(CLOCK_MONOTONIC, &end)
      end.tv_sec += Self.rest
      idle += 1
      defer { idle -= 1 }
      while jobs.isEmpty {
        if pthread_cond_timedwait(isNeeded, mutex, &end) != 0, jobs.isEmpty {
          threads -= 1
          return nil
        }
      }
      return jobs.removeFirst()
    }
  }
#endif
