import Foundation
import LocalDataTesting
import LocalDataVocabulary
import Testing

@testable import LocalData
@testable import LocalDataSync

@Suite struct SyncReceivingTests {
  @Test func aValueLandsUnderTheReceiversOwnPolicyAndIsNotSentBack() async throws {
    let (phone, watch) = try SyncDevice.pair()
    for (number, key) in SyncedKeys.all.enumerated() { try await phone.router.set(number, for: key) }
    try await phone.router.sync.sendAll()
    await watch.receive()
    for (number, key) in SyncedKeys.all.enumerated() { #expect(try await watch.router.get(key) == number) }
    #expect(try watch.sentEntries.isEmpty)

    func stored(_ name: String, _ container: StorageContainer) throws -> Data? {
      try watch.store.read(StorageAddress(container: container, name: name), StorageAttributes())
    }
    let sealed = try #require(try stored("sealed", .preferences(suite: "sealed")))
    #expect(EnvelopeHeader.begins(sealed))
    #expect(try stored("plain", .preferences(suite: nil)) == Data("0".utf8))
  }

  @Test func aRemovalTravels() async throws {
    let (phone, watch) = try SyncDevice.pair()
    try await phone.router.set(1, for: SyncedKeys.plain)
    await watch.receive()
    try await phone.router.remove(SyncedKeys.plain)
    await watch.receive()
    #expect(try await watch.router.exists(SyncedKeys.plain) == false)
  }

  @Test func theNewerChangeWinsWhicheverWayItArrives() async throws {
    let (phone, watch) = try SyncDevice.pair()
    try await phone.router.set(1, for: SyncedKeys.plain)
    await watch.receive()
    try await watch.router.set(2, for: SyncedKeys.plain)
    try await phone.router.sync.sendAll()
    await watch.receive()
    #expect(try await watch.router.get(SyncedKeys.plain) == 2)
    await phone.receive()
    #expect(try await phone.router.get(SyncedKeys.plain) == 2)
  }

  @Test func ofTwoChangesAtOnceBothTakeTheSame() async throws {
    let (phone, watch) = try SyncDevice.pair()
    try await phone.router.set(1, for: SyncedKeys.plain)
    try await watch.router.set(2, for: SyncedKeys.plain)
    let applied = await phone.receive().count + watch.receive().count
    #expect(applied == 1)
    #expect(try await phone.router.get(SyncedKeys.plain) == watch.router.get(SyncedKeys.plain))
  }

  @Test func twiceIsOnce() async throws {
    let (phone, watch) = try SyncDevice.pair()
    try await phone.router.set(1, for: SyncedKeys.plain)
    let payload = try #require(watch.transport.received)
    #expect(await watch.router.sync.receive(payload) == [.received(.of(SyncedKeys.plain))])
    let writes = watch.store.count(of: .update)
    #expect(await watch.router.sync.receive(payload).isEmpty)
    #expect(watch.store.count(of: .update) == writes)
  }

  @Test func anOlderPayloadThatComesLaterChangesNothing() async throws {
    let (phone, watch) = try SyncDevice.pair()
    try await phone.router.set(1, for: SyncedKeys.plain)
    try await phone.router.remove(SyncedKeys.plain)
    let payloads = watch.transport.arrivals()
    for payload in payloads.reversed() { await watch.router.sync.receive(payload) }
    #expect(try await watch.router.get(SyncedKeys.plain) == nil)
  }

  @Test func theEntryOfAnApplicationContextIsPickedOut() async throws {
    let (phone, watch) = try SyncDevice.pair()
    try await phone.router.set(1, for: SyncedKeys.plain)
    let payload = try #require(watch.transport.received)
    #expect(StorageSync.payload(in: ["theirs": 1]) == nil)
    #expect(await watch.router.sync.receive(["theirs": 1]).isEmpty)
    let damaged = await watch.router.sync.receive([StorageSync.contextKey: "text"])
    #expect(damaged == [.ignored(.init(key: nil, domain: nil), .malformedPayload)])
    let applied = await watch.router.sync.receive(["theirs": 1, StorageSync.contextKey: payload])
    #expect(applied == [.received(.of(SyncedKeys.plain))])
  }

  // MARK: What is left alone

  private static let device = UUID()
  /// A counter of the year 2109.
  private static let later: UInt64 = 1 << 42

  private static func payload(
    _ name: String, _ bytes: Data? = Data("9".utf8), counter: UInt64 = later + 5, schema: UInt32 = 1,
    domain: StorageDomain = .userDefaults(), device: UUID = device, clock: UInt64? = nil
  ) -> Data {
    let entry = SyncPayload.Entry(
      key: SyncKey(name: name, domain: domain), version: SyncVersion(counter: counter, device: device), schema: schema,
      isWatchRepresentation: false, bytes: bytes)
    let header = SyncPayload.Header(sender: device, clock: clock ?? counter)
    return SyncPayload(header: header, entries: [entry]).bytes
  }

  static let refused: [(String, Data, SyncEvent)] = [
    (
      "of no registered key", payload("nobody"),
      .ignored(.init(key: nil, domain: .userDefaults), .unknownKey)
    ),
    (
      "of the name in another domain", payload("plain", domain: .userDefaults(suite: "x")),
      .ignored(.init(key: nil, domain: .userDefaults), .unknownKey)
    ),
    ("of policy never", payload("never"), .ignored(.init(key: "never", domain: .userDefaults), .policyNever)),
    ("secured, unsaid", payload("unsaid"), .ignored(.init(key: "unsaid", domain: .userDefaults), .notDecrypted)),
    ("of the phone alone", payload("phone"), .ignored(.init(key: "phone", domain: .userDefaults), .notAvailable)),
    (
      "of a newer schema", payload("plain", schema: 2),
      .ignored(.init(key: "plain", domain: .userDefaults), .newerSchema)
    ),
    (
      "of an older schema", payload("plain", schema: 0),
      .ignored(.init(key: "plain", domain: .userDefaults), .olderSchema)
    ),
    (
      "of another type", payload("plain", Data("\"text\"".utf8)),
      .ignored(.init(key: "plain", domain: .userDefaults), .wrongType)
    ),
    (
      "too large", payload("small", Data(count: 100_001), domain: .fileSystem(directory: .documents)),
      .ignored(.init(key: "small", domain: .fileSystem), .tooLarge)
    ),
    (
      "with a counter that would freeze the key", payload("plain", counter: .max, clock: later),
      .ignored(.init(key: "plain", domain: .userDefaults), .counterOutOfRange)
    ),
    (
      "with a clock that would freeze all keys", payload("plain", clock: 1 << 62),
      .ignored(.init(key: nil, domain: nil), .counterOutOfRange)
    ),
  ]

  @Test(arguments: refused)
  func leftAlone(_ what: String, _ payload: Data, _ event: SyncEvent) async throws {
    let (_, watch) = try SyncDevice.pair()
    try await watch.router.set(1, for: SyncedKeys.plain)
    try await watch.router.set(Data([1]), for: SyncedKeys.bytes("small", .automaticSmall))
    #expect(await watch.router.sync.receive(payload) == [event])
    #expect(try await watch.router.get(SyncedKeys.plain) == 1)
    #expect(try await watch.router.get(SyncedKeys.bytes("small", .automaticSmall)) == Data([1]))
    // The key is not frozen: the next payload is applied.
    let next = Self.payload("plain", counter: Self.later + 6)
    #expect(await watch.router.sync.receive(next) == [.received(.of(SyncedKeys.plain))])
  }

  @Test func oneBadEntryLeavesTheOthers() async throws {
    let (_, watch) = try SyncDevice.pair()
    var payload = try SyncPayload(Self.payload("nobody"))
    payload.entries += try SyncPayload(Self.payload("plain")).entries
    #expect(
      await watch.router.sync.receive(payload.bytes) == [
        .ignored(.init(key: nil, domain: .userDefaults), .unknownKey), .received(.of(SyncedKeys.plain)),
      ])
    #expect(try await watch.router.get(SyncedKeys.plain) == 9)
  }

