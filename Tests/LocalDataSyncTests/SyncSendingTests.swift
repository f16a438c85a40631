import Foundation
import LocalDataFoundation
import LocalDataSystem
import LocalDataTesting
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@testable import LocalData
@testable import LocalDataSync

/// A serializer that notes for each value whether its call must not wait.
private enum ThreadSerializer: CustomSerializer {
  static let name = "thread"
  static let areAtOnce = Lock<[Int: [Bool]]>([:])

  static func encode(_ value: Int) throws -> Data {
    areAtOnce.withLock { $0[value, default: []].append(CallDeadline.mustNotWait) }
    return Data(String(value).utf8)
  }

  static func decode(_ data: Data) throws -> Int { Int(String(decoding: data, as: UTF8.self)) ?? 0 }
}

@Suite struct SyncSendingTests {
  @Test(.findsHangs) func aPreferenceThatIsSetWithoutAwaitIsSent() async throws {
    let (phone, watch) = try SyncDevice.pair()
    try phone.router.setValue(5, for: SyncedKeys.plain)
    while phone.transport.sent.isEmpty { await Task.yield() }
    await watch.receive()
    #expect(try watch.router.value(SyncedKeys.plain) == 5)
  }

  @Test func aReceivedChangeIsObserved() async throws {
    let (phone, watch) = try SyncDevice.pair()
    var received = watch.router.values(of: SyncedKeys.plain).makeAsyncIterator()
    #expect(try await received.next() == .some(nil))
    try await phone.router.set(5, for: SyncedKeys.plain)
    await watch.receive()
    #expect(try await received.next() == 5)
  }

  @Test func changesOfATransactionAreSent() async throws {
    let linked = LinkedTransports()
    let (phone, watch) = (StorageRouter.inMemory(), StorageRouter.inMemory())
    for router in [phone, watch] { try router.registerCatalog(SyncedCatalog.self) }
    phone.sync.setTransport(linked.phone)
    watch.sync.setTransport(linked.watch)
    try await phone.set(1, for: SyncedKeys.plain)
    let sent = linked.phone.sent.count
    try await phone.transaction { transaction in try await transaction.set(2, for: SyncedKeys.plain) }
    while linked.phone.sent.count == sent { await Task.yield() }
    for payload in linked.watch.arrivals() { await watch.sync.receive(payload) }
    #expect(try await watch.get(SyncedKeys.plain) == 2)
  }

