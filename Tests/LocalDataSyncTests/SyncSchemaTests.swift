import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataVocabulary
import Testing

@_spi(Generated) @testable import LocalData
@testable import LocalDataSync

private enum First: StorageKeyCatalog {
  static let features: [StorageFeature] = [.sync]
  static var allKeys: [AnyStorageKey] { [.key(VersionedKey.first), .key(SyncedKeys.plain)] }
}

private enum Second: StorageKeyCatalog {
  static let features: [StorageFeature] = [.sync]
  static var allKeys: [AnyStorageKey] { [.key(VersionedKey.second), .key(SyncedKeys.plain)] }
}

private enum WithoutIt: StorageKeyCatalog {
  static let features: [StorageFeature] = [.sync]
  static var allKeys: [AnyStorageKey] { [.key(SyncedKeys.plain)] }
}

/// A key whose enum has another case in the second release.
private enum EnumKey {
  enum One: String, Codable, CaseIterable { case planned }
  enum Two: String, Codable, CaseIterable { case planned, cancelled }

  static let one = key(One.planned)
  static let two = key(Two.planned)

  private static func key<Value: Codable & Sendable>(_ value: Value) -> StorageKey<Value> {
    StorageKey(
      name: "state", domain: .userDefaults(), security: .none, default: value, owner: "Tests", description: "A state.",
      syncPolicy: .automaticSmall)
  }
}

private enum OneCase: StorageKeyCatalog {
  static let features: [StorageFeature] = [.sync]
  static var allKeys: [AnyStorageKey] { [.key(EnumKey.one), .key(SyncedKeys.plain)] }
}

private enum TwoCases: StorageKeyCatalog {
  static let features: [StorageFeature] = [.sync]
  static var allKeys: [AnyStorageKey] { [.key(EnumKey.two), .key(SyncedKeys.plain)] }
}

/// Two devices whose apps are of different releases.
@Suite struct SyncSchemaTests {
  private let phone: SyncDevice
  private let watch: SyncDevice

  init() throws {
    (phone, watch) = try SyncDevice.pair(clock: StepClock())
    try install(First.self, on: phone, watch)
  }

  private func install(_ catalog: any StorageKeyCatalog.Type, on devices: SyncDevice...) throws {
    for device in devices {
      device.catalog = catalog
      try device.restart()
    }
  }

  @Test func aRemovalArrivesAtADeviceWithAnOlderSchema() async throws {
    try await phone.router.set(5, for: VersionedKey.first)
    await SyncDevice.exchange(phone, watch)
    try install(Second.self, on: phone)
    try await phone.router.remove(VersionedKey.second)
    #expect(await watch.receive() == [.received(.of(VersionedKey.first))])
    #expect(try await watch.router.get(VersionedKey.first) == nil)
  }

  @Test func aValueOfAnOlderSchemaIsUpgraded() async throws {
    try install(Second.self, on: watch)
    try await phone.router.set(5, for: VersionedKey.first)
    #expect(await watch.receive() == [.received(.of(VersionedKey.second))])
    #expect(try await watch.router.get(VersionedKey.second) == "number 5")
  }

  @Test func aValueThatCannotBeUpgradedIsRefusedAlone() async throws {
    try install(Second.self, on: watch)
    try await phone.router.set(666, for: VersionedKey.first)
    try await phone.router.set(1, for: SyncedKeys.plain)
    let events = await watch.receive()
    #expect(events.contains(.ignored(.of(VersionedKey.second), .wrongType)))
    #expect(events.contains(.received(.of(SyncedKeys.plain))))
  }

  @Test func aNewerValueArrivesOnceTheAppIsUpdated() async throws {
    try install(Second.self, on: phone)
    try await phone.router.set("a", for: VersionedKey.second)
    #expect(await watch.receive() == [.ignored(.of(VersionedKey.first), .newerSchema)])
    await SyncDevice.exchange(phone, watch)
    try install(Second.self, on: watch)
    await watch.receiveLast()
    await SyncDevice.exchange(phone, watch)
    #expect(try await watch.router.get(VersionedKey.second) == "a")
  }

  @Test func aNewCaseArrivesOnceTheAppIsUpdated() async throws {
    try install(OneCase.self, on: watch)
    try install(TwoCases.self, on: phone)
    try await phone.router.set(.cancelled, for: EnumKey.two)
    #expect(await watch.receive() == [.ignored(.of(EnumKey.one), .newerValue)])
    #expect(try await watch.router.get(EnumKey.one) == .planned)
    await SyncDevice.exchange(phone, watch)
    try install(TwoCases.self, on: watch)
    await watch.receiveLast()
    await SyncDevice.exchange(phone, watch)
    #expect(try await watch.router.get(EnumKey.two) == .cancelled)
  }

  @Test func aKeyThatIsNotKnownYetArrivesOnceTheAppIsUpdated() async throws {
    try install(WithoutIt.self, on: watch)
    try await phone.router.set(5, for: VersionedKey.first)
    await SyncDevice.exchange(phone, watch)
    // What was refused is acknowledged: the payload does not grow with it.
    try await phone.router.set(1, for: SyncedKeys.plain)
    #expect(try SyncPayload(try #require(phone.transport.sent.last)).entries.map(\.key?.name) == ["plain"])
    await SyncDevice.exchange(phone, watch)
    try install(First.self, on: watch)
    await watch.receiveLast()
    await SyncDevice.exchange(phone, watch)
    #expect(try await watch.router.get(VersionedKey.first) == 5)
  }

