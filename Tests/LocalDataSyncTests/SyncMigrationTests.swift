import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataVocabulary
import Testing

@testable import LocalData
@testable import LocalDataSync

private func synced(
  _ name: String, _ policy: SyncPolicy = .manual, _ domain: StorageDomain = .userDefaults(),
  _ security: SecurityPolicy = .none, _ migration: (@Sendable (StorageKey<Int?>) -> AnyStorageMigration)? = nil
) -> StorageKey<Int?> {
  StorageKey<Int?>(
    name: name, domain: domain, security: security, owner: "Tests", description: "A number of two devices.",
    syncPolicy: policy, options: StorageKeyOptions(decryptedForSync: security != .none), migration: migration)
}

private let old = synced("old")
private let new = synced("new") { key in
  AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(old)))
}
private let another = synced("another")
private let hidden = synced("hidden", .manual, .keychain(service: "s"), .keychain())

private enum Catalog: StorageKeyCatalog {
  static let features: [StorageFeature] = [.sync]
  static var allKeys: [AnyStorageKey] { [.key(old), .key(new), .key(another), .key(hidden)] }
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

/// A migration of the app that does what the declared one does.
private struct CopyMigration: StorageMigration {
  enum Verb: CaseIterable {
    case set, update
  }

  let destinationKey: StorageKey<Int?>
  let source: StorageKey<Int?>
  var verb = Verb.set

  func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
    try await router.exists(source)
  }

  func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
    guard let value = try await router.get(source) else { return MigrationResult(success: true) }
    switch verb {
    case .set: try await router.set(value, for: destinationKey)
    case .update: try await router.update(destinationKey) { $0 = value }
    }
    try await router.remove(source)
    return MigrationResult(success: true)
  }
}

/// Tests of a value that a migration moves, and of a value that another device sends for the same key.
@Suite struct SyncMigrationTests {
  private let linked = LinkedTransports()
  private let store = FaultInjectingStore(MemoryStore())
  private let log = MigrationLog()
  private let histories = SyncHistoryLogs()
  private let phone: StorageRouter
  private let watch: StorageRouter

  init() throws {
    phone = StorageRouter.inMemory(configuration: StorageConfiguration(platform: .phone))
    watch = Self.watch(store, log, histories)
    for (router, transport) in [(phone, linked.phone), (watch, linked.watch)] {
      try router.registerCatalog(Catalog.self)
      router.sync.setTransport(transport)
    }
  }

  private static func watch(
    _ store: FaultInjectingStore, _ log: MigrationLog, _ histories: SyncHistoryLogs
  ) -> StorageRouter {
    StorageRouter(configuration: StorageConfiguration(platform: .watch)) { setup in
      var services = StorageServices(over: store, setup, syncRecords: histories)
      services.migrationLog = { _ in log }
      return services
    }
  }

  /// Launches the next release of the watch's app, which declares these keys.
  private func release(_ keys: StorageKey<Int?>...) throws -> StorageRouter {
    let router = Self.watch(store, log, histories)
    try router.register(keys.map { .key($0) })
    router.sync.setTransport(linked.watch)
    return router
  }

