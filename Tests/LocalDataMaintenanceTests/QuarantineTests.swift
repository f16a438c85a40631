#if os(Linux)
  import LocalDataFoundation
  import Foundation
  import LocalDataTesting
  import RuntimeTestSupport
  import LocalDataVocabulary
  import Testing

  @_spi(Generated) @testable import LocalData
  @testable import LocalDataMaintenance

  /// Bytes that are no value of their key are moved aside, once and whole, and removed together with the key.
  @Suite(.findsHangs) struct QuarantineTests {
    let app: RelaunchedApp

    init() throws { app = try RelaunchedApp() }

    private func mode(_ file: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: app.fixture.path(file))[.posixPermissions] as? Int
    }

    // MARK: Retention

    /// The key of a later release, which has a retention instead.
    private func retained(_ address: CorruptionAddress, _ name: String, _ seconds: Int) -> StorageKey<Int?> {
      StorageKey<Int?>(
        name: name, domain: address.domain, security: address.security, owner: "Tests", description: "A number.",
        options: StorageKeyOptions(retention: .maxAge(seconds: seconds)))
    }

    /// The first release stored the value with its time, or without one.
    @Test(arguments: CorruptionAddress.quarantining, [true, false])
    func aSweepKeepsNothingForLongerThanTheRetention(_ address: CorruptionAddress, isDated: Bool) async throws {
      let first = StorageKey<String?>(
        name: "value", domain: address.domain, security: address.security, owner: "Tests", description: "A text.",
        options: StorageKeyOptions(retention: isDated ? .maxAge(seconds: 600) : nil))
      try await app.launch().set("abc", for: first)
      try await app.launch().set("abc", for: address.old("kept"))
      for name in ["value", "kept"] { #expect(try await app.launch().get(address.key(.quarantine, name)) == 7) }
      let router = app.launch()
      try router.register([.key(retained(address, "value", 600)), .key(retained(address, "kept", 4_000_000_000))])
      #expect(try await router.maintenance.quarantined().count == 2)
      #expect(await router.maintenance.sweep() == .init())
      // An envelope has the time of writing in any case.
      let isDated = isDated || address.security != .none
      app.clock.advance(by: 700)
      #expect(await router.maintenance.sweep() == .init(ended: isDated ? [address.subject] : []))
      #expect(try await router.maintenance.quarantined().count == (isDated ? 1 : 2))
      // Without a time of writing, the time of the file counts.
      app.clock.advance(by: max(0, Date().timeIntervalSince(app.clock.now)) + 700)
      #expect(await router.maintenance.sweep() == .init(ended: isDated ? [] : [address.subject]))
      #expect(try await router.maintenance.quarantined().map(\.key.key) == ["kept"])
    }

    /// The time of writing is in the header, which is damaged.
    @Test(arguments: CorruptionAddress.unsecured, [50, 100])
    func aSweepRemovesADamagedValueToo(_ address: CorruptionAddress, _ count: Int) async throws {
      let key = address.key(.quarantine).upgrading(by: SchemaUpgrades(decoding: .json) { (number: Int) in number })
      try await app.launch().set(5, for: key)
      let envelope = try #require(try app.stored(key))
      try #require(EnvelopeHeader.begins(envelope) && envelope.count > count)
      try app.write(Data(envelope.prefix(count)), of: key)
      #expect(try await app.launch().get(key) == 7)
      let router = app.launch()
      try router.register([.key(retained(address, "value", 600))])
      #expect(await router.maintenance.sweep() == .init())
      #expect(try app.quarantined.count == 1)
      app.clock.advance(by: max(0, Date().timeIntervalSince(app.clock.now)) + 700)
      #expect(await router.maintenance.sweep() == .init(ended: [address.subject]))
      #expect(try app.quarantined == [])
    }

    @Test func aSweepRemovesWhatWasMovedAsideFromAReservedName() async throws {
      let address = try #require(CorruptionAddress.quarantining.first)
      for name in ["value", "other"] {
        _ = try await app.seeded(address, name)
        #expect(try await app.launch().get(address.key(.quarantine, name)) == 7)
      }
      let router = app.launch()
      try router.register(
        [.key(address.key(.quarantine, "other"))],
        reserved: [StorageReservedName(name: "value", domain: address.domain, deletesLeftovers: true)])
      #expect(await router.maintenance.sweep().leftovers == [address.subject])
      #expect(try await router.maintenance.quarantined().map(\.key.key) == ["other"])
    }

    // MARK: Verbs

    @Test(arguments: CorruptionAddress.quarantining)
    func theBytesAreMovedAsideAndTheValueIsAbsent(_ address: CorruptionAddress) async throws {
      let stored = try await app.seeded(address)
      let (router, key) = (app.launch(), address.key(.quarantine))
      let entries = Lock<[StorageLogEntry]>([])
      router.setLogger { entry in entries.withLock { $0.append(entry) } }
      #expect(try await router.get(key) == 7)
      #expect(try await router.get(address.optional(.quarantine)) == nil)
      #expect(try await router.exists(key) == false)
      #expect(try app.stored(key) == nil)
      let file = try #require(try app.quarantined.first)
      #expect(try app.quarantined.count == 1)
      #expect(try mode(file) == 0o600)
      #expect(try mode((file as NSString).deletingLastPathComponent) == 0o700)
      let copy = try app.content(file)
      #expect(copy.suffix(stored.count) == stored)
      #expect(address.security == .none || copy.range(of: Data("abc".utf8)) == nil, "it is not encrypted")
      let logged = entries.withLock { $0 }
      #expect(logged.map(\.operation) == [.quarantine, .get, .get, .exists])
      #expect(logged.first?.key == address.subject)
      #expect(logged.first?.bytes == stored.count)
      #expect(logged.first?.error == nil)

      // A new value is another one, and the copy stays.
      #expect(try await router.update(key) { $0 += 1 } == 8)
      #expect(try await app.launch().get(key) == 8)
      #expect(try app.quarantined == [file])
      try await app.launch().remove(key)
      #expect(try app.quarantined == [])
    }

    @Test(arguments: CorruptionAddress.quarantining)
    func eachVerbMovesTheBytes(_ address: CorruptionAddress) async throws {
      let (key, optional) = (address.key(.quarantine), address.optional(.quarantine))
      _ = try await app.seeded(address)
      #expect(try await app.launch().update(key) { $0 += 1 } == 8)
      _ = try await app.seeded(address)
      #expect(try await app.launch().get(optional, orSet: 5) == 5)
      #expect(try await app.launch().get(key) == 5)
      _ = try await app.seeded(address)
      var values = app.launch().values(of: key).makeAsyncIterator()
      #expect(try await values.next() == 7)
      #expect(try app.stored(key) == nil)
      // The same bytes once, where encryption does not make them others.
      #expect(try app.quarantined.count == (address.security == .none ? 1 : 3))
      let needed = StorageKey<Int>(
        name: "value", domain: address.domain, security: address.security, owner: "Tests", description: "A number.",
        options: StorageKeyOptions(onCorruption: .quarantine))
      _ = try await app.seeded(address)
      await #expect(throws: StorageError(.notFound, address.subject)) { try await app.launch().get(needed) }
      #expect(try app.stored(key) == nil)
    }

    @Test(arguments: CorruptionAddress.preferences)
    func aPlainPreferenceMovesThemAtOnce(_ address: CorruptionAddress) async throws {
      let key = address.key(.quarantine)
      let stored = try await app.seeded(address)
      #expect(try app.launch().value(key) == 7)
      #expect(try app.stored(key) == nil)
      _ = try await app.seeded(address)
      let property = Stored(PlainPreferenceKey(key), router: app.launch())
      #expect(property.wrappedValue == 7)
      #expect(property.error == nil)
      property.wrappedValue = 8
      #expect(try await app.launch().get(key) == 8)
      let file = try #require(try app.quarantined.first)
      #expect(try app.content(file).suffix(stored.count) == stored)
    }

    @Test(arguments: CorruptionAddress.preferences)
    func aTransactionReadsTheAbsenceAndIsMadeOnce(_ address: CorruptionAddress) async throws {
      _ = try await app.seeded(address)
      let (key, runs) = (address.key(.quarantine), Lock(0))
      try await app.launch().transaction { transaction in
        runs.withLock { $0 += 1 }
        try await transaction.set(try await transaction.get(key) + 1, for: key)
      }
      #expect(try await app.launch().get(key) == 8)
      #expect(runs.withLock { $0 } == 1)
      #expect(try app.quarantined.count == 1)
      try await app.launch().transaction { try await $0.remove(key) }
      #expect(try app.quarantined == [])
    }

    @Test func anObserverSeesTheAbsenceOnce() async throws {
      let address = try #require(CorruptionAddress.preferences.first)
      let (router, key) = (app.launch(), address.optional(.quarantine))
      try await router.set(1, for: key)
      var values = router.values(of: key).makeAsyncIterator()
      #expect(try await values.next() == 1)
      _ = try await app.seeded(address)
      #expect(try await values.next() == .some(nil))
      try await router.set(2, for: key)
      #expect(try await values.next() == 2)
    }

    @Test func inMemoryTheBytesAreMovedToo() async throws {
      let address = try #require(CorruptionAddress.sealed.first)
      let (storage, key) = (TestStorage(), address.key(.quarantine))
      try await storage.launch().set("abc", for: address.old())
      let router = storage.launch()
      try router.register([.key(key)])
      #expect(try await router.get(key) == 7)
      #expect(try await router.exists(key) == false)
      #expect(await router.maintenance.inventory().map(\.quarantined) == [1])
      try await router.remove(key)
      #expect(await router.maintenance.inventory().map(\.quarantined) == [0])
    }

    // MARK: Others at the same time

    /// The services of an app whose store calls `body` before its first update.
    private func interrupted(_ body: @escaping @Sendable () async throws -> Void) -> StorageRouter {
      app.launch { services in services.files = InterruptedStore(base: services.files, body) }
    }

    @Test func aValueThatIsSetBetweenTheReadAndTheMoveStays() async throws {
      let address = try #require(CorruptionAddress.unsecured.first { $0.domain.kind == .fileSystem })
      _ = try await app.seeded(address)
      let (other, key) = (app.launch(), address.key(.quarantine))
      #expect(try await interrupted { try await other.set(42, for: key) }.get(key) == 42)
      #expect(try await app.launch().get(key) == 42)
      #expect(try app.quarantined == [])
    }

    @Test func aReaderThatIsOvertakenByAnotherOneFindsTheAbsence() async throws {
      let address = try #require(CorruptionAddress.unsecured.first { $0.domain.kind == .fileSystem })
      let stored = try await app.seeded(address)
      let key = address.key(.quarantine)
      let routers = (0..<8).map { _ in app.launch() }
      let values = try await withThrowingTaskGroup(of: Int.self) { group in
        for router in routers { group.addTask { try await router.get(key) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(values == Array(repeating: 7, count: 8))
      #expect(try app.quarantined.count == 1)
      let file = try #require(try app.quarantined.first)
      #expect(try app.content(file).suffix(stored.count) == stored)
    }

    /// A copy that is made while the key is removed would stay behind.
    @Test func aRemovalAtTheSameTimeLeavesNoCopy() async throws {
      let address = try #require(CorruptionAddress.sealed.first { $0.domain.kind == .encryptedFileSystem })
      let key = address.key(.quarantine)
      let (readers, removers) = ((0..<4).map { _ in app.launch() }, (0..<4).map { _ in app.launch() })
      for _ in 0..<20 {
        _ = try await app.seeded(address)
        try await withThrowingTaskGroup(of: Void.self) { group in
          for router in readers { group.addTask { _ = try await router.get(key) } }
          for router in removers { group.addTask { try await router.remove(key) } }
          try await group.waitForAll()
        }
        #expect(try app.quarantined == [])
        #expect(try app.stored(key) == nil)
      }
    }

    @Test func bytesThatCannotBeMovedStayAndAreAnError() async throws {
      let address = try #require(CorruptionAddress.unsecured.first { $0.domain.kind == .fileSystem })
      let stored = try await app.seeded(address)
      let key = address.key(.quarantine)
      let router = app.launch(failing: .update, with: .outOfSpace)
      let entries = Lock<[StorageLogEntry]>([])
      router.setLogger { entry in entries.withLock { $0.append(entry) } }
      await #expect(throws: StorageError(.outOfSpace, address.subject)) { try await router.get(key) }
      #expect(try app.stored(key) == stored)
      #expect(entries.withLock { $0.map(\.operation) } == [.quarantine, .get])
      #expect(
        entries.withLock { $0.map(\.error) } == Array(repeating: StorageError(.outOfSpace, address.subject), count: 2))
      // The folder is a file.
      try FileManager.default.removeItem(atPath: app.fixture.path("data/.quarantine"))
      try Data().write(to: URL(fileURLWithPath: app.fixture.path("data/.quarantine")))
      await #expect(throws: StorageError(.io(errno: ENOTDIR), address.subject, .write)) {
        try await app.launch().get(key)
      }
      #expect(try app.stored(key) == stored)
    }
  }
#endif
