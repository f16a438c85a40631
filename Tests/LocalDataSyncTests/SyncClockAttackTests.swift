import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@testable import LocalData
@testable import LocalDataSync

/// Tests of a payload whose counters are far ahead of the time. Two honest devices are not stopped by it: their histories stay
/// readable, and their later changes win and arrive.
@Suite struct SyncClockAttackTests {
  private let phone: SyncDevice
  private let watch: SyncDevice
  private let clock = StepClock()

  init() throws { (phone, watch) = try SyncDevice.pair(clock: clock) }

  /// A payload of a third device that sets the key to 666.
  private func payload(clock: UInt64, counter: UInt64, asks: UInt64 = 0) -> Data {
    let device = UUID()
    let entry = SyncPayload.Entry(
      key: AnyStorageKey(SyncedKeys.plain).syncKey, version: SyncVersion(counter: counter, device: device), schema: 1,
      isWatchRepresentation: false, bytes: Data("666".utf8))
    return SyncPayload(
      header: SyncPayload.Header(sender: device, clock: clock, asks: asks), entries: [entry]
    ).bytes
  }

  /// The largest counter that the phone accepts now.
  private var limit: UInt64 {
    UInt64((clock.now.timeIntervalSince1970 * 1_000).rounded()) + HybridClock.largestLead
  }

  /// Sets the key on both devices in turn, and expects each value on the other one.
  private func expectThatChangesArrive() async throws {
    for value in 1...4 {
      let device = value.isMultiple(of: 2) ? watch : phone
      try await device.router.set(value, for: SyncedKeys.plain)
      await SyncDevice.exchange(phone, watch)
      #expect(try await phone.router.get(SyncedKeys.plain) == value)
      #expect(try await watch.router.get(SyncedKeys.plain) == value)
    }
    for device in [phone, watch] {
      let clock = try #require(device.histories.state[.app]?.clock.counter)
      #expect(HybridClock.accepts(clock, at: self.clock.now))
    }
  }

  @Test(arguments: [1 << 62, (1 << 62) - 1, 1 << 50] as [UInt64])
  func aPayloadBeyondTheLimitChangesNothing(_ counter: UInt64) async throws {
    try await phone.router.set(0, for: SyncedKeys.plain)
    await SyncDevice.exchange(phone, watch)
    let events = await phone.router.sync.receive(payload(clock: counter, counter: counter))
    #expect(events == [.ignored(.init(key: nil, domain: nil), .counterOutOfRange)])
    #expect(try await phone.router.get(SyncedKeys.plain) == 0)
    try await expectThatChangesArrive()
  }

  @Test func anEntryBeyondTheLimitChangesNothing() async throws {
    let events = await phone.router.sync.receive(payload(clock: limit, counter: 1 << 62))
    #expect(events == [.ignored(.of(SyncedKeys.plain), .counterOutOfRange)])
    try await expectThatChangesArrive()
  }

  /// The payload is accepted, as a change of 2304 is. Later changes win over it on both devices.
  @Test func aPayloadAtTheLimitStopsNeitherDevice() async throws {
    let limit = limit
    let events = await phone.router.sync.receive(payload(clock: limit, counter: limit))
    #expect(events.contains(.received(.of(SyncedKeys.plain))))
    try await expectThatChangesArrive()
  }

  /// The watch's wall clock is a minute behind: it refuses the phone's changes for that time, and loses none.
  @Test func aDeviceWhoseClockIsBehindTakesTheChangesLater() async throws {
    let late = StepClock()
    let (phone, watch) = (phone, try SyncDevice(.watch, watch.transport, clock: late))
    clock.move(to: late.now.addingTimeInterval(60))
    let limit = limit
    await phone.router.sync.receive(payload(clock: limit, counter: limit))
    try await phone.router.set(1, for: SyncedKeys.plain)
    #expect(await watch.receiveLast() == [.ignored(.init(key: nil, domain: nil), .counterOutOfRange)])
    late.move(to: clock.now)
    await watch.receiveLast()
    await SyncDevice.exchange(phone, watch)
    #expect(try await watch.router.get(SyncedKeys.plain) == 1)
    try await watch.router.set(2, for: SyncedKeys.plain)
    await SyncDevice.exchange(phone, watch)
    #expect(try await phone.router.get(SyncedKeys.plain) == 2)
  }

  /// The history of a file, not only the one in memory, is read again after the payload.
  @Test func theRecordOnDiskStaysReadable() async throws {
    let fixture = try StoreFixture()
    @Sendable func histories() -> SyncHistoryLogs {
      SyncHistoryLogs { [locations = fixture.locations] keyset throws(StorageProblem) in
        try locations.syncFolder(of: keyset)
      }
    }
    func router() throws -> StorageRouter {
      let configuration = StorageConfiguration(platform: .phone)
      let router = StorageRouter(configuration: configuration, clock: clock) { [store = phone.store] in
        StorageServices(over: store, $0, syncRecords: histories())
      }
      try router.registerCatalog(SyncedCatalog.self)
      router.sync.setTransport(phone.transport)
      return router
    }
    for counter in [1 << 62, limit] {
      await (try router()).sync.receive(payload(clock: counter, counter: counter))
      try await router().set(1, for: SyncedKeys.plain)
      try histories().read(.app) { history throws(StorageProblem) in
        #expect(history.clock.counter < HybridClock.largestCounter)
        #expect(history.entries[AnyStorageKey(SyncedKeys.plain).syncKey]?.latest?.isPossible == true)
      }
    }
  }
}
