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

/// Tests of a value that a migration moves, and of a value that another device sends for the same key.
@Suite struct SyncMigrationTests {
  private let linked = LinkedTransports()
  private let store = FaultInjectingStore(MemoryStore())
  private let phone: StorageRouter
  private let watch: StorageRouter

  init() throws {
    phone = StorageRouter.inMemory(configuration: StorageConfiguration(platform: .phone))
    watch = StorageRouter(configuration: StorageConfiguration(platform: .watch)) { [store] in
      StorageServices(over: store, $0)
    }
    for (router, transport) in [(phone, linked.phone), (watch, linked.watch)] {
      try router.registerCatalog(Catalog.self)
      router.sync.setTransport(transport)
    }
  }

  private func receive() async -> [SyncEvent] {
    var events: [SyncEvent] = []
    for payload in linked.watch.arrivals() { events += await watch.sync.receive(payload) }
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
}
