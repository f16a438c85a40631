import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataVocabulary
import Testing

@testable import LocalData
@testable import LocalDataSync

/// Tests of a payload that is applied while another process of the device changes the same key.
@Suite struct SyncOverlapTests {
  private static let guarded = SyncedKeys.number(
    "guarded", .keychain(service: "s"), .keychain(accessControl: .biometryAny), .manual, decrypted: true)

  private let linked = LinkedTransports()
  private let phoneClock = StepClock()
  private let watchClock = StepClock()
  private let memory = MemoryStore()
  private let histories = SyncHistoryLogs()
  private let store: OverlappedStore
  private let phone: StorageRouter
  private let watch: StorageRouter
  /// Another process of the watch, for example an extension.
  private let other: StorageRouter

  init() throws {
    store = OverlappedStore(base: memory)
    let disk = MemoryStore()
    phone = StorageRouter(configuration: StorageConfiguration(platform: .phone), clock: phoneClock) {
      StorageServices(over: disk, $0)
    }
    watch = StorageRouter(configuration: StorageConfiguration(platform: .watch), clock: watchClock) {
      [store, histories] in StorageServices(over: store, $0, syncRecords: histories)
    }
    other = StorageRouter(configuration: StorageConfiguration(platform: .watch), clock: watchClock) {
      [memory, histories] in StorageServices(over: memory, $0, syncRecords: histories)
    }
    for router in [phone, watch, other] {
      try router.register((SyncedKeys.all + [Self.guarded]).map { .key($0) })
    }
    phone.sync.setTransport(linked.phone)
    watch.sync.setTransport(linked.watch)
  }

  /// Sends the latest value of a key, and applies it at the other end.
  @discardableResult
  private func send(_ key: StorageKey<Int?>, from sender: StorageRouter) async throws -> [SyncEvent] {
    try await sender.sync.send(key)
    let (receiver, transport) = sender === phone ? (watch, linked.watch) : (phone, linked.phone)
    var events: [SyncEvent] = []
    for payload in transport.arrivals() { events += await receiver.sync.receive(payload) }
    return events
  }

  /// Stores a value in the other process or removes it, without a wait for the router.
  private func change(_ key: StorageKey<Int?>, to value: Int?) throws {
    let plan = try KeyPlan(checking: AnyStorageKey(key), for: .write, on: other)
    let stored = KeyedValue(plan, other.values(for: plan))
    guard let value else { return try stored.remove() }
    let bytes = try plan.secured(Data("\(value)".utf8), nil, at: watchClock.now)
    try stored.write(bytes)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let key: StorageKey<Int?>
    /// The value that the payload contains; `nil` for a removal.
    let received: Int?
    /// The value that the other process stores.
    let stored: Int?
    /// A Boolean value that indicates whether the payload is newer than that value, because the clock of the phone is ahead.
    /// The history of an app group is told of that clock with the payload's values, that of the app before.
    let isNewer: Bool

    var testDescription: String {
      "\(key), received \(received as Any), stored \(stored as Any), the payload is \(isNewer ? "newer" : "older")"
    }
  }

  static let cases = [SyncedKeys.plain, SyncedKeys.file, SyncedKeys.secret, SyncedKeys.group].flatMap { key -> [Case] in
    let changes: [(Int?, Int?)] = [(2, 5), (nil, 5), (2, nil)]
    return changes.flatMap { received, stored in
      (key.domain.kind == .appGroupUserDefaults ? [false, true] : [false]).map { isNewer in
        Case(key: key, received: received, stored: stored, isNewer: isNewer)
      }
    }
  }

  /// The other process makes its change after the payload was compared with the stored value, and before it is written.
  @Test(arguments: cases) func theNewerChangeStays(_ test: Case) async throws {
    let key = test.key
    try await phone.set(1, for: key)
    try await send(key, from: phone)
    if test.isNewer { phoneClock.move(to: watchClock.now.addingTimeInterval(3_600)) }
    try await phone.set(test.received, for: key)
    store.interruptRead(of: key.name) { try change(key, to: test.stored) }
    #expect(try await send(key, from: phone) == (test.isNewer ? [.received(.of(key))] : []))
    #expect(store.wasInterrupted)
    let value = test.isNewer ? test.received : test.stored
    #expect(try await watch.get(key) == value)
    // Both devices have it in the end.
    try await send(key, from: watch)
    #expect(try await phone.get(key) == value)
    #expect(try await watch.get(key) == value)
  }

  /// The value of a prompting key is not read, and its absence counts.
  @Test func aValueThatIsSetForTheFirstTimeStays() async throws {
    try await phone.set(2, for: Self.guarded)
    store.interruptRead(of: Self.guarded.name) { try change(Self.guarded, to: 5) }
    #expect(try await send(Self.guarded, from: phone) == [])
    #expect(store.wasInterrupted)
    #expect(try await watch.get(Self.guarded) == 5)
  }

  /// The version that was noted before the comparison is known afterwards. The value needs no newer one.
  @Test func theValueKeepsItsVersion() async throws {
    let key = SyncedKeys.plain
    try await phone.set(1, for: key)
    try await send(key, from: phone)
    try await phone.set(2, for: key)
    let version = Lock<SyncVersion?>(nil)
    store.interruptRead(of: key.name) {
      try change(key, to: 5)
      let latest = try histories.read(.app) { $0.entries[AnyStorageKey(key).syncKey]?.latest }
      version.withLock { $0 = latest }
    }
    try await send(key, from: phone)
    let latest = try histories.read(.app) { $0.entries[AnyStorageKey(key).syncKey]?.latest }
    #expect(latest != nil && latest == version.withLock(\.self))
  }
}

/// A store that runs a closure of a test after the next look at a key's value, before the caller gets the result.
private final class OverlappedStore: ForwardingStore {
  let base: any ValueStore
  private let interruption = Lock<Interruption?>(nil)
  private let count = Lock(0)

  private struct Interruption: Sendable {
    let name: String
    let body: @Sendable () throws -> Void
  }

  init(base: any ValueStore) { self.base = base }

  /// A Boolean value that indicates whether a closure has run.
  var wasInterrupted: Bool { count.withLock { $0 > 0 } }

  func interruptRead(of name: String, by body: @escaping @Sendable () throws -> Void) {
    interruption.withLock { $0 = Interruption(name: name, body: body) }
  }

  private func interrupt(_ address: StorageAddress) {
    let interruption = interruption.withLock { next -> Interruption? in
      guard let found = next, found.name == address.name else { return nil }
      next = nil
      return found
    }
    guard let interruption else { return }
    count.withLock { $0 += 1 }
    #expect(throws: Never.self) { try interruption.body() }
  }

  func read(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Data? {
    try CallDeadline.requireWaiting()
    let stored = try base.read(address, attributes)
    interrupt(address)
    return stored
  }

  func exists(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Bool {
    try CallDeadline.requireWaiting()
    let isStored = try base.exists(address, attributes)
    interrupt(address)
    return isStored
  }
}
