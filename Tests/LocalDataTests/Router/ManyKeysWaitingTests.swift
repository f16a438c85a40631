#if os(Linux)
  import LocalDataFoundation
  import Foundation
  import LocalDataMaintenance
  import LocalDataTesting
  import RuntimeTestSupport
  import LocalDataVocabulary
  import TestSupport
  import Testing

  @_spi(Generated) @testable import LocalData
  @testable import LocalDataSync

  private func number(
    _ name: String, _ domain: StorageDomain, security: SecurityPolicy = .none,
    migration: (@Sendable (StorageKey<Int?>) -> AnyStorageMigration)? = nil
  ) -> StorageKey<Int?> {
    StorageKey<Int?>(
      name: name, domain: domain, security: security, owner: "Tests", description: "A number.", migration: migration)
  }

  /// So many values in one container that a timeout for each of them would exceed ``ManyKeysWaitingTests/limit``.
  private let numbers = 0..<180

  private enum ManyCatalog: StorageKeyCatalog {
    static let preferences = numbers.map { number("key-\($0)", .userDefaults()) }
    static let files = numbers.map { number("key-\($0)", .fileSystem(directory: .documents)) }
    static let free = number("free", .userDefaults(suite: "free"))
    static let notes = StorageKeyFamily(name: "note_{id}", domain: .userDefaults(), security: .none)
    static let drafts = StorageKeyFamily(
      name: "draft_{id}", domain: .fileSystem(directory: .documents), security: .none)

    static var allKeys: [AnyStorageKey] { (preferences + files + [free]).map { .key($0) } }
    static var allFamilies: [StorageKeyFamily] { [notes, drafts] }
  }

  private enum MovedCatalog: StorageKeyCatalog {
    static let sources = numbers.map { number("old-\($0)", .userDefaults(suite: "old")) }
    static let keys = zip(numbers, sources).map { index, source in
      number("new-\(index)", .fileSystem(directory: .documents)) { key in
        AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(source)))
      }
    }

    static var allKeys: [AnyStorageKey] { keys.map { .key($0) } }
  }

  private enum SealedCatalog: StorageKeyCatalog {
    static let files = numbers.map {
      number("sealed-\($0)", .encryptedFileSystem(directory: .documents), security: .recommended)
    }

    static let elsewhere = number("elsewhere", .fileSystem(directory: .caches))

    static var allKeys: [AnyStorageKey] { (files + [elsewhere]).map { .key($0) } }
  }

  private enum SentCatalog: StorageKeyCatalog {
    static let features: [StorageFeature] = [.sync]
    static let note = SharedCatalog.synced("note", .userDefaults(), .automaticSmall)
    static let file = SharedCatalog.synced("file", .fileSystem(directory: .documents), .automaticSmall)

    static var allKeys: [AnyStorageKey] { [.key(note), .key(file)] }
  }

  private enum SharedCatalog: StorageKeyCatalog {
    static let features: [StorageFeature] = [.sync]
    static let notes = numbers.map { synced("note-\($0)", .userDefaults()) }
    static let file = synced("file", .fileSystem(directory: .documents))

    static let unshared = number("unshared", .userDefaults())

    static var allKeys: [AnyStorageKey] { (notes + [file, unshared]).map { .key($0) } }

    static func synced(
      _ name: String, _ domain: StorageDomain, _ policy: SyncPolicy = .manual
    ) -> StorageKey<Int?> {
      StorageKey<Int?>(
        name: name, domain: domain, security: .none, owner: "Tests", description: "A number of two devices.",
        syncPolicy: policy)
    }
  }

  /// A store whose changes wait for a time that does not pass.
  private struct WaitingStore: ForwardingStore {
    let base: any ValueStore
    let time: Duration
    /// Called before each read with the time that the call may still wait.
    let willRead: @Sendable (Duration) -> Void

    private func wait() { CallDeadline.noteWait(since: ContinuousClock.now - time) }

    func read(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Data? {
      try CallDeadline.requireWaiting()
      willRead(CallDeadline.end(of: CallDeadline.ordinaryPatience) - ContinuousClock.now)
      return try base.read(address, attributes)
    }

    func write(_ bytes: Data, to address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {
      try CallDeadline.requireWaiting()
      wait()
      try base.write(bytes, to: address, attributes)
    }

    func update(
      _ address: StorageAddress, _ attributes: StorageAttributes,
      _ change: (Data?) throws(StorageProblem) -> StorageChange
    ) throws(StorageProblem) {
      try CallDeadline.requireWaiting()
      wait()
      try base.update(address, attributes, change)
    }
  }

  /// A call that uses many values waits about as long as a call that uses one.
  @Suite(.serialized, .findsHangs) struct ManyKeysWaitingTests {
    private static let timeout = Duration.seconds(1)
    /// Far more than a timeout, because the machine may be busy, and less than what a timeout for each value would take.
    private static let limit = Duration.seconds(150)

    private let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    private func router(
      _ catalogs: any StorageKeyCatalog.Type..., timeout: Duration = Self.timeout
    ) throws -> StorageRouter {
      let router = StorageRouter(
        configuration: StorageConfiguration(
          applicationName: "Test", roots: StorageRoots(below: fixture.folder), timeout: timeout))
      for catalog in catalogs { try router.registerCatalog(catalog) }
      return router
    }

    /// A container that another program keeps busy.
    enum Obstacle: CaseIterable {
      case preferences, files

      var domain: StorageDomain.Kind { self == .preferences ? .userDefaults : .fileSystem }
    }

    /// Another program's transaction on a suite.
    private func outsideTransaction(on suite: String = "standard") throws -> SQLiteConnection {
      let connection = try SQLiteConnection(
        path: fixture.path("data/preferences/\(suite).db"), isDurable: false, until: nil)
      try connection.run("BEGIN IMMEDIATE")
      return connection
    }

    /// Runs `body` while another program keeps others from writing to a container.
    private func beside<Result: Sendable>(
      _ obstacle: Obstacle, _ body: () async throws -> Result
    ) async throws -> Result {
      switch obstacle {
      case .preferences:
        let outside = try outsideTransaction()
        let result = try await body()
        try outside.run("ROLLBACK")
        return result
      case .files:
        let lock = open(fixture.path("data/documents/.\(DurableWriter.stem).lock"), O_RDWR | O_CLOEXEC)
        defer { close(lock) }
        try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
        return try await body()
      }
    }

    private func inTime<Result>(_ body: () async throws -> Result) async rethrows -> Result {
      let start = ContinuousClock.now
      let result = try await body()
      #expect(ContinuousClock.now - start < Self.limit)
      return result
    }

    private func failureInTime(_ body: () async throws -> Void) async -> StorageError? {
      await inTime {
        do {
          try await body()
          return nil
        } catch {
          return error as? StorageError
        }
      }
    }

    private func isBusy(_ error: StorageError?) -> Bool { error?.code == .busy }

    private func fill(_ keys: [StorageKey<Int?>], on router: StorageRouter) async throws {
      for (index, key) in keys.enumerated() { try await router.set(index, for: key) }
    }

    // MARK: Removals and lists

    @Test(arguments: Obstacle.allCases)
    func aSignOutEndsAfterOneTimeoutAndRemovesTheOtherValues(_ obstacle: Obstacle) async throws {
      let router = try router(ManyCatalog.self)
      for keys in [ManyCatalog.preferences, ManyCatalog.files, [ManyCatalog.free]] { try await fill(keys, on: router) }
      let (held, others) =
        obstacle == .preferences
        ? (ManyCatalog.preferences, ManyCatalog.files) : (ManyCatalog.files, ManyCatalog.preferences)
      try await beside(obstacle) { () async throws in
        let error = await failureInTime { try await router.removeAll(in: ManyCatalog.self) }
        #expect(isBusy(error))
        #expect(error?.subject.domain == obstacle.domain)
        for key in others + [ManyCatalog.free] { #expect(try await router.get(key) == nil) }
        for (index, key) in held.enumerated() { #expect(try await router.get(key) == index) }
      }
      try await router.removeAll(in: ManyCatalog.self)
      for key in held { #expect(try await router.get(key) == nil) }
    }

    @Test(arguments: Obstacle.allCases)
    func theRemovalOfAFamilyEndsAfterOneTimeout(_ obstacle: Obstacle) async throws {
      let router = try router(ManyCatalog.self)
      let family = obstacle == .preferences ? ManyCatalog.notes : ManyCatalog.drafts
      let members = numbers.map { number(family.name.replacing("{id}", with: "\($0)"), family.domain) }
      for (index, member) in members.enumerated() {
        try await router.set(
          index, for: StorageKey<Int?>(family, StorageKeyName(stringLiteral: member.name), .json))
      }
      try await beside(obstacle) { () async throws in
        let error = await failureInTime { try await router.removeAll(of: family) }
        #expect(error == StorageError(.busy, .init(key: family.name, domain: obstacle.domain)))
        #expect(try await router.members(of: family).count == numbers.count)
      }
      try await router.removeAll(of: family)
      #expect(try await router.members(of: family).isEmpty)
    }

    /// Returns another program's connection that has the database to itself, so that it cannot be read either.
    private func outsideOwner() throws -> SQLiteConnection {
      let connection = try SQLiteConnection(
        path: fixture.path("data/preferences/standard.db"), isDurable: false, until: .now + .seconds(60))
      try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
      try connection.execute("BEGIN EXCLUSIVE")
      return connection
    }

    @Test func aListWaitsForTheTimeout() async throws {
      try await fill(ManyCatalog.preferences, on: router(ManyCatalog.self))
      var outside: SQLiteConnection? = try outsideOwner()
      let (router, wait) = (try router(ManyCatalog.self), OrdinaryWait())
      let list = Task { try await wait.ends { try await router.members(of: ManyCatalog.notes) } }
      try await wait.isAlmostOver()
      try outside?.execute("ROLLBACK")
      // It has the database to itself until it is closed.
      outside = nil
      await #expect(throws: StorageError(.busy, .init(key: "note_{id}", domain: .userDefaults))) {
        try await list.value
      }
    }

    @Test func listsAndInventoriesEndAfterOneTimeout() async throws {
      try await fill(ManyCatalog.preferences + [ManyCatalog.free], on: router(ManyCatalog.self))
      let outside = try outsideOwner()
      let router = try router(ManyCatalog.self)
      let error = await failureInTime { _ = try await router.members(of: ManyCatalog.notes) }
      #expect(error == StorageError(.busy, .init(key: "note_{id}", domain: .userDefaults)))
      let entries = await inTime { await router.maintenance.inventory() }
      #expect(entries.count { isBusy($0.problem) } == numbers.count + 1)
      #expect(entries.first { $0.key.key == "free" }?.count == 1)
      let orphans = await inTime { await router.maintenance.orphans() }
      #expect(orphans.failures.map(isBusy) == [true])
      try outside.execute("ROLLBACK")
    }

    // MARK: Migrations

    @Test func aRunOfMigrationsWaitsOnceForAContainer() async throws {
      let router = try router(MovedCatalog.self)
      try await fill(MovedCatalog.keys, on: router)
      for key in MovedCatalog.keys { try await router.remove(key) }
      try await fill(MovedCatalog.sources, on: self.router())
      try await beside(.files) { () async throws in
        let result = await inTime { await router.migrations.migrateAll() }
        #expect(result.migrated.isEmpty)
        #expect(result.failures.count == numbers.count && result.failures.allSatisfy(isBusy))
      }
      #expect(await router.migrations.migrateAll().migrated.count == numbers.count)
      for (index, key) in MovedCatalog.keys.enumerated() { #expect(try await router.get(key) == index) }
    }

    /// The values are at their destinations, and the sources cannot be removed.
    @Test(arguments: [true, false])
    func theEndOfARunOfMigrationsWaitsOnceForAContainer(isOfThisProcess: Bool) async throws {
      try await fill(MovedCatalog.sources, on: router())
      let router = try router(MovedCatalog.self)
      let writers = router.values(for: nil).writers
      let address = StorageAddress(allOf: .preferences(suite: "old"))
      var outside: SQLiteConnection?
      var taken = 0
      if isOfThisProcess {
        while await writers.take(address, patience: .zero) { taken += 1 }
      } else {
        outside = try outsideTransaction(on: "old")
      }
      // A wait without an end ends here.
      let release = Task { [taken] in
        try await Task.sleep(for: Self.limit * 2)
        for _ in 0..<taken { writers.end(address) }
      }
      let result = await inTime { await router.migrations.migrateAll() }
      #expect(result.failures.count == numbers.count && result.failures.allSatisfy(isBusy))
      release.cancel()
      if case .failure = await release.result { for _ in 0..<taken { writers.end(address) } }
      try outside?.run("ROLLBACK")
      for (index, key) in MovedCatalog.keys.enumerated() { #expect(try await router.get(key) == index) }
      #expect(await router.migrations.migrateAll().failures.isEmpty)
      for source in MovedCatalog.sources { #expect(try await self.router().get(source) == nil) }
    }

    // MARK: Maintenance

    @Test func maintenanceWaitsOnceForAContainer() async throws {
      let router = try router(ManyCatalog.self, SealedCatalog.self)
      for keys in [ManyCatalog.files, SealedCatalog.files, [SealedCatalog.elsewhere]] {
        try await fill(keys, on: router)
      }
      try await beside(.files) { () async throws in
        let resecuring = await inTime { await router.maintenance.resecure() }
        #expect(resecuring.failures.count == 2 * numbers.count && resecuring.failures.allSatisfy(isBusy))
        #expect(resecuring.rewritten.map(\.key) == ["elsewhere"])
        let rotation = try await inTime { try await router.maintenance.rotateKeys() }
        #expect(rotation.failures.count == numbers.count && rotation.failures.allSatisfy(isBusy))
      }
      #expect(try await router.maintenance.rotateKeys().isComplete)
      #expect(await router.maintenance.resecure().failures.isEmpty)
      for (index, key) in SealedCatalog.files.enumerated() { #expect(try await router.get(key) == index) }
    }

    // MARK: Sync

    private static func payload() -> Data {
      let device = UUID()
      // A counter of the year 2109.
      let version = SyncVersion(counter: 1 << 42, device: device)
      let entries = (SharedCatalog.notes + [SharedCatalog.file]).map { AnyStorageKey($0) }.map { key in
        SyncPayload.Entry(
          key: key.syncKey, version: version, schema: 1, isWatchRepresentation: false, bytes: Data("7".utf8))
      }
      return SyncPayload(header: SyncPayload.Header(sender: device, clock: 1 << 42), entries: entries).bytes
    }

    @Test func aPayloadWaitsOnceForAContainer() async throws {
      let router = try router(SharedCatalog.self)
      try await router.set(1, for: SharedCatalog.unshared)
      let payload = Self.payload()
      let outside = try outsideTransaction()
      let events = await inTime { await router.sync.receive(payload) }
      #expect(events.contains(.received(.init(key: "file", domain: .fileSystem))))
      for key in SharedCatalog.notes {
        let subject = StorageError.Subject(key: key.name, domain: .userDefaults)
        #expect(events.contains(.ignored(subject, .failed(StorageError(.busy, subject)))))
      }
      try outside.run("ROLLBACK")
      #expect(await router.sync.receive(payload).count == numbers.count)
      for key in SharedCatalog.notes + [SharedCatalog.file] { #expect(try await router.get(key) == 7) }
    }

    /// After its own value, a call sends what was not sent before.
    @Test func aChangeAndWhatIsSentWithItHaveOneDeadline() async throws {
      let earlier = try router(SentCatalog.self)
      let failing = LinkedTransports()
      failing.phone.isFailing = true
      earlier.sync.setTransport(failing.phone)
      for key in [SentCatalog.note, SentCatalog.file] { try await earlier.set(1, for: key) }
      let (waited, timeout) = (Duration.seconds(400), Duration.seconds(600))
      let rests = Lock<[Duration]>([])
      let router = StorageRouter(
        configuration: StorageConfiguration(
          applicationName: "Test", roots: StorageRoots(below: fixture.folder), timeout: timeout)
      ) { setup in
        var services = StorageServices.live(setup)
        services.preferences = WaitingStore(base: services.preferences, time: waited) { _ in }
        services.files = WaitingStore(base: services.files, time: .zero) { rest in rests.withLock { $0.append(rest) } }
        return services
      }
      try router.registerCatalog(SentCatalog.self)
      let transports = LinkedTransports()
      router.sync.setTransport(transports.phone)
      try await router.set(2, for: SentCatalog.note)
      // The file is read to be sent.
      let rest = try #require(rests.withLock(\.self).last)
      #expect(rest <= timeout - waited)
      let sent = try transports.phone.sent.flatMap { try SyncPayload($0).entries }.compactMap(\.key)
      #expect(sent.contains(AnyStorageKey(SentCatalog.file).syncKey))
    }

    @Test func aPayloadDoesNotWaitForASlowChangeWithoutAnEnd() async throws {
      let router = try router(SharedCatalog.self)
      let (key, payload) = (SharedCatalog.file, Self.payload())
      let (hasBegun, begin) = AsyncStream<Void>.makeStream()
      let mayEnd = DispatchSemaphore(value: 0)
      let change = Task {
        try await router.update(key) { value in
          begin.finish()
          // A wait without an end ends here.
          value = mayEnd.wait(timeout: .now() + .seconds(120)) == .success ? 2 : -1
        }
      }
      for await _ in hasBegun {}
      let events = await inTime { await router.sync.receive(payload) }
      let subject = StorageError.Subject(key: "file", domain: .fileSystem)
      #expect(events.contains(.ignored(subject, .failed(StorageError(.busy, subject)))))
      #expect(events.count == numbers.count + 1)
      for key in SharedCatalog.notes { #expect(try await router.get(key) == 7) }
      mayEnd.signal()
      #expect(try await change.value == 2)
      #expect(await router.sync.receive(payload) == [.received(subject)])
      #expect(try await router.get(key) == 7)
    }
  }
#endif
