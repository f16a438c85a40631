import Foundation
import LocalDataTesting
import StorageVocabulary
import Testing

@testable import LocalData

@Suite struct SyncRecordTests {
  private let key = SyncKey(name: "k", domain: .userDefaults())
  private let own = UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  private let other = UUID(uuid: (2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

  private func stamp(_ counter: UInt64, _ device: UUID, isRemoval: Bool = false) -> SyncStamp {
    SyncStamp(version: SyncVersion(counter: counter, device: device), isRemoval: isRemoval)
  }

  @Test func theHigherCounterWinsAndOfEqualOnesTheHigherDevice() {
    #expect(stamp(1, other).version < stamp(2, own).version)
    #expect(stamp(2, own).version < stamp(2, other).version)
    #expect(!(stamp(2, own).version < stamp(2, own).version))
  }

  @Test func aChangeIsOneMoreThanAllThatIsKnown() {
    var record = SyncRecord(device: own)
    #expect(record.begin(key, isPresent: false, isRemoval: false) == stamp(1, own))
    record.beginReceived(stamp(7, other), for: key, isPresent: true)
    record.settle(stamp(7, other), for: key, isWatchForm: false)
    #expect(record.begin(key, isPresent: true, isRemoval: true) == stamp(8, own, isRemoval: true))
  }

  @Test func whetherAChangeOfItsOwnTookEffectShowsByTheValue() {
    var record = SyncRecord(device: own)
    _ = record.begin(key, isPresent: false, isRemoval: false)
    #expect(record.knowledge(of: key, isPresent: true) == .version(stamp(1, own)))
    #expect(record.knowledge(of: key, isPresent: false) == .nothing)
    _ = record.begin(key, isPresent: true, isRemoval: true)
    #expect(record.knowledge(of: key, isPresent: true) == .version(stamp(1, own)))
    #expect(record.knowledge(of: key, isPresent: false) == .version(stamp(2, own, isRemoval: true)))
    // Removed, and then a set that did not happen: what was removed does not come back.
    _ = record.begin(key, isPresent: false, isRemoval: false)
    #expect(record.knowledge(of: key, isPresent: false) == .version(stamp(2, own, isRemoval: true)))
    #expect(!record.accepts(stamp(1, other), for: key, isPresent: false))
  }

  @Test func aReceivedValueThatWasCutShortWaitsForItself() {
    var record = SyncRecord(device: own)
    _ = record.begin(key, isPresent: false, isRemoval: false)
    record.beginReceived(stamp(5, other), for: key, isPresent: true)
    #expect(record.stampToSend(key, isPresent: true) == nil)
    #expect(!record.accepts(stamp(4, other), for: key, isPresent: true))
    #expect(record.accepts(stamp(5, other), for: key, isPresent: true))
    #expect(record.begin(key, isPresent: true, isRemoval: false) == stamp(6, own))
  }

  @Test func aRecordComesBackFromItsBytes() throws {
    var record = SyncRecord(device: own)
    _ = record.begin(key, isPresent: false, isRemoval: false)
    let second = SyncKey(name: "l", domain: .keychain(service: "s"))
    record.beginReceived(stamp(5, other, isRemoval: true), for: second, isPresent: true)
    record.settle(stamp(6, other), for: SyncKey(name: "m", domain: .userDefaults()), isWatchForm: true)
    #expect(try SyncRecord(record.bytes) == record)
    for count in 0..<record.bytes.count {
      #expect(throws: StorageFault.corrupted) { try SyncRecord(record.bytes.prefix(count)) }
    }
    #expect(throws: StorageFault.corrupted) { try SyncRecord(record.bytes + [0]) }
    var later = record.bytes
    later[7] = 2
    #expect(throws: StorageFault.unknownFormatVersion) { try SyncRecord(later) }
  }

  #if os(Linux)
    // MARK: On the disk

    private func router(_ fixture: StoreFixture) throws -> StorageRouter {
      let router = StorageRouter(
        configuration: StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: fixture.folder)))
      try router.registerCatalog(SyncedCatalog.self)
      return router
    }

    @Test func aRestartedAppIsTheSameDeviceAndCountsOn() async throws {
      let fixture = try StoreFixture()
      let linked = LinkedTransports()
      for value in 1...3 {
        let router = try router(fixture)
        router.sync.use(linked.phone)
        for key in SyncedKeys.all { try await router.set(value, for: key) }
        try await router.sync.sendAll()
      }
      let entries = try SyncPayload(try #require(linked.watch.received)).entries
      #expect(entries.count == SyncedKeys.all.count)
      // One device in the app's data, one in the group's container.
      #expect(Set(entries.map(\.version.device)).count == 2)
      #expect(entries.map(\.version.counter).max() == 12)
      for (name, mode) in try fixture.permissions() where name.contains(".sync") {
        #expect(mode == (name.hasSuffix(".sync") ? 0o700 : 0o600), "\(name)")
      }
      #expect(FileManager.default.fileExists(atPath: fixture.path("data/.sync/record")))
      #expect(FileManager.default.fileExists(atPath: fixture.path("groups/group.tests/.sync/record")))
    }

    @Test func aKeyThatIsNotSyncedLeavesNoRecord() async throws {
      let fixture = try StoreFixture()
      let router = try router(fixture)
      try await router.set(1, for: SyncedKeys.number("never", .userDefaults(), .none, .never))
      _ = try await router.get(SyncedKeys.plain)
      #expect(!FileManager.default.fileExists(atPath: fixture.path("data/.sync")))
    }

    @Test func aDamagedRecordIsItsOwnErrorAndTheValueStays() async throws {
      let fixture = try StoreFixture()
      let first = try router(fixture)
      try await first.set(1, for: SyncedKeys.plain)
      let path = fixture.path("data/.sync/record")
      try Data("LDSREC\0\u{1}".utf8).write(to: URL(fileURLWithPath: path))
      let second = try router(fixture)
      await #expect(throws: StorageError.corrupted(.of(SyncedKeys.plain))) {
        try await second.set(2, for: SyncedKeys.plain)
      }
      #expect(try await second.get(SyncedKeys.plain) == 1)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == 8)
    }

    @Test func aLinkInTheRecordsPlaceIsNotFollowed() async throws {
      let fixture = try StoreFixture()
      try FileManager.default.createDirectory(atPath: fixture.path("data/.sync"), withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: fixture.path("data/.sync/record"), withDestinationPath: fixture.path("elsewhere"))
      let router = try router(fixture)
      await #expect(throws: StorageError.io(.of(SyncedKeys.plain), .write, errno: ELOOP)) {
        try await router.set(2, for: SyncedKeys.plain)
      }
      #expect(!FileManager.default.fileExists(atPath: fixture.path("elsewhere")))
    }
  #endif
}