  /// Returns a phone whose clock is ahead. What it sets is newer than what the watch has changed within the same millisecond.
  private func phoneAhead() throws -> StorageRouter {
    let (clock, disk) = (StepClock(), MemoryStore())
    clock.move(to: Date().addingTimeInterval(3_600))
    let phone = StorageRouter(configuration: StorageConfiguration(platform: .phone), clock: clock) {
      StorageServices(over: disk, $0)
    }
    try phone.registerCatalog(Catalog.self)
    phone.sync.setTransport(linked.phone)
    return phone
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
    store.fail(with: .locked) { $0.address?.name == "old" && $0.operation == .read }
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

  /// The removal was noted, and its source could not be removed: it is finished when the payload comes again.
  @Test func aRemovalThatFailedIsMadeWhenItComesAgain() async throws {
    try await watch.set(1, for: old)
    try await phone.set(2, for: new)
    try await phone.remove(new)
    try await phone.sync.send(new)
    store.fail(with: .locked) { $0.address?.name == "old" && $0.operation != .read }
    #expect(await receive() == [.ignored(.of(new), .failed(StorageError(.locked, .of(old))))])
    store.succeed()
    let payload = try #require(linked.watch.received)
    #expect(await watch.sync.receive(payload) == [.received(.of(new))])
    #expect(try await watch.get(new) == nil)
    #expect(try await watch.exists(old) == false)
    // Once it is made, it is not made again.
    #expect(await watch.sync.receive(payload) == [])
  }

  /// The value of the source may be newer than the removal, as long as it cannot be read.
  @Test func aRemovalWaitsForASourceThatCannotBeRead() async throws {
    try await watch.set(1, for: old)
    try await phone.remove(new)
    try await phone.sync.send(new)
    store.fail(with: .locked) { $0.address?.name == "old" && $0.operation == .read }
    let subject = StorageError.Subject(key: "old", domain: .userDefaults, sourceOf: "new")
    #expect(await receive() == [.ignored(.of(new), .failed(StorageError(.locked, subject)))])
    store.succeed()
    let payload = try #require(linked.watch.received)
    #expect(await watch.sync.receive(payload) == [.received(.of(new))])
    #expect(try await watch.get(new) == nil)
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
    let phone = try phoneAhead()
    try await phone.set(2, for: old)
    try await phone.sync.send(old)
    #expect(await receive(on: try release(a)) == [.received(.of(old))])
    #expect(try await release(b).get(b) == 2)
  }

  /// The migration is run again by the next launch, and must not replace what was received since it failed.
  @Test func aCustomMigrationThatFailedDoesNotReplaceWhatIsReceived() async throws {
    let runs = Lock(0)
    let key = synced("another") { AnyStorageMigration(HalfMigration(destinationKey: $0, runs: runs)) }
    let phone = try phoneAhead()
    await #expect(throws: StorageError(.migrationFailed, .of(key))) { try await release(key).get(key) }
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

  // MARK: Versions of migrated values

  /// A key that a release moves from another one, which is not synced.
  private func moved(
    _ policy: SyncPolicy, isCustom: Bool, _ verb: CopyMigration.Verb = .set
  ) -> (old: StorageKey<Int?>, new: StorageKey<Int?>) {
    let old = synced("first", .never)
    let new = synced("another", policy) { key in
      isCustom
        ? AnyStorageMigration(CopyMigration(destinationKey: key, source: old, verb: verb))
        : AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(old)))
    }
    return (old, new)
  }

  private func exchange(_ watch: StorageRouter) async {
    for _ in 0..<4 {
      for payload in linked.watch.arrivals() { await watch.sync.receive(payload) }
      for payload in linked.phone.arrivals() { await phone.sync.receive(payload) }
    }
  }

  /// The payload starts the migration. The value is older all the same.
  @Test(arguments: [SyncPolicy.manual, .automaticSmall], [true, false])
  func aValueThatIsMigratedByAPayloadLosesToTheOneInThePayload(_ policy: SyncPolicy, _ isCustom: Bool) async throws {
    let (old, new) = moved(policy, isCustom: isCustom)
    try await release(old).set(1, for: old)
    try await phone.set(2, for: another)
    try await phone.sync.send(another)
    let watch = try release(old, new)
    #expect(await receive(on: watch) == [.received(.of(new))])
    #expect(try await watch.get(new) == 2)
    #expect(try await watch.exists(old) == false)
    await exchange(watch)
    #expect(try await phone.get(another) == 2)
  }

  @Test(arguments: [SyncPolicy.manual, .automaticSmall], [true, false])
  func aMigratedValueLosesToTheOneThatIsReceived(_ policy: SyncPolicy, _ isCustom: Bool) async throws {
    let (old, new) = moved(policy, isCustom: isCustom)
    try await release(old).set(1, for: old)
    try await phone.set(2, for: another)
    let watch = try release(old, new)
    #expect(try await watch.get(new) == 1)
    try await phone.sync.send(another)
    #expect(await receive(on: watch) == [.received(.of(new))])
    #expect(try await watch.get(new) == 2)
    try await watch.sync.send(new)
    await exchange(watch)
    #expect(try await phone.get(another) == 2)
    #expect(try await watch.get(new) == 2)
  }

