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
  /// A queue of Dispatch has as many threads as cores on Linux, and looks once a second whether they are blocked.
  ///
  /// `@unchecked Sendable`: every mutable property is used only while `condition` is locked.
  private final class BlockingThreads: @unchecked Sendable {
    private static let mostThreads = 64
    /// The seconds after which a thread without work ends.
    private static let rest: TimeInterval = 10

    private let condition = NSCondition()
    private var jobs: [@Sendable () -> Void] = []
    private var (threads, idle) = (0, 0)

    func async(execute job: @escaping @Sendable () -> Void) {
      condition.lock()
      defer { condition.unlock() }
      jobs.append(job)
      // Each waiting job has woken an idle thread, or waits for a busy one.
      if jobs.count <= idle {
        condition.signal()
      } else if threads < Self.mostThreads {
        threads += 1
        Thread.detachNewThread { [self] in work() }
      }
    }

    private func work() {
      while let job = next() { job() }
    }

    private func next() -> (@Sendable () -> Void)? {
      condition.lock()
      defer { condition.unlock() }
      let end = Date(timeIntervalSinceNow: Self.rest)
      idle += 1
      defer { idle -= 1 }
      while jobs.isEmpty {
        if !condition.wait(until: end), jobs.isEmpty {
          threads -= 1
          return nil
        }
      }
      return jobs.removeFirst()
    }
  }
#endif
