import Foundation
import LocalData

/// Dispatch has 64 threads. The stand-in for it gives more.
func threadChecks(_ checks: Checks) {
  checks.check("threads: as many jobs as are allowed run at once, and all of them in the end") {
    let (lock, isOpen, isDone) = (NSLock(), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    nonisolated(unsafe) var (running, most) = (0, 0)
    let threads = LimitedThreads(limit: 3) { job in Thread.detachNewThread(job) }
    for _ in 0..<50 {
      threads.run {
        lock.withLock {
          running += 1
          most = max(most, running)
        }
        isOpen.wait()
        lock.withLock { running -= 1 }
        isDone.signal()
      }
    }
    // Threads that are not held back would start in this time.
    usleep(200_000)
    for _ in 0..<50 { isOpen.signal() }
    for _ in 0..<50 { try require(isDone.wait(timeout: .now() + 10) == .success, "a job did not run") }
    try expect(lock.withLock { most }, 3, "most jobs at a time")
  }
}