  private func entries(_ transport: LinkedTransport) throws -> [String: Data?] {
    guard let payload = try transport.payload() else { return [:] }
    return Dictionary(
      uniqueKeysWithValues: try SyncPayload(payload).entries.map { (try #require($0.key).name, $0.bytes) })
  }

  @Test func manualIsSentWhenAskedAndAutomaticOnEveryChange() async throws {
    let (phone, _) = try SyncDevice.pair()
    try await phone.router.set(1, for: SyncedKeys.file)
    #expect(phone.transport.sent.isEmpty)
    try await phone.router.sync.send(SyncedKeys.file)
    #expect(try entries(phone.transport) == ["file": Data("1".utf8)])

    try await phone.router.set(2, for: SyncedKeys.plain)
    #expect(try entries(phone.transport) == ["file": Data("1".utf8), "plain": Data("2".utf8)])
    try await phone.router.update(SyncedKeys.plain) { $0 = ($0 ?? 0) + 1 }
    #expect(try entries(phone.transport)["plain"] == Data("3".utf8))
    try await phone.router.set(nil, for: SyncedKeys.plain)
    #expect(try entries(phone.transport) == ["file": Data("1".utf8), "plain": nil])
    try await phone.router.set(4, for: SyncedKeys.sealed)
    try await phone.router.remove(SyncedKeys.sealed)
    #expect(try entries(phone.transport) == ["file": Data("1".utf8), "plain": nil, "sealed": nil])
    #expect(phone.transport.sent.count == 6)
  }

  @Test func nothingIsSentOfAKeyThatNeverHadAValue() async throws {
    let (phone, _) = try SyncDevice.pair()
    try await phone.router.sync.send(SyncedKeys.file)
    #expect(phone.transport.sent.isEmpty)
    try await phone.router.sync.sendAll()
    #expect(try phone.sentEntries.isEmpty)
  }

  @Test func sendAllAlwaysPutsAPayload() async throws {
    let (phone, watch) = try SyncDevice.pair()
    try await phone.router.set(1, for: SyncedKeys.plain)
    try await phone.router.sync.send(SyncedKeys.plain)
    #expect(phone.transport.sent.count == 1)
    await SyncDevice.exchange(phone, watch)
    for number in 1...2 {
      try await phone.router.sync.sendAll()
      let last = try #require(phone.transport.sent.last)
      #expect(try SyncPayload(last).entries.count == 1, "\(number)")
      #expect(!phone.transport.sent.dropLast().contains(last), "a system does not deliver the same bytes again")
    }
  }

  @Test func aValueFromBeforeItsKeyWasSyncedGetsAVersionWhenItIsSent() async throws {
    let (phone, watch) = try SyncDevice.pair()
    let unsynced = SyncedKeys.number("file", .fileSystem(directory: .custom("a/b")), .none, .never)
    let router = StorageRouter(configuration: StorageConfiguration()) { [store = phone.store] in
      StorageServices(over: store, $0)
    }
    try await router.set(7, for: unsynced)
    try await phone.router.sync.send(SyncedKeys.file)
    await watch.receive()
    #expect(try await watch.router.get(SyncedKeys.file) == 7)
  }

  @Test func sendAllSendsEveryKeyThatTakesPartAndMembersOfFamilies() async throws {
    let (phone, watch) = try SyncDevice.pair()
    try await phone.router.set(1, for: SyncedKeys.file)
    try await phone.router.set(2, for: SyncedKeys.secret)
    try await phone.router.set(3, for: SyncedCatalog.note(named: "note_a"))
    try await phone.router.set(4, for: SyncedKeys.number("never", .userDefaults(), .none, .never))
    try await phone.router.set(5, for: SyncedKeys.number("unsaid", .userDefaults(), .recommended, .manual))
    try await phone.router.set(
      6, for: SyncedKeys.number("phone", .userDefaults(), .none, .manual, availability: .phoneOnly))
    try await phone.router.sync.sendAll()
    #expect(Set(try entries(phone.transport).keys) == ["file", "secret", "note_a"])
    await watch.receive()
    #expect(try await watch.router.get(SyncedCatalog.note(named: "note_a")) == 3)
    #expect(try await watch.router.get(SyncedKeys.secret) == 2)
  }

  // MARK: What is not sent

  @Test(arguments: [
    SyncSession(isActivated: false, isPaired: true, isInstalled: true),
    SyncSession(isActivated: true, isPaired: false, isInstalled: true),
    SyncSession(isActivated: true, isPaired: true, isInstalled: false),
  ])
  func aSessionThatIsNotReadyIsAnErrorWhenAskedAndAnEventOtherwise(_ session: SyncSession) async throws {
    let (phone, _) = try SyncDevice.pair()
    phone.transport.session = session
    var events = phone.router.sync.events.makeAsyncIterator()
    try await phone.router.set(1, for: SyncedKeys.plain)
    #expect(await events.next() == .notSent(.of(SyncedKeys.plain), .unavailable))
    try phone.router.setValue(2, for: SyncedKeys.plain)
    #expect(await events.next() == .notSent(.of(SyncedKeys.plain), .unavailable))
    await #expect(throws: StorageError(.syncUnavailable, .of(SyncedKeys.plain))) {
      try await phone.router.sync.send(SyncedKeys.plain)
    }
    await #expect(throws: StorageError(.syncUnavailable, .init(key: nil, domain: nil))) {
      try await phone.router.sync.sendAll()
    }
    #expect(phone.transport.sent.isEmpty)
    #expect(try await phone.router.get(SyncedKeys.plain) == 2)
  }

  @Test func withoutATransportNothingIsSent() async throws {
    let router = StorageRouter.inMemory()
    try router.registerCatalog(SyncedCatalog.self)
    try await router.set(1, for: SyncedKeys.plain)
    await #expect(throws: StorageError(.syncUnavailable, .of(SyncedKeys.plain))) {
      try await router.sync.send(SyncedKeys.plain)
    }
  }

