import Foundation

/// Runs a closure on new threads that start together, and waits for all of them.
///
/// On a busy machine, Dispatch would run the closures one after another on one thread, and a test would never find a race.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (_ thread: Int) -> Void) {
  let ready = DispatchSemaphore(value: 0)
  let done = DispatchSemaphore(value: 0)
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
