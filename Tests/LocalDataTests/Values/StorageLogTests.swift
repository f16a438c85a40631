import Foundation
import LocalDataMaintenance
import LocalDataTesting
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataVocabulary
import Testing

@_spi(Generated) @testable import LocalData
@testable import LocalDataSync

@Suite struct StorageLogTests {
  private let store = FaultInjectingStore(MemoryStore())
  private let router: StorageRouter
  private let entries = Lock<[StorageLogEntry]>([])

  private static let secret = "correct-horse-battery"
  private static let parameter = "alice@example.com"

  init() {
    router = StorageRouter(configuration: StorageConfiguration()) { [store] in StorageServices(over: store, $0) }
    router.setLogger { [entries] entry in entries.withLock { $0.append(entry) } }
  }

  private func mail(
    _ domain: StorageDomain = .userDefaults(), _ security: SecurityPolicy = .none
  ) -> StorageKey<String?> {
    key(
      "mail_\(Self.parameter)", String.self, domain, security,
      options: StorageKeyOptions(declaredName: "mail_{address}"))
  }

  @Test func everyVerbIsLoggedWithItsBytes() async throws {
    let key = mail()
    try await router.set(Self.secret, for: key)
    _ = try await router.get(key)
    try await router.update(key) { $0 = ($0 ?? "") + "!" }
    _ = try await router.exists(key)
    _ = try router.value(key)
    try router.setValue("a", for: key)
    try await router.remove(key)
    _ = try await router.get(key)
    let entries = entries.withLock { $0 }
    #expect(entries.map(\.operation) == [.set, .get, .update, .exists, .value, .setValue, .remove, .get])
    let count = Self.secret.utf8.count + 2
    #expect(entries.map(\.bytes) == [count, count, count + 1, nil, count + 1, 3, nil, nil])
    #expect(entries.allSatisfy { $0.key == .init(key: "mail_{address}", domain: .userDefaults) })
    #expect(entries.allSatisfy { $0.error == nil && $0.duration > .zero })
  }

