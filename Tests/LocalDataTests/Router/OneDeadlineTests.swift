#if os(Linux)
  import LocalDataFoundation
  import Foundation
  import LocalDataMaintenance
  import LocalDataTesting
  import RuntimeTestSupport
  import LocalDataVocabulary
  import TestSupport
  import Testing

  @testable import LocalData
  @testable import LocalDataSync

  private func number(
    _ name: String, _ domain: StorageDomain, syncPolicy: SyncPolicy = .never, retention: Retention? = nil
  ) -> StorageKey<Int?> {
    StorageKey<Int?>(
      name: name, domain: domain, security: .none, owner: "Tests", description: "A number.", syncPolicy: syncPolicy,
      options: StorageKeyOptions(retention: retention))
  }

  /// So many values in one container that a timeout for each of them would exceed ``OneDeadlineTests/limit``.
  private let numbers = 0..<180

  private enum SlowCatalog: StorageKeyCatalog {
    static let files = numbers.map { number("file-\($0)", .fileSystem(directory: .documents)) }
    static let last = number("last", .userDefaults())

    static var allKeys: [AnyStorageKey] { (files + [last]).map { .key($0) } }
  }

  /// The waits of a call end after one timeout. The time in which it works does not count.
  @Suite(.serialized, .findsHangs) struct OneDeadlineTests {
    private static let timeout = Duration.seconds(1)
    /// Far more than a timeout, because the machine may be busy, and less than what a timeout for each value would take.
    private static let limit = Duration.seconds(150)

    private let fixture: StoreFixture
    private let clock = ControllableClock()

    init() throws { fixture = try StoreFixture() }

    private func router(
      _ keys: [StorageKey<Int?>] = [], timeout: Duration = Self.timeout,
      _ change: @escaping @Sendable (inout StorageServices) -> Void = { _ in }
    ) throws -> StorageRouter {
      let configuration = StorageConfiguration(
        applicationName: "Test", roots: StorageRoots(below: fixture.folder), timeout: timeout)
      let router = StorageRouter(configuration: configuration, clock: clock) { setup in
        var services = StorageServices.live(setup)
        change(&services)
        return services
      }
      if !keys.isEmpty { try router.register(keys.map { .key($0) }) }
      return router
    }

    private func fill(_ keys: [StorageKey<Int?>]) async throws {
      let router = try router(keys, timeout: .seconds(600))
      for (index, key) in keys.enumerated() { try await router.set(index, for: key) }
    }

    private func isBusy(_ error: StorageError) -> Bool { error.code == .busy }

    @discardableResult
    private func inTime<Result>(_ body: () async throws -> Result) async rethrows -> Result {
      let start = ContinuousClock.now
      let result = try await body()
      #expect(ContinuousClock.now - start < Self.limit)
      return result
    }

    /// Another program's connection to the preferences.
    private func outside() throws -> SQLiteConnection {
      try SQLiteConnection(
        path: fixture.path("data/preferences/standard.db"), isDurable: false, until: .now + .seconds(60))
    }

    // MARK: Transactions

    /// Changes a value as another program, and keeps the database for some time after this has returned.
    private func change(_ key: StorageKey<Int?>, to value: Int, _ time: Duration) async throws {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        Thread.detachNewThread {
          do {
            let (outside, bytes) = (try self.outside(), Data("\(value)".utf8))
            try outside.run("BEGIN IMMEDIATE")
            try outside.run("UPDATE preference SET bytes = ? WHERE name = ?", [.blob(bytes), .text(key.name)])
            continuation.resume()
            Thread.sleep(forTimeInterval: time / .seconds(1))
            #expect(throws: Never.self) { try outside.run("COMMIT") }
          } catch {
            continuation.resume(throwing: error)
          }
        }
      }
    }

    /// Each attempt waits for less than the timeout.
    @Test func theAttemptsOfATransactionShareATimeout() async throws {
      let (read, written) = (number("read", .userDefaults()), number("written", .userDefaults()))
      try await fill([read, written])
      let (router, attempts) = (try router(), Lock(0))
      await #expect(throws: StorageError(.busy, .init(key: "read", domain: .userDefaults))) {
        try await router.transaction { transaction in
          let value = try await transaction.get(read) ?? 0
          try await transaction.set(value, for: written)
          attempts.withLock { $0 += 1 }
          // On a busy machine the other program gives the database back while the test works, so that no attempt waits. Then it
          // keeps the database for longer.
          let time = attempts.withLock(\.self) < 16 ? Self.timeout / 3 : Self.timeout * 30
          try await change(read, to: value + 1, time)
        }
      }
      // As many attempts as a transaction makes, if each has a timeout.
      #expect(attempts.withLock(\.self) < 64)
      let patient = try self.router(timeout: .seconds(600))
      #expect(try await patient.get(written) == 1)
      // This waits for the other program.
      try await patient.set(1, for: written)
    }

    // MARK: Sync

    @Test func theValuesThatAreSentShareATimeout() async throws {
      let notes = numbers.map { number("note-\($0)", .userDefaults(), syncPolicy: .manual) }
      let file = number("file", .fileSystem(directory: .documents), syncPolicy: .manual)
      try await fill(notes + [file])
      let (router, linked) = (try router(notes + [file]), LinkedTransports())
      router.sync.setTransport(linked.phone)
      // It has the database to itself, so that it cannot be read either.
      var outside: SQLiteConnection? = try outside()
      try outside?.execute("PRAGMA locking_mode = EXCLUSIVE")
      try outside?.execute("BEGIN EXCLUSIVE")
      await inTime {
        await #expect(throws: StorageError(.busy, .init(key: "note-0", domain: .userDefaults))) {
          try await router.sync.sendAll()
        }
      }
      let sent = try linked.phone.sent.flatMap { try SyncPayload($0).entries }
      #expect(sent.map(\.key) == [AnyStorageKey(file).syncKey])
      try outside?.execute("ROLLBACK")
      outside = nil
      try await router.sync.sendAll()
      #expect(try SyncPayload(try #require(linked.phone.sent.last)).entries.count == numbers.count + 1)
    }

    // MARK: Maintenance

    @Test func aSweepWaitsOnceForAContainer() async throws {
      let retention = Retention.maxAge(seconds: 60)
      let notes = numbers.map { number("note-\($0)", .userDefaults(), retention: retention) }
      let file = number("file", .fileSystem(directory: .documents), retention: retention)
      try await fill(notes + [file])
      clock.advance(by: 60)
      let (router, outside) = (try router(notes + [file]), try outside())
      try outside.run("BEGIN IMMEDIATE")
      let sweep = await inTime { await router.maintenance.sweep() }
      #expect(sweep.ended == [AnyStorageKey(file).subject])
      #expect(sweep.failures.count == numbers.count && sweep.failures.allSatisfy(isBusy))
      try outside.run("ROLLBACK")
      let next = await router.maintenance.sweep()
      #expect(next.ended == notes.map { AnyStorageKey($0).subject })
      #expect(next.failures == [])
    }

    // MARK: Work

    /// At its end the removal waits for another program, for less than the timeout.
    @Test func aLongRemovalDoesNotFailBecauseItWorks() async throws {
      try await fill(SlowCatalog.files + [SlowCatalog.last])
      let (timeout, isLastFile, isHeld) = (
        Self.timeout * 3, DispatchSemaphore(value: 0), AsyncStream<Void>.makeStream()
      )
      let router = try router(timeout: timeout) { services in
        services.files = SlowStore(base: services.files, time: timeout * 5 / 4 / numbers.count) { name in
          if name == SlowCatalog.files.last?.name { isLastFile.signal() }
        }
      }
      try router.registerCatalog(SlowCatalog.self)
      // Other tests do not delay a separate thread.
      Thread.detachNewThread {
        #expect(throws: Never.self) {
          let outside = try self.outside()
          try outside.run("BEGIN IMMEDIATE")
          isHeld.continuation.finish()
          isLastFile.wait()
          Thread.sleep(forTimeInterval: 0.3)
          try outside.run("ROLLBACK")
        }
      }
      for await _ in isHeld.stream {}
      let start = ContinuousClock.now
      try await router.removeAll(in: SlowCatalog.self)
      #expect(ContinuousClock.now - start > timeout)
      for key in SlowCatalog.files + [SlowCatalog.last] { #expect(try await router.get(key) == nil) }
    }
  }

  /// A store that takes its time for each removal.
  private struct SlowStore: ForwardingStore {
    let base: any ValueStore
    let time: Duration
    /// Called with the name of each value before it is removed.
    let willRemove: @Sendable (String) -> Void

    func remove(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {
      try CallDeadline.requireWaiting()
      Thread.sleep(forTimeInterval: time / .seconds(1))
      willRemove(address.name)
      try base.remove(address, attributes)
    }
  }
#endif
