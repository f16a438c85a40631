import Dispatch

/// Runs what may block for long (a disk, a key derivation, a prompt) off Swift's cooperative threads, which are as few
/// as the cores.
package struct BlockingExecutor: Sendable {
  package static let shared = BlockingExecutor()

  private let queue = DispatchQueue(label: "LocalData.blocking", attributes: .concurrent)

  /// The result of `body`, which runs on a thread of its own.
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
