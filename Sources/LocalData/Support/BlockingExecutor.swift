import Dispatch

/// Runs work that may block for long, for example on a disk or a prompt, outside of Swift's cooperative threads, of which
/// there are only as many as cores.
package struct BlockingExecutor: Sendable {
  package static let shared = BlockingExecutor()

  private let queue = DispatchQueue(label: "LocalData.blocking", attributes: .concurrent)

  /// Returns the result of `body`, which runs on another thread.
  package func run<Result: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    // Continuations erase the type of an error: it travels as a value.
    let result: Swift.Result<Result, Failure> = await withCheckedContinuation { continuation in
      queue.async {
        do throws(Failure) { continuation.resume(returning: .success(try body())) } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }
}
