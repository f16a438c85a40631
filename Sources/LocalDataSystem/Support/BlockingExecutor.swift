import Dispatch
import LocalDataFoundation

/// Runs work that may block for long, for example on a disk or a prompt, outside of Swift's cooperative threads, of which
/// there are only as many as cores.
package struct BlockingExecutor: Sendable {
  package static let shared = BlockingExecutor()

  #if canImport(Darwin)
    private let threads = LimitedThreads()
  #else
    private let threads: BlockingThreads

    init(threads: BlockingThreads = BlockingThreads()) { self.threads = threads }
  #endif

  /// Returns the result of `body`, which runs on another thread with the deadline of the current call.
  package func run<Result: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let deadline = CallDeadline.current
    // Continuations erase the type of an error: it travels as a value.
    let result: Swift.Result<Result, Failure> = await withCheckedContinuation { continuation in
      let job = { @Sendable in
        do throws(Failure) {
          continuation.resume(returning: .success(try CallDeadline.bound(deadline, body)))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
      #if canImport(Darwin)
        threads.run(job)
      #else
        // Without any other thread, the caller would wait only for itself.
        if !threads.take(job) { job() }
      #endif
    }
    return try result.get()
  }

  /// Runs `job` on another thread, and does not wait for it. If there is no thread now, a later one runs it.
  package func start(_ job: @escaping @Sendable () -> Void) {
    #if canImport(Darwin)
      threads.run(job)
    #else
      if !threads.take(job) { threads.keep(job) }
    #endif
  }
}

#if canImport(Darwin)
  /// Threads of Dispatch, which adds one when one of them blocks. A job waits for a thread if as many run as are allowed.
  ///
  /// Dispatch has 64 such threads for the whole process. The block of the ``ExpiringActivity`` needs one of them. If jobs that
  /// wait for the activity, and for the lock that it is begun for, had all of them, none would end before its deadline.
  package final class LimitedThreads: Sendable {
    package typealias Job = @Sendable () -> Void

    private struct State: Sendable {
      var waiting: [Job] = []
      var running = 0
    }

    private static let queue = DispatchQueue(label: "LocalData.blocking", attributes: .concurrent)

    private let limit: Int
    private let start: @Sendable (@escaping Job) -> Void
    private let state = Lock(State())

    /// - Parameters:
    ///   - limit: The most jobs at a time: half of the threads, since the app and the activity need some.
    ///   - start: Runs a job on another thread.
    package init(limit: Int = 32, start: @escaping @Sendable (@escaping Job) -> Void = LimitedThreads.start) {
      self.limit = limit
      self.start = start
    }

    @Sendable package static func start(_ job: @escaping Job) { queue.async(execute: job) }

    package func run(_ job: @escaping Job) {
      let mayStart = state.withLock { [limit] state in
        if state.running == limit {
          state.waiting.append(job)
          return false
        }
        state.running += 1
        return true
      }
      if mayStart { begin(job) }
    }

    private func begin(_ job: @escaping Job) {
      start { [self] in
        job()
        if let next = nextJob() { begin(next) }
      }
    }

    private func nextJob() -> Job? {
      state.withLock { state in
        if !state.waiting.isEmpty { return state.waiting.removeFirst() }
        state.running -= 1
        return nil
      }
    }
  }
#else
  /// Threads for work that blocks. A job waits for a thread only if all of them are busy.
  ///
  /// A queue of Dispatch has as many threads as cores on Linux, and looks once a second whether they are blocked. A thread of
  /// Foundation sets up more than is needed here, which takes time at the launch of an app.
  final class BlockingThreads: Sendable {
    typealias Job = @Sendable () -> Void
    /// Runs a job on a new thread. Returns false if the process cannot create more threads.
    typealias ThreadStart = @Sendable (@escaping Job) -> Bool

    private struct State: Sendable {
      var jobs: [Job] = []
      /// The number of threads, including those that are being started.
      var threads = 0
      var starting = 0
      var idle = 0

      /// Adds a job for a thread that was started. Returns true if an idle one must be woken.
      mutating func add(_ job: @escaping Job) -> Bool {
        jobs.append(job)
        // Each waiting job has woken an idle thread, or waits for a busy one.
        return jobs.count <= idle
      }

      /// Returns the next job for an idle thread, or `nil` if there is none: then the thread ends if its rest is over.
      mutating func jobForIdle(isOver: Bool) -> Job? {
        guard jobs.isEmpty else {
          idle -= 1
          return jobs.removeFirst()
        }
        if isOver {
          threads = threads - 1
          idle = idle - 1
        }
        return nil
      }
    }

    private static let mostThreads = 64
    /// The seconds after which a thread without work ends.
    private static let rest = 10.0

    private let state = Lock(State())
    /// Signalled for each job that an idle thread is to take.
    private let isNeeded = DispatchSemaphore(value: 0)
    private let startThread: ThreadStart
    private let process = getpid()

    init(startThread: @escaping ThreadStart = BlockingThreads.startThread) { self.startThread = startThread }

    /// Runs a job on an idle thread, on a new one, or on the first that has no other work. Returns false, and does not run it,
    /// if there is no thread and none can be created, and in a process that was forked: it has none of the threads.
    func take(_ job: @escaping Job) -> Bool {
      guard getpid() == process else { return false }
      let (isNew, wakes) = state.withLock { state in
        if state.jobs.count >= state.idle, state.threads < Self.mostThreads {
          state.threads += 1
          state.starting += 1
          return (true, false)
        }
        return (false, state.add(job))
      }
      if wakes { isNeeded.signal() }
      guard isNew else { return true }
      // The thread must not keep it: what it has captured, for example an open file, would stay until the thread ends.
      let first = Lock<Job?>(job)
      let isStarted = startThread { [self] in work(first) }
      let (isTaken, wakesNow) = state.withLock { state in
        state.starting -= 1
        if isStarted { return (true, false) }
        state.threads -= 1
        guard state.threads > state.starting else { return (false, false) }
        return (true, state.add(job))
      }
      if wakesNow { isNeeded.signal() }
      return isTaken
    }

    /// Keeps a job for the next thread that is started.
    func keep(_ job: @escaping Job) {
      if state.withLock({ $0.add(job) }) { isNeeded.signal() }
    }

    private static func startThread(_ job: @escaping Job) -> Bool {
      final class Start {
        let job: Job
        init(_ job: @escaping Job) { self.job = job }
      }
      var thread = pthread_t()
      let start = Unmanaged.passRetained(Start(job))
      let code = pthread_create(
        &thread, nil,
        { start in
          if let start { Unmanaged<Start>.fromOpaque(start).takeRetainedValue().job() }
          return nil
        }, start.toOpaque())
      guard code == 0 else {
        start.release()
        return false
      }
      pthread_detach(thread)
      return true
    }

    private func nextJob() -> Job? { state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() } }

    private func work(_ first: Lock<Job?>) {
      while let job = first.withLock({ $0.take() }) ?? nextJob() ?? jobAfterRest() { job() }
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