  @Test func whatCannotBeStoredNowIsAppliedWhenItComesAgain() async throws {
    let (phone, watch) = try SyncDevice.pair()
    try await watch.router.set(1, for: SyncedKeys.plain)
    await phone.receive()
    try await phone.router.set(2, for: SyncedKeys.plain)
    let payload = try #require(watch.transport.received)
    watch.store.fail(with: .outOfSpace) { [.write, .update].contains($0.operation) && $0.address?.name == "plain" }
    let failed = SyncEvent.ignored(.of(SyncedKeys.plain), .failed(StorageError(.outOfSpace, .of(SyncedKeys.plain))))
    #expect(await watch.router.sync.receive(payload) == [failed])
    watch.store.succeed()
    #expect(try await watch.router.get(SyncedKeys.plain) == 1)
    // The old value is not sent as the new one, and it does not get another version.
    try await watch.router.sync.send(SyncedKeys.plain)
    let sent = try watch.sentEntries
    #expect(Set(sent.map(\.bytes)) == [Data("1".utf8)] && Set(sent.map(\.version)).count == 1)
    #expect(await watch.router.sync.receive(payload) == [.received(.of(SyncedKeys.plain))])
    #expect(try await watch.router.get(SyncedKeys.plain) == 2)
  }

  @Test func aValueThatVanishedIsWelcomeAgainAndIsNoRemoval() async throws {
    let (phone, watch) = try SyncDevice.pair()
    try await phone.router.set(1, for: SyncedKeys.file)
    try await phone.router.sync.send(SyncedKeys.file)
    await watch.receive()
    let address = StorageAddress(container: .directory(.custom("a/b")), name: "file")
    try watch.store.remove(address, StorageAttributes())
    try await watch.router.sync.sendAll()
    #expect(try watch.sentEntries.isEmpty)
    await watch.router.sync.receive(try #require(watch.transport.received))
    #expect(try await watch.router.get(SyncedKeys.file) == 1)
  }
}