  @Test func whatIsRefusedAdvancesTheClock() async throws {
    try install(WithoutIt.self, on: watch)
    try await phone.router.set(5, for: VersionedKey.first)
    let counter = try #require(try phone.sentEntries.first).version.counter
    await watch.receive()
    #expect(try #require(watch.histories.state[.app]).clock.counter > counter)
  }
}

/// Tests of the code that runs while a history is locked, and of what the history reveals.
@Suite struct SyncHistoryLockTests {
  private let phone: SyncDevice
  private let watch: SyncDevice

  init() throws { (phone, watch) = try SyncDevice.pair(clock: StepClock()) }

  /// Notes whether a history was locked when the app's code ran.
  private final class Witness: Sendable {
    let histories: FaultyRecords
    private let looks = Lock<[Bool]>([])

    init(_ histories: FaultyRecords) { self.histories = histories }

    func look() {
      let isLocked = histories.isLocked
      looks.withLock { $0.append(isLocked) }
    }

    var seen: [Bool] { looks.withLock { $0 } }
  }

  private struct WatchedTransport: SyncTransport {
    let base: LinkedTransport
    let witness: Witness

    var session: SyncSession {
      witness.look()
      return base.session
    }

    func payload() throws -> Data? {
      witness.look()
      return try base.payload()
    }

    func put(_ payload: Data) throws {
      witness.look()
      try base.put(payload)
    }
  }

  @Test func noCodeOfTheAppRunsWhileARecordIsLocked() async throws {
    let witness = Witness(phone.histories)
    let serializer = Serializer<Int>(
      kind: .custom("Witnessed"),
      encode: { value in
        witness.look()
        return Data("\(value)".utf8)
      },
      decode: { bytes in
        witness.look()
        return Int(String(decoding: bytes, as: UTF8.self)) ?? 0
      })
    let key = StorageKey<Int?>(
      name: "plain", domain: .userDefaults(), security: .none, serializer: serializer, owner: "Tests",
      description: "A number of two devices.", syncPolicy: .automaticSmall)
    let (store, histories) = (phone.store, phone.histories)
    let router = StorageRouter(configuration: StorageConfiguration(platform: .phone)) {
      StorageServices(over: store, $0, syncRecords: histories)
    }
    WitnessedKey.key.withLock { $0 = .key(key) }
    try router.registerCatalog(WitnessedKey.self)
    router.sync.setTransport(WatchedTransport(base: phone.transport, witness: witness))
    try await router.set(1, for: key)
    try await router.update(key) { value in
      witness.look()
      value = 2
    }
    try await router.sync.send(key)
    try await router.sync.sendAll()
    await watch.receive()
    try await watch.router.set(3, for: SyncedKeys.plain)
    for payload in phone.transport.arrivals() { _ = await router.sync.receive(payload) }
    #expect(try await router.get(key) == 3)
    #expect(witness.seen.count > 15)
    #expect(!witness.seen.contains(true))
  }

  private enum WitnessedKey: StorageKeyCatalog {
    static let features: [StorageFeature] = [.sync]
    static let key = Lock<AnyStorageKey?>(nil)
    static var allKeys: [AnyStorageKey] { key.withLock { [$0].compactMap { $0 } } }
  }

  /// Four digits are found by trying all digests.
  @Test func theRecordRevealsNothingOfASecret() async throws {
    try await phone.router.set(4_711, for: SyncedKeys.secret)
    try await phone.router.set(4_711, for: SyncedKeys.sealed)
    let entries = try #require(phone.histories.state[.app]).entries
    #expect(entries[AnyStorageKey(SyncedKeys.secret).syncKey]?.begun?.fingerprint == .versionInValue)
    guard case .digest(let digest)? = entries[AnyStorageKey(SyncedKeys.sealed).syncKey]?.begun?.fingerprint else {
      Issue.record("a sealed value has no digest")
      return
    }
    // The same value sealed again has another one.
    try await phone.router.set(4_711, for: SyncedKeys.sealed)
    let again = try #require(phone.histories.state[.app]).entries[AnyStorageKey(SyncedKeys.sealed).syncKey]
    #expect(again?.begun?.fingerprint != .digest(digest))
    #expect(try await phone.router.get(SyncedKeys.secret) == 4_711)
    #expect(try await phone.router.update(SyncedKeys.secret) { $0 = ($0 ?? 0) + 1 } == 4_712)
  }

  @Test func aFailedWriteOfASecretIsKnownByTheVersionInTheValue() async throws {
    try await phone.router.set(1, for: SyncedKeys.secret)
    try await phone.router.sync.send(SyncedKeys.secret)
    await SyncDevice.exchange(phone, watch)
    try await watch.router.set(2, for: SyncedKeys.secret)
    try await watch.router.sync.send(SyncedKeys.secret)
    phone.commits.isFailing = true
    await #expect(throws: StorageError.self) { try await phone.router.set(3, for: SyncedKeys.secret) }
    try phone.restart()
    await SyncDevice.exchange(phone, watch)
    #expect(try await phone.router.get(SyncedKeys.secret) == 2)
  }
}
