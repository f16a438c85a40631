import Foundation

/// Runs a body on new threads that begin together, and waits for all of them.
///
/// Dispatch would give a busy machine's test one thread, one after another, and no race would ever be seen.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (_ thread: Int) -> Void) {
  let (ready, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  let go = DispatchSemaphore(value: 0)
  for thread in 0..<count {
    Thread.detachNewThread {
      ready.signal()
      go.wait()
      body(thread)
      done.signal()
    }
  }
  for _ in 0..<count { ready.wait() }
  for _ in 0..<count { go.signal() }
  for _ in 0..<count { done.wait() }
}