  /// An encrypted value is larger than its serialized bytes.
  @Test func aFailureIsLoggedAndNothingOfTheValue() async throws {
    let key = mail(.fileSystem(directory: .documents), .recommended)
    try await router.set(Self.secret, for: key)
    store.fail(with: .locked) { $0.address?.name == key.name }
    await #expect(throws: StorageError.self) { try await router.get(key) }
    #expect(throws: StorageError.self) { try router.value(key) }
    let entries = entries.withLock { $0 }
    #expect(entries.map(\.operation) == [.set, .get, .value])
    #expect(try #require(entries.first?.bytes) > Self.secret.utf8.count)
    let subject = StorageError.Subject(key: "mail_{address}", domain: .fileSystem)
    #expect(
      entries.map(\.error) == [
        nil, StorageError(.locked, subject), StorageError(.needsWaiting(.notPlainPreference), subject),
      ])
    for entry in entries {
      var dumped = ""
      dump(entry, to: &dumped)
      for text in ["\(entry)", String(reflecting: entry), dumped] {
        #expect(!text.contains(Self.secret) && !text.contains("alice"))
      }
    }
  }

  private struct Failure: Error {}

  private func loggingRouter(_ storage: TestStorage) -> StorageRouter {
    let router = storage.launch()
    router.setLogger { [entries] entry in entries.withLock { $0.append(entry) } }
    return router
  }

  @Test func aTransactionLogsItsReadsAndWhatItStored() async throws {
    let (key, other, router) = (mail(), key("other", Int.self), loggingRouter(TestStorage()))
    try await router.transaction { transaction in
      #expect(try await transaction.get(key) == nil)
      try await transaction.set("", for: key)
      try await transaction.set(Self.secret, for: key)
      #expect(try await transaction.get(key) == Self.secret)
      try await transaction.remove(other)
      // Nothing is stored yet.
      #expect(entries.withLock { $0 }.map(\.operation) == [.get, .get])
    }
    await #expect(throws: Failure.self) {
      try await router.transaction { transaction in
        try await transaction.set(1, for: other)
        throw Failure()
      }
    }
    let logged = entries.withLock { $0 }
    #expect(logged.map(\.operation) == [.get, .get, .set, .remove])
    let count = Self.secret.utf8.count + 2
    #expect(logged.map(\.bytes) == [nil, count, count, nil])
    #expect(logged.map(\.key.key) == ["mail_{address}", "mail_{address}", "mail_{address}", "other"])
    #expect(logged.allSatisfy { $0.error == nil && $0.duration > .zero })
  }

  @Test func aTransactionThatBeginsAgainLogsItsChangesOnce() async throws {
    let (one, other, router) = (key("one", Int.self), key("other", Int.self), loggingRouter(TestStorage()))
    let attempts = Lock(0)
    try await router.transaction { transaction in
      _ = try await transaction.get(one)
      attempts.withLock { $0 += 1 }
      if attempts.withLock({ $0 }) == 1 { try await router.set(10, for: one) }
      try await transaction.set(1, for: other)
    }
    let logged = entries.withLock { $0 }
    #expect(logged.map(\.operation) == [.get, .set, .get, .set])
    #expect(logged.map(\.key.key) == ["one", "one", "one", "other"])
    await #expect(throws: StorageError(.busy, .init(key: nil, domain: nil))) {
      try await router.transaction { transaction in
        let value = try await transaction.get(one) ?? 0
        try await router.set(value + 1, for: one)
        try await transaction.set(1, for: other)
      }
    }
    let others = entries.withLock { $0 }.dropFirst(logged.count).filter { $0.key.key == "other" }
    #expect(others.map(\.error) == [StorageError(.busy, .init(key: nil, domain: nil))])
  }

  /// The error may be handled by the transaction.
  @Test func aChangeThatFailsAtOnceIsLoggedAtOnce() async throws {
    let (key, elsewhere) = (key("one", Int.self), key("elsewhere", Int.self, .userDefaults(suite: "other")))
    let router = loggingRouter(TestStorage())
    try await router.transaction { transaction in
      try await transaction.set(1, for: key)
      await #expect(throws: StorageError.self) { try await transaction.set(1, for: elsewhere) }
    }
    let logged = entries.withLock { $0 }
    let error = StorageError(.cannotJoinTransaction, .init(key: "elsewhere", domain: .userDefaults))
    #expect(logged.map(\.error) == [error, nil])
    #expect(logged.map(\.bytes) == [nil, 1])
  }

  @Test func aTransactionThatFailsLogsItsChangesAsFailed() async throws {
    let (key, storage) = (mail(), TestStorage())
    let router = loggingRouter(storage)
    await #expect(throws: StorageError.self) {
      try await router.transaction { transaction in
        try await transaction.set(Self.secret, for: key)
        storage.fail(.userDefaults, with: .outOfSpace)
      }
    }
    let logged = entries.withLock { $0 }
    #expect(logged.map(\.operation) == [.set])
    #expect(logged.first?.error == StorageError(.outOfSpace, .init(key: "mail_{address}", domain: .userDefaults)))
  }

  @Test func readsOfAPropertyAndOfASequenceAreLogged() async throws {
    let key = key("count", Int.self)
    let property = Stored(PlainPreferenceKey(key), router: router)
    property.wrappedValue = 10
    #expect(property.wrappedValue == 10)
    var values = router.values(of: key).makeAsyncIterator()
    #expect(try await values.next() == 10)
    property.wrappedValue = 9
    #expect(try await values.next() == 9)
    store.fail(with: .locked) { $0.operation == .read }
    try router.setValue(8, for: key)
    await #expect(throws: StorageError.self) { _ = try await values.next() }
    #expect(property.wrappedValue == 9)
    let entries = entries.withLock { $0 }
    #expect(
      entries.map(\.operation) == [.setValue, .value, .values, .setValue, .values, .setValue, .values, .value])
    #expect(entries.map(\.bytes) == [2, 2, 2, 1, 1, 1, nil, nil])
    let locked = StorageError(.locked, .init(key: "count", domain: .userDefaults))
    #expect(entries.map(\.error) == [nil, nil, nil, nil, nil, nil, locked, locked])
  }

  @Test(arguments: [true, false])
  func theEndOfARetentionIsLogged(isSwept: Bool) async throws {
    let clock = ControllableClock()
    let router = StorageRouter(configuration: StorageConfiguration(), clock: clock) { [store] in
      StorageServices(over: store, $0)
    }
    let key = StorageKey<String?>(
      name: "draft", domain: .userDefaults(), security: .none, owner: "Tests", description: "A draft.",
      options: StorageKeyOptions(retention: .maxAge(seconds: 60)))
    try router.register([.key(key)])
    try await router.set(Self.secret, for: key)
    router.setLogger { [entries] entry in entries.withLock { $0.append(entry) } }
    #expect(try await router.get(key) == Self.secret)
    clock.advance(by: 61)
    if isSwept { await router.maintenance.sweep() } else { #expect(try await router.get(key) == nil) }
    let entries = entries.withLock { $0 }
    #expect(entries.map(\.operation) == (isSwept ? [.get, .expire] : [.get, .expire, .get]))
    #expect(entries.map(\.error) == entries.map { _ in nil })
    let ended = try #require(entries.first { $0.operation == .expire })
    #expect(ended.bytes == entries.first?.bytes)
    #expect(ended.key == .init(key: "draft", domain: .userDefaults))
  }

  @Test func receivedChangesAreLogged() async throws {
    let (one, other) = (synced("one"), synced("other"))
    try router.register([.key(one), .key(other)])
    try await router.set(Self.secret, for: other)
    entries.withLock { $0 = [] }
    store.fail(with: .outOfSpace) { $0.address?.name == "one" }
    let version = SyncVersion(counter: 1 << 42, device: UUID())
    let payload = SyncPayload(
      header: SyncPayload.Header(sender: version.device, clock: 1 << 42),
      entries: [(one, Data(#""abc""#.utf8)), (other, nil)].map { key, bytes in
        SyncPayload.Entry(
          key: AnyStorageKey(key).syncKey, version: version, schema: 1, isWatchRepresentation: false, bytes: bytes)
      })
    _ = await router.sync.receive(payload.bytes)
    let entries = entries.withLock { $0 }.sorted { ($0.key.key ?? "") < ($1.key.key ?? "") }
    #expect(entries.map(\.operation) == [.receive, .receive])
    #expect(entries.map(\.bytes) == [5, nil])
    #expect(entries.map(\.error) == [StorageError(.outOfSpace, .init(key: "one", domain: .userDefaults)), nil])
    #expect(try await router.get(other) == nil)
  }

  private func synced(_ name: String) -> StorageKey<String?> {
    StorageKey<String?>(
      name: name, domain: .userDefaults(), security: .none, owner: "Tests", description: "A text of two devices.",
      syncPolicy: .manual)
  }

  @Test func anEntryIsOneLine() {
    let key = StorageError.Subject(key: "theme", domain: .userDefaults)
    let entry = StorageLogEntry(operation: .get, key: key, bytes: 8, duration: .microseconds(1_250), error: nil)
    #expect("\(entry)" == "get 'theme' in userDefaults: 8 bytes, 1.2 ms")
    let skipped = StorageLogEntry(operation: .skip, key: key, bytes: nil, rows: 2, duration: .zero, error: nil)
    #expect("\(skipped)".hasPrefix("skip ") && "\(skipped)".hasSuffix(": 2 rows, 0.0 ms"))
    let absent = StorageLogEntry(operation: .get, key: key, bytes: nil, duration: .zero, error: nil)
    #expect("\(absent)" == "get 'theme' in userDefaults: 0.0 ms")
    let failed = StorageLogEntry(
      operation: .set, key: key, bytes: nil, duration: .seconds(2), error: StorageError(.locked, key))
    #expect("\(failed)" == "set 'theme' in userDefaults: failed after 2000.0 ms: \(StorageError(.locked, key))")
  }

  @Test func nothingIsLoggedWithoutALogger() async throws {
    router.setLogger(nil)
    try await router.set(Self.secret, for: mail())
    #expect(entries.withLock { $0.isEmpty })
  }
}
