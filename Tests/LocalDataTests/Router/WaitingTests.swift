#if os(Linux)
  import LocalDataFoundation
  import Foundation
  import RuntimeTestSupport
  import LocalDataVocabulary
  import TestSupport
  import Testing

  @testable import LocalData

  private enum CountingSerializer: CustomSerializer {
    static let name = "counting"
    static let count = Lock(0)

    static func encode(_ value: Int) throws -> Data {
      count.withLock { $0 += 1 }
      return Data(String(value).utf8)
    }

    static func decode(_ data: Data) throws -> Int { Int(String(decoding: data, as: UTF8.self)) ?? 0 }
  }

  /// A serializer that waits until it may end.
  private enum WaitingSerializer: CustomSerializer {
    static let name = "waiting"
    static let (hasBegun, begin) = AsyncStream<Void>.makeStream()
    static let mayEnd = DispatchSemaphore(value: 0)

    static func encode(_ value: Int) throws -> Data {
      begin.finish()
      mayEnd.wait()
      return Data()
    }

    static func decode(_ data: Data) throws -> Int { 0 }
  }

  /// Tests of what calls wait for, and for how long.
  ///
  /// A time limit ends a wait that has no bound. It is far longer than the calls, because all tests begin at once.
  @Suite(.serialized, .findsHangs) struct WaitingTests {
    private let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    private func router(timeout: Duration) -> StorageRouter {
      StorageRouter(
        configuration: StorageConfiguration(
          applicationName: "Test", roots: StorageRoots(below: fixture.folder), timeout: timeout))
    }

    private func number(_ name: String, _ domain: StorageDomain = .userDefaults()) -> StorageKey<Int> {
      StorageKey<Int>(
        name: name, domain: domain, security: .none, default: 0, owner: "Tests", description: "A number.")
    }

    /// Another program's transaction on the database of the standard suite.
    private func outsideTransaction() throws -> SQLiteConnection {
      let connection = try SQLiteConnection(
        path: fixture.path("data/preferences/standard.db"), isDurable: false, until: nil)
      try connection.run("BEGIN IMMEDIATE")
      return connection
    }

    /// They wait as long as the configuration says, and not as long as SQLite would.
    @Test func changesWithoutATurnWaitForTheTimeout() async throws {
      let (router, wait) = (router(timeout: .seconds(1)), OrdinaryWait())
      try await router.set(1, for: number("n"))
      let outside = try outsideTransaction()
      let plain = Task {
        try await BlockingExecutor.shared.run { () throws(StorageError) in try router.setValue(2, for: number("a")) }
      }
      let together = Task { try await router.transaction { try await $0.set(3, for: number("b")) } }
      let both = Task { await wait.ends { (await plain.result, await together.result) } }
      try await wait.isAlmostOver()
      try outside.run("COMMIT")
      _ = await both.value
      await #expect(throws: StorageError(.busy, .init(key: "a", domain: .userDefaults))) { try await plain.value }
      await #expect(throws: StorageError(.busy, .init(key: "b", domain: .userDefaults))) { try await together.value }
      for name in ["a", "b"] { #expect(try await router.get(number(name)) == 0) }
    }

    /// A task that a change begins is no part of the call, whose deadline passes meanwhile.
    @Test func aTaskThatOutlivesItsCallWaitsForTheTimeout() async throws {
      let timeout = Duration.seconds(1)
      let router = router(timeout: timeout)
      let (isOver, end) = AsyncStream<Void>.makeStream()
      let tasks = Lock<[Task<Duration, Never>]>([])
      try await router.update(number("n")) { [n = number("n")] value in
        value += 1
        let task = Task {
          for await _ in isOver {}
          let start = ContinuousClock.now
          await #expect(throws: StorageError(.busy, .init(key: "n", domain: .userDefaults))) {
            try await BlockingExecutor.shared.run { () throws(StorageError) in try router.setValue(2, for: n) }
          }
          return ContinuousClock.now - start
        }
        tasks.withLock { $0.append(task) }
      }
      try await Task.sleep(for: timeout)
      let outside = try outsideTransaction()
      end.finish()
      for task in tasks.withLock(\.self) { #expect(await task.value >= timeout) }
      try outside.run("ROLLBACK")
      #expect(try router.value(number("n")) == 1)
    }

    /// It is not tried on the caller's thread first, where it would have to wait.
    @Test func aWriteOfAFileSerializesItsValueOnce() async throws {
      let router = router(timeout: .seconds(600))
      let key = StorageKey<Int?>(
        name: "n", domain: .fileSystem(directory: .documents), security: .none,
        serializer: .custom(CountingSerializer.self), owner: "Tests", description: "A number.")
      for number in 1...3 {
        try await router.set(number, for: key)
        #expect(CountingSerializer.count.withLock { $0 } == number)
      }
      #expect(try await router.get(key) == 3)
    }

    /// The serializer waits for a call of another key, which the router's actor must be free for.
    @Test func aSlowSerializerHoldsUpNoOtherKey() async throws {
      let router = router(timeout: .seconds(600))
      let key = StorageKey<Int?>(
        name: "slow", domain: .fileSystem(directory: .documents), security: .none,
        serializer: .custom(WaitingSerializer.self), owner: "Tests", description: "A number.")
      let change = Task { try await router.set(1, for: key) }
      for await _ in WaitingSerializer.hasBegun {}
      let other = Task { try await router.set(3, for: number("other")) }
      let limit = Task {
        try await Task.sleep(for: .seconds(20))
        WaitingSerializer.mayEnd.signal()
      }
      try await other.value
      limit.cancel()
      #expect(WaitingSerializer.mayEnd.signal() != 0, "the call has waited for the serializer")
      try await change.value
    }

    /// The change waits for the calls that it would hold up if it ran where they do.
    @Test func aSlowChangeHoldsUpWritersOfItsDatabaseAlone() async throws {
      let router = router(timeout: .seconds(1))
      try await router.set(1, for: number("n"))
      #expect(try await router.get(number("n")) == 1)
      let (hasBegun, begin) = AsyncStream<Void>.makeStream()
      let mayEnd = DispatchSemaphore(value: 0)
      let change = Task {
        try await router.update(number("n")) { value in
          begin.finish()
          value = mayEnd.wait(timeout: .now() + .seconds(600)) == .success ? 2 : -1
        }
      }
      for await _ in hasBegun {}
      #expect(try await router.get(number("n")) == 1)
      for domain in [StorageDomain.fileSystem(directory: .documents), .userDefaults(suite: "other")] {
        try await router.set(3, for: number("n", domain))
        #expect(try await router.get(number("n", domain)) == 3)
      }
      for name in ["n", "a"] {
        await #expect(throws: StorageError(.busy, .init(key: name, domain: .userDefaults))) {
          try await router.set(3, for: number(name))
        }
      }
      mayEnd.signal()
      #expect(try await change.value == 2)
    }

    @Test func anOutsideTransactionHoldsUpWritersOfItsDatabaseAlone() async throws {
      let router = router(timeout: .seconds(600))
      try await router.set(1, for: number("n"))
      #expect(try await router.get(number("n")) == 1)
      let outside = try outsideTransaction()
      // More than there are threads.
      let waiting = (0..<200).map { member in
        Task { try await router.set(member, for: number("n_\(member)")) }
      }
      // A writer that waits for the transaction holds the lock.
      let lock = open(fixture.path("data/preferences/.standard.db.lock"), O_RDWR | O_CLOEXEC)
      defer { close(lock) }
      while flock(lock, LOCK_EX | LOCK_NB) == 0 {
        flock(lock, LOCK_UN)
        try await Task.sleep(for: .milliseconds(1))
      }
      #expect(try await router.get(number("n")) == 1)
      for domain in [StorageDomain.fileSystem(directory: .documents), .userDefaults(suite: "other")] {
        try await router.set(3, for: number("n", domain))
        #expect(try await router.get(number("n", domain)) == 3)
      }
      try outside.run("COMMIT")
      for task in waiting { try await task.value }
      #expect(try await router.get(number("n_199")) == 199)
    }

    /// One after another, these calls would wait far longer than the time limit.
    @Test func callsThatWaitTogetherEndTogether() async throws {
      let router = router(timeout: .seconds(2))
      try await router.set(1, for: number("n"))
      let outside = try outsideTransaction()
      let ends = await withTaskGroup(of: StorageError?.self) { group in
        for member in 0..<600 {
          group.addTask {
            // Half of them wait for the turn of one key.
            let key = number(member % 2 == 0 ? "n" : "n_\(member)")
            do throws(StorageError) { try await router.set(member, for: key) } catch { return error }
            return nil
          }
        }
        return await group.reduce(into: [StorageError?]()) { $0.append($1) }
      }
      #expect(ends.count == 600)
      for end in ends {
        guard let subject = end?.subject, end?.code == .busy else {
          Issue.record("\(String(describing: end))")
          continue
        }
        #expect(subject.domain == .userDefaults && subject.key?.hasPrefix("n") == true)
      }
      try outside.run("COMMIT")
      #expect(try await router.get(number("n")) == 1)
      try await router.set(2, for: number("n"))
      #expect(try await router.get(number("n")) == 2)
    }
  }
#endif
