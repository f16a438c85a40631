#if os(Linux)
  import Foundation
  import LocalData
  import ProbeKeys
  import RuntimeTestSupport
  import LocalDataVocabulary
  import TestSupport
  import Testing

  private func number(
    _ name: String = "counter", _ domain: StorageDomain = .userDefaults(), _ security: SecurityPolicy = .none
  ) -> StorageKey<Int> {
    StorageKey(
      name: name, domain: domain, security: security, default: 0, owner: "Tests", description: "A number.")
  }

  /// The counter of the probe in each place, in two catalogs, because a file or preference has one key.
  private enum CounterCatalog: StorageKeyCatalog {
    static let own = number("own", .userDefaults(suite: "own"))

    static var allKeys: [AnyStorageKey] {
      [ProbeAddress.preferences, .groupPreferences, .keychain, .files, .groupFiles].map {
        .key(number("counter", $0.domain, $0.security))
      } + [.key(own)]
    }
  }

  /// The counter in the keychain, with a protection that Linux does not have.
  private enum ProtectedCounterCatalog: StorageKeyCatalog {
    static var allKeys: [AnyStorageKey] {
      [
        .key(number("counter", ProbeAddress.keychain.domain, .keychain(accessControl: .biometryAny))),
        .key(CounterCatalog.own),
      ]
    }
  }

  private enum SealedCounterCatalog: StorageKeyCatalog {
    static var allKeys: [AnyStorageKey] {
      [ProbeAddress.sealedPreferences, .encryptedFiles].map { .key(number("counter", $0.domain, $0.security)) }
        + [.key(CounterCatalog.own)]
    }
  }

  /// Each test waits for a change that must arrive. If a change is not seen, the test ends at the time limit.
  @Suite(.findsHangs) struct ObservationProcessTests {
    @Test(arguments: RouterProcessTests.addresses)
    func aChangeOfAnotherProcessIsSeen(_ word: String) async throws {
      let fixture = try StoreFixture()
      let address = try #require(ProbeAddress(rawValue: word))
      let (router, key) = (StorageRouter.probe(on: fixture), number("counter", address.domain, address.security))
      var values = router.values(of: key).makeAsyncIterator()
      // Nothing exists yet, and watching creates nothing.
      #expect(try await values.next() == 0)
      for value in 41...43 {
        #expect(try ChildProcess.probe("router", fixture, word, "set", "\(value)").code == 0)
        #expect(try await values.next() == value)
      }
      #expect(try ChildProcess.probe("router", fixture, word, "remove").code == 0)
      #expect(try await values.next() == 0)
    }

    /// The event of a commit arrives before the commit can be seen. The last value must not be missed.
    @Test(arguments: ["preferences", "keychain", "files"])
    func theLastOfManyChangesIsSeen(_ word: String) async throws {
      let fixture = try StoreFixture()
      let address = try #require(ProbeAddress(rawValue: word))
      let (router, key) = (StorageRouter.probe(on: fixture), number("counter", address.domain, address.security))
      let child = try ChildProcess(ChildProcess.probe, ["router", fixture.folder.path, word, "increment", "500"])
      var last = -1
      for try await value in router.values(of: key) {
        #expect(value > last)
        last = value
        if value == 500 { break }
      }
      #expect(last == 500)
      #expect(child.wait().code == 0)
    }

    @Test(arguments: RouterProcessTests.addresses)
    func aChangeByAnotherProcessIsOneOfTheCatalog(_ word: String) async throws {
      let address = try #require(ProbeAddress(rawValue: word))
      let isSealed = address == .sealedPreferences || address == .encryptedFiles
      try await expectChangesByAnotherProcess(
        at: address, in: isSealed ? SealedCounterCatalog.self : CounterCatalog.self)
    }

    /// Nothing asks the user on Linux.
    @Test func aChangeOfAProtectedKeyByAnotherProcessIsOneOfTheCatalog() async throws {
      try await expectChangesByAnotherProcess(at: .keychain, in: ProtectedCounterCatalog.self)
    }

    private func expectChangesByAnotherProcess(
      at address: ProbeAddress, in catalog: any StorageKeyCatalog.Type
    ) async throws {
      let (fixture, word) = (try StoreFixture(), address.rawValue)
      let router = StorageRouter.probe(on: fixture)
      try router.registerCatalog(catalog)
      let (changed, continuation) = AsyncStream.makeStream(of: AnyStorageKey.self)
      let task = Task { for try await key in router.changes(in: catalog) { continuation.yield(key) } }
      var keys = changed.makeAsyncIterator()
      // Until the first change is seen, the observation may not have begun.
      let first = Task {
        while !Task.isCancelled {
          try await router.update(CounterCatalog.own) { $0 += 1 }
          try await Task.sleep(for: .milliseconds(1))
        }
      }
      #expect(await keys.next()?.name == "own")
      first.cancel()
      _ = await first.result
      for words in [["set", "41"], ["increment", "1"], ["remove"]] {
        let end = try ChildProcess.run(ChildProcess.probe, ["router", fixture.folder.path, word] + words)
        #expect(end.code == 0, "\(end)")
        var seen = await keys.next()
        while seen?.name == "own" { seen = await keys.next() }
        #expect(seen?.name == "counter" && seen?.domain == address.domain, "\(words)")
      }
      task.cancel()
    }

    @Test func aFolderThatIsRemovedAndCreatedAgainIsWatched() async throws {
      let fixture = try StoreFixture()
      let (router, key) = (
        StorageRouter.probe(on: fixture), number("counter", ProbeAddress.files.domain, ProbeAddress.files.security)
      )
      var values = router.values(of: key).makeAsyncIterator()
      #expect(try await values.next() == 0)
      #expect(try ChildProcess.probe("router", fixture, "files", "set", "1").code == 0)
      #expect(try await values.next() == 1)
      for name in try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path) {
        try FileManager.default.removeItem(atPath: fixture.path(name))
      }
      #expect(try await values.next() == 0)
      #expect(try ChildProcess.probe("router", fixture, "files", "set", "2").code == 0)
      #expect(try await values.next() == 2)
    }
  }
#endif