  @Test(arguments: CopyMigration.Verb.allCases)
  private func everyVerbOfAMigrationLosesToWhatIsReceived(_ verb: CopyMigration.Verb) async throws {
    let (old, new) = moved(.automaticSmall, isCustom: true, verb)
    try await release(old).set(1, for: old)
    try await phone.set(2, for: another)
    try await phone.sync.send(another)
    let watch = try release(old, new)
    #expect(await receive(on: watch) == [.received(.of(new))])
    #expect(try await watch.get(new) == 2)
  }

  @Test(arguments: [SyncPolicy.manual, .automaticSmall], [true, false])
  func aMigratedValueReachesTheOtherDevice(_ policy: SyncPolicy, _ isCustom: Bool) async throws {
    let (old, new) = moved(policy, isCustom: isCustom)
    try await release(old).set(1, for: old)
    let watch = try release(old, new)
    #expect(try await watch.get(new) == 1)
    try await watch.sync.sendAll()
    await exchange(watch)
    #expect(try await phone.get(another) == 1)
    // The next change of a user wins on both.
    try await phone.set(2, for: another)
    try await phone.sync.send(another)
    await exchange(watch)
    #expect(try await watch.get(new) == 2)
  }

  /// A value that the user sets at the next launch is a change like every other.
  @Test(arguments: [true, false]) func whatIsSetAfterAMigrationReplacesTheOtherValue(_ isCustom: Bool) async throws {
    let (old, new) = moved(.manual, isCustom: isCustom)
    try await release(old).set(1, for: old)
    try await phone.set(2, for: another)
    try await phone.sync.send(another)
    #expect(try await release(old, new).get(new) == 1)
    let watch = try release(old, new)
    try await watch.set(3, for: new)
    try await watch.sync.send(new)
    await exchange(watch)
    #expect(try await watch.get(new) == 3)
    #expect(try await phone.get(another) == 3)
  }

  /// The key's address has a noted version from before: of a value that was moved away, or of a removal.
  @Test(arguments: [true, false], [true, false])
  func aValueThatIsMovedToAnAddressWithAVersionIsNoNewerThanThatVersion(
    _ isCustom: Bool, _ isRemoved: Bool
  ) async throws {
    let first = synced("another")
    try await release(first).set(1, for: first)
    try await release(first).sync.send(first)
    await exchange(try release(first))
    #expect(try await phone.get(another) == 1)
    let away = synced("away", .never) {
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(first)))
    }
    #expect(try await release(away).get(away) == 1)
    try await release(away).set(2, for: away)
    if isRemoved {
      try await phone.remove(another)
      try await phone.sync.send(another)
      await exchange(try release(first))
    }
    let back = synced("another") { key in
      isCustom
        ? AnyStorageMigration(CopyMigration(destinationKey: key, source: synced("away", .never)))
        : AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(synced("away", .never))))
    }
    let watch = try release(synced("away", .never), back)
    try await phone.set(3, for: another)
    #expect(try await watch.get(back) == 2)
    try await phone.sync.send(another)
    await exchange(watch)
    #expect(try await watch.get(back) == 3)
    try await watch.sync.sendAll()
    await exchange(watch)
    #expect(try await phone.get(another) == 3)
  }

  /// The value is the same as before, so it keeps its version. That of a value of the keychain is stored with the value.
  @Test(arguments: [
    (another, SecurityPolicy.recommended), (hidden, .keychain(accessibility: .afterFirstUnlockThisDeviceOnly)),
    (hidden, .recommended),
  ])
  func aValueThatIsSecuredInPlaceKeepsItsVersion(_ first: StorageKey<Int?>, _ security: SecurityPolicy) async throws {
    let second = synced(first.name, .manual, first.domain, security) { key in
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(first)))
    }
    try await release(first).set(1, for: first)
    try await release(first).sync.send(first)
    await exchange(try release(first))
    try await phone.set(2, for: first)
    let watch = try release(second)
    #expect(try await watch.get(second) == 1)
    try await phone.sync.send(first)
    #expect(await receive(on: watch) == [.received(.of(second))])
    #expect(try await watch.get(second) == 2)
    await exchange(watch)
    #expect(try await phone.get(first) == 2)
  }
}