  /// Without a transport, the value is written where an unsynced one is. Otherwise it waits for the history.
  @Test func aPreferenceIsWrittenAtOnceUnlessItIsNoted() async throws {
    let key = StorageKey<Int?>(
      name: "thread", domain: .userDefaults(), security: .none, serializer: .custom(ThreadSerializer.self),
      owner: "Tests", description: "A number of two devices.", syncPolicy: .automaticSmall)
    let unlinked = StorageRouter.inMemory()
    try unlinked.registerCatalog(SyncedCatalog.self)
    try unlinked.register([.key(key)])
    try await unlinked.set(1, for: key)
    #expect(ThreadSerializer.areAtOnce.withLock { $0[1] } == [true])
    #expect(try await unlinked.get(key) == 1)
    let (phone, _) = try SyncDevice.pair()
    try phone.router.register([.key(key)])
    try await phone.router.set(2, for: key)
    #expect(ThreadSerializer.areAtOnce.withLock { $0[2]?.first } == false)
    #expect(try phone.sentEntries.map(\.bytes) == [Data("2".utf8)])
  }

  @Test func aTransportThatFailsIsAnEventOfTheSetAndAnErrorOfSend() async throws {
    let (phone, watch) = try SyncDevice.pair()
    try await phone.router.set(1, for: SyncedKeys.plain)
    phone.transport.isFailing = true
    var events = phone.router.sync.events.makeAsyncIterator()
    try await phone.router.set(2, for: SyncedKeys.plain)
    #expect(await events.next() == .notSent(.of(SyncedKeys.plain), .transportFailed))
    #expect(try await phone.router.get(SyncedKeys.plain) == 2)
    await #expect(throws: StorageError(.syncUnavailable, .of(SyncedKeys.plain))) {
      try await phone.router.sync.send(SyncedKeys.plain)
    }
    phone.transport.isFailing = false
    await watch.receive()
    #expect(try await watch.router.get(SyncedKeys.plain) == 1)
    try await phone.router.sync.sendAll()
    await watch.receive()
    #expect(try await watch.router.get(SyncedKeys.plain) == 2)
  }

  #if os(Linux)
    /// The keystore of Linux has no access controls: a read shows no prompt.
    @Test func aKeyWithAnAccessControlIsSentWithTheOthers() async throws {
      let guarded = SyncedKeys.number(
        "guarded", .keychain(service: "s"), .keychain(accessControl: .userPresence), .automaticSmall, decrypted: true)
      let (phone, _) = try SyncDevice.pair()
      try phone.router.register([.key(guarded)])
      phone.transport.isFailing = true
      try await phone.router.set(1, for: guarded)
      phone.transport.isFailing = false
      try await phone.router.set(2, for: SyncedKeys.plain)
      #expect(try entries(phone.transport) == ["guarded": Data("1".utf8), "plain": Data("2".utf8)])
    }
  #endif

  @Test(arguments: ["never", "unsaid", "phone"])
  func aKeyThatTakesNoPartIsNotSent(_ name: String) async throws {
    let (phone, _) = try SyncDevice.pair()
    let key: StorageKey<Int?> =
      switch name {
      case "never": SyncedKeys.number(name, .userDefaults(), .none, .never)
      case "unsaid": SyncedKeys.number(name, .userDefaults(), .recommended, .manual)
      default: SyncedKeys.number(name, .userDefaults(), .none, .manual, availability: .phoneOnly)
      }
    try await phone.router.set(1, for: key)
    await #expect(throws: StorageError(.syncUnavailable, .of(key))) { try await phone.router.sync.send(key) }
    #expect(phone.transport.sent.isEmpty)
  }

  // MARK: Sizes

  @Test func atTheLimitAValueIsSentAndOneByteOverItIsNot() async throws {
    let (phone, watch) = try SyncDevice.pair()
    let (manual, automatic) = (SyncedKeys.bytes("bytes"), SyncedKeys.bytes("small", .automaticSmall))
    let (fits, over) = (Data(count: 100_000), Data(count: 100_001))
    var events = phone.router.sync.events.makeAsyncIterator()
    try await phone.router.set(fits, for: automatic)
    #expect(await events.next() == .sent(.of(automatic)))
    try await phone.router.set(over, for: automatic)
    #expect(await events.next() == .notSent(.of(automatic), .tooLarge(limit: 100_000)))
    #expect(try await phone.router.get(automatic) == over)

    try await phone.router.set(fits, for: manual)
    try await phone.router.sync.send(manual)
    #expect(await events.next() == .sent(.of(manual)))
    try await phone.router.set(over, for: manual)
    await #expect(throws: StorageError(.tooLargeToSync(limit: 100_000), .of(manual))) {
      try await phone.router.sync.send(manual)
    }
    // What was sent before is still there.
    await watch.receive()
    #expect(try await watch.router.get(manual) == fits)
    #expect(try await watch.router.get(automatic) == fits)
    #expect(try await phone.router.get(manual) == over)
  }

  @Test func theLimitIsTheConfiguredOne() async throws {
    let (phone, _) = try SyncDevice.pair()
    phone.router.updateSyncConfiguration(SyncConfiguration(maxAutoSyncSize: 3))
    let key = SyncedKeys.bytes()
    try await phone.router.set(Data(count: 3), for: key)
    try await phone.router.sync.send(key)
    try await phone.router.set(Data(count: 4), for: key)
    await #expect(throws: StorageError(.tooLargeToSync(limit: 3), .of(key))) { try await phone.router.sync.send(key) }
  }

  @Test func whatWouldFillThePayloadIsNotSentAndTheRestStays() async throws {
    let (phone, watch) = try SyncDevice.pair()
    phone.router.updateSyncConfiguration(SyncConfiguration(maxAutoSyncSize: 1 << 20))
    let (manual, automatic) = (SyncedKeys.bytes("bytes"), SyncedKeys.bytes("small", .automaticSmall))
    try await phone.router.set(Data(count: 200_000), for: automatic)
    try await phone.router.set(Data(count: 50_000), for: manual)
    await #expect(throws: StorageError(.tooLargeToSync(limit: 245_760), .of(manual))) {
      try await phone.router.sync.send(manual)
    }
    try await phone.router.set(1, for: SyncedKeys.plain)
    watch.router.updateSyncConfiguration(SyncConfiguration(maxAutoSyncSize: 1 << 20))
    await watch.receive()
    #expect(try await watch.router.get(automatic)?.count == 200_000)
    #expect(try await watch.router.get(SyncedKeys.plain) == 1)
    #expect(try await watch.router.get(manual) == nil)
    // A smaller one makes room.
    try await phone.router.set(Data(count: 10), for: automatic)
    try await phone.router.sync.send(manual)
    await watch.receive()
    #expect(try await watch.router.get(manual)?.count == 50_000)
  }

  @Test func sendAllLeavesOutWhatIsTooLargeAndSaysSo() async throws {
    let (phone, watch) = try SyncDevice.pair()
    try await phone.router.set(Data(count: 100_001), for: SyncedKeys.bytes())
    try await phone.router.set(1, for: SyncedKeys.file)
    await #expect(throws: StorageError(.tooLargeToSync(limit: 100_000), .of(SyncedKeys.bytes()))) {
      try await phone.router.sync.sendAll()
    }
    await watch.receive()
    #expect(try await watch.router.get(SyncedKeys.file) == 1)
    #expect(try await watch.router.get(SyncedKeys.bytes()) == nil)
  }

  @Test func aReplacedPayloadThatIsDamagedIsLeftBehind() async throws {
    let (phone, watch) = try SyncDevice.pair()
    try phone.transport.put(Data("nonsense".utf8))
    try await phone.router.set(1, for: SyncedKeys.plain)
    #expect(await watch.receive().contains(.received(.of(SyncedKeys.plain))))
  }
}
