import LocalDataFoundation
@testable import LocalDataSystem
#if os(Linux)
  import Dispatch
  import Foundation
  import Testing

  /// The threads for work that blocks, in a process to which the system gives none or few.
  @Suite(.findsHangs) struct BlockingThreadsTests {
    /// The threads that the system still gives, and how often it was asked.
    private final class System: Sendable {
      let left: Lock<Int>
      let asked = Lock(0)

      init(_ left: Int) { self.left = Lock(left) }

      func start(_ job: @escaping BlockingThreads.Job) -> Bool {
        asked.withLock { $0 += 1 }
        let isGiven = left.withLock { left in
          left -= 1
          return left >= 0
        }
        if isGiven { Thread.detachNewThread(job) }
        return isGiven
      }

      var executor: BlockingExecutor { BlockingExecutor(threads: BlockingThreads(startThread: start)) }
    }

    @Test func withoutAThreadTheCallerRunsItsJobs() async throws {
      let system = System(0)
      let executor = system.executor
      for number in 0..<3 {
        #expect(await executor.run { number } == number)
        await #expect(throws: StorageProblem.busy) {
          try await executor.run { () throws(StorageProblem) in throw .busy }
        }
      }
      #expect(system.asked.withLock { $0 } == 6)
    }

    /// A job may use the threads itself: no lock is held while the caller runs it.
    @Test func aJobOfTheCallerStartsOthers() async {
      let executor = System(0).executor
      let hasRun = Lock(false)
      await executor.run { executor.start { hasRun.withLock { $0 = true } } }
      #expect(!hasRun.withLock { $0 })
    }

    @Test func manyCallersWithoutAThread() async {
      let executor = System(0).executor
      let sum = await withTaskGroup(of: Int.self) { group in
        for number in 1...1_000 { group.addTask { await executor.run { number } } }
        return await group.reduce(0, +)
      }
      #expect(sum == 500_500)
    }

    /// The caller may hold what the job waits for. It runs when there is a thread again.
    @Test func aJobThatNobodyAwaitsWaitsForAThread() async {
      let system = System(0)
      let (executor, numbers) = (system.executor, Lock([Int]()))
      for number in 1...3 { executor.start { numbers.withLock { $0.append(number) } } }
      #expect(await executor.run { numbers.withLock { $0 } } == [])
      system.left.withLock { $0 = 1 }
      await executor.run {}
      // The one thread runs them before this job.
      #expect(await executor.run { numbers.withLock { $0 } } == [1, 2, 3])
    }

    /// The thread of the caller is not blocked if another one can take the job.
    @Test func aBusyThreadTakesTheJobsOfOthers() async throws {
      let system = System(1)
      let (executor, isOver, busy) = (system.executor, DispatchSemaphore(value: 0), Lock<pthread_t?>(nil))
      executor.start {
        busy.withLock { $0 = pthread_self() }
        isOver.wait()
      }
      async let thread = executor.run { pthread_self() }
      while system.asked.withLock({ $0 }) < 2 { try await Task.sleep(for: .milliseconds(1)) }
      isOver.signal()
      let found = await thread
      #expect(found == busy.withLock { $0 })
    }

    /// The open files of a router that jobs have used.
    private final class Files: Sendable {
      let areClosed: Lock<Bool>
      init(_ areClosed: Lock<Bool>) { self.areClosed = areClosed }
      deinit { areClosed.withLock { $0 = true } }
    }

    /// The files of a released router are closed, also if the thread that has opened them goes on.
    @Test func threadKeepsNoFinishedJob() async throws {
      let (system, areClosed, isOver) = (System(1), Lock(false), DispatchSemaphore(value: 0))
      let executor = system.executor
      func open(_ files: Files) {
        executor.start { withExtendedLifetime(files) { isOver.wait() } }
      }
      open(Files(areClosed))
      async let areClosedNext = executor.run { areClosed.withLock { $0 } }
      while system.asked.withLock({ $0 }) < 2 { try await Task.sleep(for: .milliseconds(1)) }
      isOver.signal()
      #expect(await areClosedNext)
    }
  }
#endif
