#if os(Linux)
  import Foundation
  import LocalDataTesting
  import RuntimeTestSupport
  import LocalDataVocabulary
  import Testing

  @testable import LocalData
  @testable import LocalDataSync

  /// The history on the disk.
  @Suite struct SyncHistoryFileTests {
    private let fixture: StoreFixture
    private let linked = LinkedTransports()

    init() throws { fixture = try StoreFixture() }

    private func router(isLinked: Bool = true) throws -> StorageRouter {
      let router = StorageRouter(
        configuration: StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: fixture.folder)))
      try router.registerCatalog(SyncedCatalog.self)
      if isLinked { router.sync.setTransport(linked.phone) }
      return router
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: fixture.path(path)) }

    @Test func aRestartedAppIsTheSameDeviceAndCountsOn() async throws {
      var last: UInt64 = 0
      for value in 1...3 {
        let router = try router()
        for key in SyncedKeys.all { try await router.set(value, for: key) }
        try await router.sync.sendAll()
        let entries = try SyncPayload(try #require(linked.watch.received)).entries
        #expect(entries.count == SyncedKeys.all.count)
        // One device in the app's data, one in the group's container.
        #expect(Set(entries.map(\.version.device)).count == 2)
        let lowest = try #require(entries.map(\.version.counter).min())
        #expect(lowest > last)
        last = try #require(entries.map(\.version.counter).max())
      }
      for (name, mode) in try fixture.permissions() where name.contains(".sync") {
        #expect(mode == (name.hasSuffix(".sync") ? 0o700 : 0o600), "\(name)")
      }
      #expect(exists("data/.sync/versions") && exists("groups/group.tests/.sync/versions"))
    }

    @Test func withoutATransportNothingIsRecorded() async throws {
      let router = try router(isLinked: false)
      for key in SyncedKeys.all { try await router.set(1, for: key) }
      try await router.update(SyncedKeys.plain) { $0 = 2 }
      try await router.remove(SyncedKeys.plain)
      #expect(!exists("data/.sync") && !exists("groups/group.tests/.sync"))
    }

    /// A process without a transport, such as an extension of the app, histories changes once the app has taken part in sync.
    @Test func aDeviceThatTookPartInSyncRecordsWithoutATransport() async throws {
      try await router().set(1, for: SyncedKeys.plain)
      try await router(isLinked: false).set(2, for: SyncedKeys.plain)
      let app = try router()
      try await app.set(1, for: SyncedKeys.sealed)
      let payload = try SyncPayload(try #require(linked.watch.received))
      #expect(payload.entries.contains { $0.bytes == Data("2".utf8) })
    }

    @Test func aKeyThatIsNotSyncedLeavesNoRecord() async throws {
      let router = try router()
      try await router.set(1, for: SyncedKeys.number("never", .userDefaults(), .none, .never))
      _ = try await router.get(SyncedKeys.plain)
      #expect(!exists("data/.sync"))
    }

    @Test func aDamagedRecordIsSetAsideAndSetSucceeds() async throws {
      try await router().set(1, for: SyncedKeys.plain)
      let path = fixture.path("data/.sync/versions")
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      bytes[30] ^= 1
      bytes += Data(repeating: 7, count: 100)
      try bytes.write(to: URL(fileURLWithPath: path))
      let second = try router()
      var events = second.sync.events.makeAsyncIterator()
      try await second.set(2, for: SyncedKeys.plain)
      #expect(await events.next() == .historySetAside)
      #expect(try await second.get(SyncedKeys.plain) == 2)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".damaged")) == bytes)
      let payload = try #require(linked.watch.received)
      let header = try SyncPayload(payload).header
      #expect(header.asks > 0, "it asks for everything")
      // The next launch finds a history that it can read.
      let third = try router()
      try await third.set(3, for: SyncedKeys.plain)
      #expect(try SyncPayload(try #require(linked.watch.received)).header.sender == header.sender)
    }

    @Test func aRecordOfALaterVersionIsSetAside() async throws {
      try await router().set(1, for: SyncedKeys.plain)
      let url = URL(fileURLWithPath: fixture.path("data/.sync/versions"))
      var bytes = try Data(contentsOf: url)
      bytes[7] = 9
      try bytes.write(to: url)
      let second = try router()
      var events = second.sync.events.makeAsyncIterator()
      try await second.set(2, for: SyncedKeys.plain)
      #expect(await events.next() == .historySetAside)
      #expect(try await second.get(SyncedKeys.plain) == 2)
    }

    @Test func aLinkInTheRecordsPlaceIsNotFollowedAndSetSucceeds() async throws {
      try FileManager.default.createDirectory(atPath: fixture.path("data/.sync"), withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: fixture.path("data/.sync/versions"), withDestinationPath: fixture.path("elsewhere"))
      let router = try router()
      var events = router.sync.events.makeAsyncIterator()
      try await router.set(2, for: SyncedKeys.plain)
      #expect(
        await events.next()
          == .versionNotNoted(.of(SyncedKeys.plain), StorageError(.io(errno: ELOOP), .of(SyncedKeys.plain), .sync)))
      #expect(try await router.get(SyncedKeys.plain) == 2)
      #expect(!exists("elsewhere"))
    }
  }
#endif
