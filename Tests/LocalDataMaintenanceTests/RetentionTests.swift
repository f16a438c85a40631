#if os(Linux)
  import Foundation
  import LocalDataTesting
  import ProbeKeys
  import RuntimeTestSupport
  import LocalDataVocabulary
  import Testing

  @testable import LocalData
  @testable import LocalDataMaintenance

  /// A value is removed when its retention has ended, and never before, also after restarts.
  @Suite struct RetentionTests {
    let app: RelaunchedApp

    init() throws { app = try RelaunchedApp() }

    // MARK: maxAge

    @Test(arguments: ProbeAddress.allCases)
    func aValueIsRemovedWhenItIsReadAtItsAge(_ address: ProbeAddress) async throws {
      let key = RetainedKey.of(address, .maxAge(seconds: 60))
      try await app.launch().set("abc", for: key)
      app.clock.advance(by: 58)
      let router = app.launch()
      #expect(try await router.get(key) == "abc")
      #expect(try await router.exists(key))
      app.clock.advance(by: 1)
      #expect(try await router.get(key) == nil)
      #expect(try app.stored(key) == nil, "it is still stored")
    }

    /// SQLite's log contains former values until it is emptied.
    @Test func noFileContainsAnEncryptedValueThatHasEnded() async throws {
      let key = RetainedKey.of(.sealedPreferences, .maxAge(seconds: 60))
      try await app.launch().set("abc", for: key)
      let sealed = try #require(try app.stored(key))
      func holders() throws -> [String] {
        try app.fixture.permissions().keys.filter { name in
          FileManager.default.contents(atPath: app.fixture.path(name))?.range(of: sealed) != nil
        }
      }
      #expect(try holders() != [])
      app.clock.advance(by: 60)
      #expect(try await app.launch().get(key) == nil)
      #expect(try holders() == [])
    }

    @Test(arguments: ProbeAddress.allCases)
    func aValueOfItsAgeDoesNotExistAndIsNotUpdated(_ address: ProbeAddress) async throws {
      let key = RetainedKey.of(address, .maxAge(seconds: 60))
      let router = app.launch()
      try await router.set("abc", for: key)
      app.clock.advance(by: 60)
      #expect(try await router.exists(key) == false)
      try await router.set("abc", for: key)
      app.clock.advance(by: 60)
      #expect(try await router.update(key) { $0 = ($0 ?? "none") + "!" } == "none!")
    }

    @Test(arguments: [ProbeAddress.preferences, .sealedPreferences, .groupPreferences, .keychain])
    func aTransactionDoesNotReadAValueOfItsAge(_ address: ProbeAddress) async throws {
      let key = RetainedKey.of(address, .maxAge(seconds: 60))
      let router = app.launch()
      try await router.set("abc", for: key)
      app.clock.advance(by: 59)
      #expect(try await router.transaction { try await $0.get(key) } == "abc")
      app.clock.advance(by: 1)
      let changed = try await router.transaction { transaction in
        let value = (try await transaction.get(key) ?? "none") + "!"
        try await transaction.set(value, for: key)
        return value
      }
      #expect(changed == "none!")
      #expect(try await router.get(key) == "none!")
      app.clock.advance(by: 60)
      #expect(try await router.transaction { try await $0.get(key) } == nil)
      #expect(try app.stored(key) == nil, "it is still stored")
    }

    @Test(.findsHangs, arguments: ProbeAddress.allCases)
    func aValueOfItsAgeIsNotAmongTheValuesOfItsKey(_ address: ProbeAddress) async throws {
      let key = RetainedKey.of(address, .maxAge(seconds: 60))
      let router = app.launch()
      try await router.set("abc", for: key)
      app.clock.advance(by: 59)
      var values = router.values(of: key).makeAsyncIterator()
      #expect(try await values.next() == "abc")
      app.clock.advance(by: 1)
      var later = router.values(of: key).makeAsyncIterator()
      #expect(try await later.next() == .some(nil))
      try #require(try app.stored(key) == nil, "it is still stored")
      try await router.set("def", for: key)
      #expect(try await values.next() == "def")
      #expect(try await later.next() == "def")
    }

    @Test(arguments: ProbeAddress.allCases)
    func anUpdateCountsAsAWriteByTheInjectedClock(_ address: ProbeAddress) async throws {
      let key = RetainedKey.of(address, .maxAge(seconds: 60))
      let router = app.launch()
      try await router.set("a", for: key)
      app.clock.advance(by: 50)
      try await router.update(key) { $0 = ($0 ?? "") + "b" }
      app.clock.advance(by: 50)
      #expect(try await router.get(key) == "ab")
      app.clock.advance(by: 10)
      #expect(try await router.get(key) == nil)
    }

    @Test(arguments: [Retention.maxAge(seconds: 60), .untilRelaunch, .untilReinstall])
    func aClockThatIsSetBackRemovesNothing(_ retention: Retention) async throws {
      let key = RetainedKey.of(.keychain, retention)
      let router = app.launch()
      try await router.set("a", for: key)
      app.clock.advance(by: -3_600)
      #expect(try await router.get(key) == "a")
      // What is written now is not older than the launch.
      try await router.set("b", for: key)
      #expect(try await router.get(key) == "b")
      app.clock.advance(by: 3_600)
      #expect(try await router.get(key) == (retention == .maxAge(seconds: 60) ? nil : "b"))
    }

    // MARK: until

    @Test(arguments: [ProbeAddress.preferences, .sealedPreferences, .keychain, .files, .encryptedFiles])
    func aValueUntilRelaunchEndsWithTheNextLaunch(_ address: ProbeAddress) async throws {
      let key = RetainedKey.of(address, .untilRelaunch)
      let router = app.launch()
      try await router.set("abc", for: key)
      #expect(try await router.get(key) == "abc")
      #expect(try await app.launch(isExtension: true).get(key) == "abc", "an extension is no launch of the app")
      #expect(try await app.launch().get(key) == nil)
      #expect(try app.stored(key) == nil)
    }

    /// The values of an extension, or of another process of the app, seem older than the launch of this one.
    @Test(arguments: [true, false])
    func aClockThatIsSetBackKeepsTheValueOfAnotherProcess(_ isExtension: Bool) async throws {
      let key = RetainedKey.of(.preferences, .untilRelaunch)
      let first = app.launch(isLater: false)
      #expect(try await first.get(key) == nil)
      app.clock.advance(by: -3_600)
      let second = app.launch(isExtension: isExtension)
      try await second.set("abc", for: key)
      #expect(try await first.get(key) == "abc")
      app.clock.advance(by: 3_600)
      #expect(try await first.get(key) == "abc")
      app.clock.advance(by: 1)
      #expect(try await app.launch().get(key) == nil)
    }

    @Test func aSecondRouterOfTheSameLaunchKeepsTheValue() async throws {
      let key = RetainedKey.of(.preferences, .untilRelaunch)
      let (first, second) = (app.launch(), app.launch(isLater: false))
      try await first.set("abc", for: key)
      #expect(try await second.get(key) == "abc")
    }

    @Test func aValueUntilReinstallOutlivesLaunchesAndNoInstallation() async throws {
      let key = RetainedKey.of(.keychain, .untilReinstall)
      try await app.launch().set("abc", for: key)
      #expect(try await app.launch().get(key) == "abc")
      try uninstall()
      #expect(try await app.launch(isExtension: true).get(key) == "abc", "an extension cannot tell")
      let router = app.launch()
      #expect(try await router.get(key) == nil)
      #expect(try app.stored(key) == nil)
      try await router.set("def", for: key)
      #expect(try await app.launch().get(key) == "def")
    }

    /// The value is not written before the installation in which it is written.
    @Test func aClockThatIsSetBackAfterAReinstallationRemovesNothing() async throws {
      let key = RetainedKey.of(.keychain, .untilReinstall)
      try await app.launch().set("abc", for: key)
      try uninstall()
      #expect(try await app.launch().get(key) == nil)
      app.clock.advance(by: -3_600)
      let router = app.launch()
      try await router.set("def", for: key)
      #expect(try await router.get(key) == "def")
      #expect(try await app.launch().get(key) == "def")
      app.clock.advance(by: 3_600)
      #expect(try await app.launch().get(key) == "def")
    }

    @Test func aValueOfAReleaseThatKnewNoInstallationsIsKept() async throws {
      let key = RetainedKey.of(.keychain, .untilReinstall)
      try await app.launch { $0.installation = nil }.set("abc", for: key)
      #expect(try await app.launch().get(key) == "abc")
      #expect(try await app.launch().get(key) == "abc")
      try uninstall()
      #expect(try await app.launch().get(key) == nil)
    }

    @Test func whatCannotBeFoundOutRemovesNothing() async throws {
      let key = RetainedKey.of(.keychain, .untilReinstall)
      try await app.launch().set("abc", for: key)
      try Data("no marker".utf8).write(to: URL(fileURLWithPath: marker))
      #expect(try await app.launch().get(key) == "abc")
    }

    private var marker: String { app.fixture.path("data/.local-data.installed") }

    /// Removes what an uninstall removes, and leaves the keychain.
    private func uninstall() throws { try FileManager.default.removeItem(atPath: marker) }

    // MARK: Migrations

    /// The key has another name, or at the same address another policy.
    @Test(
      arguments: [("old", ProbeAddress.preferences), ("new", .preferences), ("old", .encryptedFiles)],
      [Retention.maxAge(seconds: 60), .untilRelaunch])
    func aMigrationIsNoWrite(_ source: (name: String, address: ProbeAddress), _ retention: Retention) async throws {
      let before = RetainedKey.of(source.address, retention, name: source.name)
      let now = StorageKey<String?>(
        name: "new", domain: .userDefaults(), owner: "Tests", description: "A text.",
        options: StorageKeyOptions(retention: retention),
        migration: { AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(before))) })
      let router = app.launch()
      try await router.set("abc", for: before)
      app.clock.advance(by: 40)
      if retention != .untilRelaunch {
        #expect(try await app.launch().get(now) == "abc")
        app.clock.advance(by: 17)
        #expect(try await app.launch().get(now) == "abc")
        app.clock.advance(by: 1)
      }
      #expect(try await app.launch().get(now) == nil)
      #expect(try app.stored(now) == nil)
      #expect(try app.stored(before) == nil)
    }

    private func moved(
      _ retention: Retention, to name: String, from source: StorageKey<String?>,
      _ security: SecurityPolicy = .recommended
    ) -> StorageKey<String?> {
      StorageKey<String?>(
        name: name, domain: .userDefaults(), security: security, owner: "Tests", description: "A text.",
        options: StorageKeyOptions(retention: retention),
        migration: { AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(source))) })
    }

    /// An encrypted source has its time without a retention.
    @Test(
      arguments: [
        ("old", ProbeAddress.preferences, true), ("new", .preferences, true), ("old", .encryptedFiles, true),
        ("old", .encryptedFiles, false),
      ])
    func anEndedValueOfASourceIsNeitherUpdatedNorPresent(
      _ source: (name: String, address: ProbeAddress, isRetained: Bool)
    ) async throws {
      let retention = Retention.maxAge(seconds: 60)
      let before = RetainedKey.of(source.address, source.isRetained ? retention : nil, name: source.name)
      let now = moved(retention, to: "new", from: before)
      try await app.launch().set("abc", for: before)
      app.clock.advance(by: 57)
      #expect(try await app.launch().exists(now))
      app.clock.advance(by: 1)
      #expect(try await app.launch().exists(now) == false)
      #expect(try await app.launch().update(now) { $0 = ($0 ?? "none") + "!" } == "none!")
      app.clock.advance(by: 56)
      #expect(try await app.launch().get(now) == "none!")
      if source.name == "old" { #expect(try app.stored(before) == nil) }
    }

    /// A key that comes back to an earlier name finds there what the release before left behind.
    @Test(arguments: ["get", "exists", "update", "sweep"])
    func anEndedValueThatWasLeftBehindKeepsTheValueOfTheSource(_ verb: String) async throws {
      let retention = Retention.maxAge(seconds: 60)
      let first = RetainedKey.of(.preferences, retention, name: "a")
      try await app.launch().set("old", for: first)
      app.clock.advance(by: 50)
      try await app.launch().set("new", for: moved(retention, to: "b", from: first, .none))
      #expect(try app.stored(first) != nil)
      app.clock.advance(by: 20)
      let key = moved(retention, to: "a", from: RetainedKey.of(.preferences, retention, name: "b"), .none)
      let router = app.launch()
      try router.register([.key(key)])
      switch verb {
      case "exists": #expect(try await router.exists(key))
      case "update": #expect(try await router.update(key) { $0 = $0.map { $0 + "!" } } == "new!")
      case "sweep":
        #expect(await router.maintenance.sweep() == .init(ended: [.init(key: "a", domain: .userDefaults)]))
        #expect(try app.stored(key) == nil, "the ended value is still stored")
      default: break
      }
      let later = app.launch()
      #expect(try await later.get(key) == (verb == "update" ? "new!" : "new"))
      #expect(try await later.get(RetainedKey.of(.preferences, retention, name: "b")) == nil)
      // The time of the value is that of its write.
      app.clock.advance(by: verb == "update" ? 61 : 41)
      #expect(try await app.launch().get(key) == nil)
    }

    // MARK: Other features

    /// A value that an earlier release stores after the move is the newest value. It is as old as its
    /// write.
    @Test func aValueThatAnEarlierReleaseHasStoredEndsToo() async throws {
      let source = RetainedKey.of(.preferences, nil, name: "old")
      let key = StorageKey<String?>(
        name: "new", domain: .keychain(), security: .keychain(), owner: "Tests", description: "A text.",
        options: StorageKeyOptions(retention: .maxAge(seconds: 60)),
        migration: { AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(source))) })
      try await app.launchOnClock().set("abc", for: source)
      #expect(try await app.launchOnClock().get(key) == "abc")
      // An earlier release stores a value again.
      try await app.launchOnClock().set("def", for: source)
      app.clock.advance(by: 50)
      #expect(try await app.launchOnClock().get(key) == "def")
      app.clock.advance(by: 10)
      let router = app.launchOnClock()
      #expect(try await router.get(key) == nil)
      #expect(try await router.get(source) == nil)
    }

    @Test func anEndedValueThatCannotBeRemovedIsNotRead() async throws {
      let key = RetainedKey.of(.files, .maxAge(seconds: 60))
      try await app.launch().set("abc", for: key)
      app.clock.advance(by: 60)
      let router = app.launch(failing: .update, with: .outOfSpace)
      await #expect(throws: StorageError(.outOfSpace, .init(key: "value", domain: .fileSystem))) {
        try await router.get(key)
      }
      #expect(try app.stored(key) != nil)
    }

    @Test func aValueThatAnotherProcessWritesBeforeTheRemovalStays() async throws {
      let key = RetainedKey.of(.files, .maxAge(seconds: 60))
      let (memory, clock) = (MemoryStore(), app.clock)
      func router(_ store: any ValueStore) -> StorageRouter {
        StorageRouter(configuration: StorageConfiguration(), clock: clock) { StorageServices(over: store, $0) }
      }
      let other = router(memory)
      try await other.set("abc", for: key)
      clock.advance(by: 60)
      let interrupted = InterruptedStore(base: memory) { try await other.set("def", for: key) }
      #expect(try await router(interrupted).get(key) == "def")
    }
  }
#endif
