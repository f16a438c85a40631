#if os(Linux)
  import Foundation
  import LocalDataTesting
  import ProbeKeys
  import RuntimeTestSupport
  import LocalDataVocabulary
  import Testing

  @testable import LocalData
  @testable import LocalDataMaintenance

  /// A later release adds a retention to a key. The age of a value that an earlier release stored counts from its write, if
  /// the store knows the time.
  @Suite struct AddedRetentionTests {
    private static let day = 86_400.0
    private static let retention = Retention.maxAge(seconds: 30 * 86_400)
    /// The addresses whose values contain no time without a retention.
    private static let plain: [ProbeAddress] = [.preferences, .keychain, .files]

    let app: RelaunchedApp

    init() throws { app = try RelaunchedApp() }

    private func now(_ address: ProbeAddress) -> StorageKey<String?> { RetainedKey.of(address, Self.retention) }

    /// Stores a value as the release without a retention, and returns the time of the write.
    private func store(_ value: String, for key: StorageKey<String?>) async throws -> Date {
      try await app.launchOnClock().set(value, for: key)
      try app.dateFile(of: key)
      return app.clock.now
    }

    private func value(_ key: StorageKey<String?>, _ days: Double, after written: Date) async throws -> String? {
      app.clock.now = written + days * Self.day
      return try await app.launchOnClock().get(key)
    }

    @Test(arguments: ProbeAddress.allCases) func theAgeCountsFromTheWrite(_ address: ProbeAddress) async throws {
      let before = RetainedKey.of(address, nil)
      let written = try await store("abc", for: before)
      #expect(try await value(now(address), 20, after: written) == "abc")
      // The earlier release still reads it.
      #expect(try await value(before, 21, after: written) == "abc")
      #expect(try await value(now(address), 29, after: written) == "abc")
      #expect(try await value(now(address), 31, after: written) == nil)
      #expect(try app.stored(now(address)) == nil, "it is still stored")
    }

    @Test(arguments: plain, ["get", "exists", "update", "sweep"])
    func aValueThatHasEndedIsNotUsedByTheFirstCall(_ address: ProbeAddress, _ verb: String) async throws {
      let written = try await store("abc", for: RetainedKey.of(address, nil))
      app.clock.now = written + 31 * Self.day
      let (router, key) = (app.launchOnClock(), now(address))
      switch verb {
      case "get": #expect(try await router.get(key) == nil)
      case "exists": #expect(try await router.exists(key) == false)
      case "update": #expect(try await router.update(key) { $0 = ($0 ?? "none") + "!" } == "none!")
      default:
        try router.register([.key(key)])
        #expect(await router.maintenance.sweep().ended == [.init(key: "value", domain: address.domain.kind)])
      }
      #expect(try (app.stored(key) != nil) == (verb == "update"))
    }

    /// The retention begins while the clock is behind: the first read of the release shows a time before the write.
    @Test(arguments: plain, ["get", "exists", "sweep"])
    func aClockThatIsBehindEndsNothingEarly(_ address: ProbeAddress, _ verb: String) async throws {
      let key = now(address)
      let written = try await store("abc", for: RetainedKey.of(address, nil))
      app.clock.now = written - 900 * Self.day
      let router = app.launchOnClock()
      switch verb {
      case "get": #expect(try await router.get(key) == "abc")
      case "exists": #expect(try await router.exists(key))
      default:
        try router.register([.key(key)])
        #expect(await router.maintenance.sweep().ended == [])
      }
      #expect(try await value(key, -800, after: written) == "abc")
      #expect(try await value(key, 1, after: written) == "abc")
      #expect(try await value(key, 29, after: written) == "abc")
      #expect(try await value(key, 31, after: written) == nil)
    }

    /// The clock was ahead at the write. The value begins to age when the clock shows that time again.
    @Test(arguments: plain) func aTimeInTheFutureIsNoAge(_ address: ProbeAddress) async throws {
      app.clock.advance(by: 1_000 * Self.day)
      let ahead = try await store("abc", for: RetainedKey.of(address, nil))
      for days in [-1_000.0, -900, -1, 29] { #expect(try await value(now(address), days, after: ahead) == "abc") }
      #expect(try await value(now(address), 31, after: ahead) == nil)
    }

    /// The epoch is the time of a clock that was never set.
    @Test func aFileWithoutATimeCountsFromItsFirstRead() async throws {
      let key = RetainedKey.of(.files, nil)
      let written = try await store("abc", for: key)
      try app.dateFile(of: key, at: Date(timeIntervalSince1970: 0))
      #expect(try await value(now(.files), 20, after: written) == "abc")
      #expect(try await value(now(.files), 49, after: written) == "abc")
      #expect(try await value(now(.files), 51, after: written) == nil)
    }

    /// A later time is recorded, by a migration of another value.
    @Test func aFileWithoutATimeWaitsForAClockThatIsBehind() async throws {
      let (key, old) = (RetainedKey.of(.files, nil), RetainedKey.of(.preferences, nil, name: "old"))
      let written = try await store("abc", for: key)
      try app.dateFile(of: key, at: Date(timeIntervalSince1970: 0))
      _ = try await store("old", for: old)
      #expect(try await app.launchOnClock().get(moved(from: old, to: "new")) == "old")
      for days in [-900.0, -1, 1, 29] { #expect(try await value(now(.files), days, after: written) == "abc") }
      #expect(try await value(now(.files), 32, after: written) == nil)
    }

    /// A time that cannot be read now is not replaced by another one.
    @Test func aTimeThatCannotBeReadNowCountsLater() async throws {
      let written = try await store("abc", for: RetainedKey.of(.files, nil))
      app.clock.now = written + 31 * Self.day
      #expect(try await app.launch(failing: .exists, with: .accessDenied).get(now(.files)) == "abc")
      #expect(try await app.launch().get(now(.files)) == nil)
    }

    @Test(arguments: plain) func anUpdateOfTheEarlierReleaseIsAWrite(_ address: ProbeAddress) async throws {
      let before = RetainedKey.of(address, nil)
      let written = try await store("abc", for: before)
      app.clock.now = written + 20 * Self.day
      try await app.launchOnClock().update(before) { $0 = "def" }
      try app.dateFile(of: before)
      #expect(try await value(now(address), 49, after: written) == "def")
      #expect(try await value(now(address), 51, after: written) == nil)
    }

    @Test func aTransactionOfTheEarlierReleaseIsAWrite() async throws {
      let before = RetainedKey.of(.preferences, nil)
      let written = try await store("abc", for: before)
      app.clock.now = written + 20 * Self.day
      try await app.launchOnClock().transaction { try await $0.set("def", for: before) }
      #expect(try await value(now(.preferences), 49, after: written) == "def")
      #expect(try await value(now(.preferences), 51, after: written) == nil)
    }

    @Test(arguments: plain) func aValueOfAnEarlierLaunchEndsWithTheFirst(_ address: ProbeAddress) async throws {
      _ = try await store("abc", for: RetainedKey.of(address, nil))
      let router = app.launchOnClock()
      #expect(try await router.get(RetainedKey.of(address, .untilRelaunch)) == nil)
    }

    // MARK: Values that move

    private func moved(from source: StorageKey<String?>, to name: String) -> StorageKey<String?> {
      StorageKey<String?>(
        name: name, domain: .userDefaults(), owner: "Tests", description: "A text.",
        options: StorageKeyOptions(retention: Self.retention),
        migration: { AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(source))) })
    }

    /// The release that adds the retention also moves the value, or encrypts it at its address.
    @Test(
      arguments: [("old", ProbeAddress.preferences), ("old", .keychain), ("old", .files), ("value", .preferences)],
      [true, false])
    func aMigrationKeepsTheTime(_ source: (name: String, address: ProbeAddress), _ isReadBefore: Bool) async throws {
      let before = RetainedKey.of(source.address, nil, name: source.name)
      let key = moved(from: before, to: "value")
      let written = try await store("abc", for: before)
      if isReadBefore {
        #expect(try await value(key, 20, after: written) == "abc")
        #expect(try await value(key, 29, after: written) == "abc")
      }
      app.clock.now = written + 31 * Self.day
      #expect(try await app.launchOnClock().exists(key) == false)
      #expect(try await app.launchOnClock().get(key) == nil)
      #expect(try app.stored(key) == nil)
      #expect(try app.stored(before) == nil)
    }

    /// The value is moved while the clock is behind.
    @Test(arguments: plain) func aMigrationWithAClockThatIsBehindKeepsTheTime(_ address: ProbeAddress) async throws {
      let before = RetainedKey.of(address, nil, name: "old")
      let key = moved(from: before, to: "value")
      let written = try await store("abc", for: before)
      for days in [-900.0, 1, 29] { #expect(try await value(key, days, after: written) == "abc") }
      #expect(try await value(key, 31, after: written) == nil)
    }

    /// The earlier release protects its items again. Their values are as old as before.
    @Test(arguments: [ProbeAddress.keychain, .files])
    func resecuringIsNoWrite(_ address: ProbeAddress) async throws {
      let before = RetainedKey.of(address, nil)
      let written = try await store("abc", for: before)
      app.clock.now = written + 20 * Self.day
      let router = app.launchOnClock()
      try router.register([.key(before)])
      #expect(await router.maintenance.resecure().rewritten == [.init(key: "value", domain: address.domain.kind)])
      #expect(try await value(now(address), 31, after: written) == nil)
    }
  }

  extension RelaunchedApp {
    /// Launches the app again, with databases whose times are those of the clock.
    func launchOnClock() -> StorageRouter {
      let (locations, clock) = (fixture.locations, clock)
      return launch { services in
        services.preferences = UserDefaultsHelper(locations, clock: clock)
        services.keychain = KeychainHelper(in: locations.appFolder, clock: clock)
      }
    }

    /// Sets the time of the file of a key to that of the clock, or to another one. Does nothing for a key of another domain.
    fileprivate func dateFile(of key: StorageKey<String?>, at time: Date? = nil) throws {
      guard key.domain.kind.isFile else { return }
      let configuration = StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: fixture.folder))
      let container = try StorageContainer(key.domain, configuration)
      let file = try fixture.locations.file(of: StorageAddress(container: container, name: key.name))
      try FileManager.default.setAttributes([.modificationDate: time ?? clock.now], ofItemAtPath: file.path)
    }
  }
#endif
