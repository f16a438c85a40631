import Foundation
import LocalDataTesting
import StorageVocabulary
import Testing

@testable import LocalData

private func synced(
  _ name: String, _ migration: (@Sendable (StorageKey<Int?>) -> AnyStorageMigration)? = nil
) -> StorageKey<Int?> {
  StorageKey<Int?>(
    name: name, domain: .userDefaults(), security: .none, owner: "Tests", description: "A number of two devices.",
    syncPolicy: .manual, migration: migration)
}

private let old = synced("old")
private let new = synced("new") { key in
  AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(old)))
}
private let another = synced("another")

private enum Catalog: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [.key(old), .key(new), .key(another)] }
}

/// A migration of the app that fails after it has set the value 1, fails before that in the second run, and then succeeds.
private struct HalfMigration: StorageMigration {
  struct Failure: Error {}

  let destinationKey: StorageKey<Int?>
  let runs: Lock<Int>

  func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool { true }

  func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
    let run = runs.withLock { runs in
      runs += 1
      return runs
    }
    if run == 2 { throw Failure() }
    try await router.set(1, for: destinationKey)
    if run == 1 { throw Failure() }
    return MigrationResult(success: true)
  }
}

/// Tests of a value that a migration moves, and of a value that another device sends for the same key.
@Suite struct SyncMigrationTests {
  private let linked = LinkedTransports()
  private let store = FaultInjectingStore(MemoryStore())
  private let log = MemoryMigrationLog()
  private let records = MemorySyncRecords()
  private let phone: StorageRouter
  private let watch: StorageRouter

  init() throws {
    phone = StorageRouter.inMemory(configuration: StorageConfiguration(platform: .phone))
    watch = Self.watch(store, log, records)
    for (router, transport) in [(phone, linked.phone), (watch, linked.watch)] {
      try router.registerCatalog(Catalog.self)
      router.sync.setTransport(transport)
    }
  }

  private static func watch(
    _ store: FaultInjectingStore, _ log: MemoryMigrationLog, _ records: MemorySyncRecords
  ) -> StorageRouter {
    StorageRouter(configuration: StorageConfiguration(platform: .watch)) { setup in
      var services = StorageServices(over: store, setup, syncRecords: records)
      services.migrationLog = { _ in log }
      return services
    }
  }

  /// Launches the next release of the watch's app, which declares these keys.
  private func release(_ keys: StorageKey<Int?>...) throws -> StorageRouter {
    let router = Self.watch(store, log, records)
    try router.register(keys.map { .key($0) })
    router.sync.setTransport(linked.watch)
    return router
  }

  private func receive(on router: StorageRouter? = nil) async -> [SyncEvent] {
    var events: [SyncEvent] = []
    for payload in linked.watch.arrivals() { events += await (router ?? watch).sync.receive(payload) }
    return events
  }

  @Test func whatIsReceivedIsNewerThanWhatASourceHolds() async throws {
    try await watch.set(1, for: old)
    // The watch's counter is ahead of the phone's.
    for number in 0..<10 { try await watch.set(number, for: another) }
    try await phone.set(2, for: new)
    try await phone.sync.send(new)
    #expect(await receive() == [.received(.of(new))])
    #expect(try await watch.get(new) == 2)
  }

  @Test func aRemovalThatIsReceivedRemovesWhatASourceHolds() async throws {
    try await phone.set(2, for: new)
    try await phone.sync.send(new)
    _ = await receive()
    try await watch.set(1, for: old)
    try await phone.remove(new)
    try await phone.sync.send(new)
    store.fail(with: .locked) { $0.place?.name == "old" && $0.operation == .read }
    #expect(await receive() == [.received(.of(new))])
    store.succeed()
    #expect(try await watch.get(new) == nil)
    #expect(try await watch.exists(old) == false)
  }

  @Test func aSourceThatWasMovedIsNotRemovedFromTheOtherDevice() async throws {
    try await watch.set(1, for: old)
    try await watch.sync.send(old)
    for payload in linked.phone.arrivals() { _ = await phone.sync.receive(payload) }
    #expect(try await watch.get(new) == 1)
    try await watch.sync.send(old)
    for payload in linked.phone.arrivals() { _ = await phone.sync.receive(payload) }
    #expect(try await phone.get(new) == 1)
  }

  /// The removal was recorded, and its source could not be removed: it is finished when the payload comes again.
  @Test func aRemovalThatFailedIsMadeWhenItComesAgain() async throws {
    try await watch.set(1, for: old)
    try await phone.set(2, for: new)
    try await phone.remove(new)
    try await phone.sync.send(new)
    store.fail(with: .locked) { $0.place?.name == "old" }
    #expect(await receive() == [.ignored(.of(new), .failed(.locked(.of(old))))])
    store.succeed()
    let payload = try #require(linked.watch.received)
    #expect(await watch.sync.receive(payload) == [.received(.of(new))])
    #expect(try await watch.get(new) == nil)
    #expect(try await watch.exists(old) == false)
    // Once it is made, it is not made again.
    #expect(await watch.sync.receive(payload) == [])
  }

  /// The value that is received is stored where an earlier release had moved one away.
  @Test func whatIsReceivedUnderAnOldNameIsFoundByTheNextRename() async throws {
    func moved(_ name: String, from source: String) -> StorageKey<Int?> {
      synced(name) { AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(synced(source)))) }
    }
    let (a, b) = (moved("old", from: "back"), moved("back", from: "old"))
    try await release(old).set(1, for: old)
    #expect(try await release(b).get(b) == 1)
    try await release(b).remove(b)
    try await phone.set(2, for: old)
    try await phone.sync.send(old)
    #expect(await receive(on: try release(a)) == [.received(.of(old))])
    #expect(try await release(b).get(b) == 2)
  }

  /// The migration is run again by the next launch, and must not replace what was received since it failed.
  @Test func aCustomMigrationThatFailedDoesNotReplaceWhatIsReceived() async throws {
    let runs = Lock(0)
    let key = synced("another") { AnyStorageMigration(HalfMigration(destinationKey: $0, runs: runs)) }
    // The clock of the phone is ahead: what it sets is newer than what the migration has set.
    let (clock, disk) = (StepClock(), MemoryStore())
    clock.move(to: Date().addingTimeInterval(3_600))
    let phone = StorageRouter(configuration: StorageConfiguration(platform: .phone), clock: clock) {
      StorageServices(over: disk, $0)
    }
    try phone.registerCatalog(Catalog.self)
    phone.sync.setTransport(linked.phone)
    await #expect(throws: StorageError.migrationFailed(.of(key))) { try await release(key).get(key) }
    try await phone.set(2, for: another)
    try await phone.sync.send(another)
    #expect(await receive(on: try release(key)) == [.received(.of(key))])
    let next = try release(key)
    #expect(try await next.get(key) == 2)
    #expect(runs.withLock(\.self) == 3)
    try await next.sync.send(key)
    for payload in linked.phone.arrivals() { await phone.sync.receive(payload) }
    #expect(try await phone.get(another) == 2)
  }
}
