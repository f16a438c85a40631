import Foundation
import LocalDataTesting
import ProbeKeys
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataSystem
import LocalDataVocabulary
import Testing
import TestSupport

@testable import LocalData

private func number(
  _ name: String = "number", _ domain: StorageDomain = .userDefaults(), _ security: SecurityPolicy = .none,
  syncPolicy: SyncPolicy = .never, migration: (@Sendable (StorageKey<Int>) -> AnyStorageMigration)? = nil
) -> StorageKey<Int> {
  StorageKey(
    name: name, domain: domain, security: security, default: 7, owner: "Tests", description: "A number.",
    syncPolicy: syncPolicy, migration: migration)
}

/// A store that waits for every read and write.
private struct WaitingStore: ForwardingStore {
  let base: any ValueStore

  func read(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Data? {
    try CallDeadline.requireWaiting()
    return try base.read(address, attributes)
  }

  func write(_ bytes: Data, to address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {
    try CallDeadline.requireWaiting()
    try base.write(bytes, to: address, attributes)
  }
}

/// Values that are read and written without `await`.
@Suite struct PlainPreferenceTests {
  private let memory = MemoryStore()

  private func router(_ store: (any ValueStore)? = nil) -> StorageRouter {
    StorageRouter(configuration: StorageConfiguration()) { [memory] in StorageServices(over: store ?? memory, $0) }
  }

  @Test(arguments: [
    StorageDomain.userDefaults(), .userDefaults(suite: "other"), .appGroupUserDefaults(identifier: "group.tests"),
  ])
  func aPreferenceIsReadAndWrittenAtOnce(_ domain: StorageDomain) async throws {
    let (router, key) = (router(), number("number", domain))
    #expect(try router.value(key) == 7)
    try await router.set(8, for: key)
    #expect(try router.value(key) == 8)
    try router.setValue(9, for: key)
    #expect(try router.value(key) == 9)
    #expect(try await router.get(key) == 9)
    try await router.remove(key)
    #expect(try router.value(key) == 7)
  }

  /// A decoder or serializer of the app may read another preference. It runs within a call that must not wait.
  @Test func codeOfTheAppWithinACallMayWait() throws {
    let (router, key) = (router(WaitingStore(base: memory)), number())
    try CallDeadline.withoutWaiting { () throws in
      try router.setValue(8, for: key)
      #expect(try router.value(key) == 8)
      #expect(CallDeadline.mustNotWait)
    }
  }

  @Test func nilRemovesAndAbsenceOfAnotherTypeIsAnError() async throws {
    let (router, optional) = (router(), key("optional", String.self))
    try router.setValue("a", for: optional)
    try router.setValue(nil, for: optional)
    #expect(try await router.exists(optional) == false)
    let needed = StorageKey<String>(
      name: "needed", domain: .userDefaults(), security: .none, owner: "Tests", description: "No default.")
    #expect(throws: StorageError(.notFound, .init(key: "needed", domain: .userDefaults))) { try router.value(needed) }
  }

  @Test(arguments: [
    (StorageDomain.userDefaults(), SecurityPolicy.recommended), (.keychain(), .keychain()),
    (.fileSystem(directory: .documents), .none), (.appGroupUserDefaults(identifier: "group.tests"), .recommended),
  ])
  func everyOtherValueNeedsWaiting(_ domain: StorageDomain, _ security: SecurityPolicy) async throws {
    let (router, key) = (router(), number("number", domain, security))
    try await router.set(1, for: key)
    let error = StorageError(.needsWaiting(.notPlainPreference), .init(key: "number", domain: domain.kind))
    #expect(throws: error) { try router.value(key) }
    #expect(throws: error) { try router.setValue(2, for: key) }
    #expect(try await router.get(key) == 1)
  }

  /// The earlier release stored the number elsewhere: absence is not certain before the migration has run.
  @Test func aValueThatMayBeElsewhereIsNotAbsent() async throws {
    let old = key("old", Int.self, .userDefaults(suite: "old"))
    let new = number("new") { key in
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(old)))
    }
    try await router().set(3, for: old)
    let router = router()
    let error = StorageError(.needsWaiting(.migrationPending), .init(key: "new", domain: .userDefaults))
    #expect(throws: error) { try router.value(new) }
    #expect(throws: error) { try router.setValue(4, for: new) }
    #expect(try await router.get(new) == 3)
    #expect(try router.value(new) == 3)
    // In the next process the value is at its own address, which is enough to read it.
    #expect(try self.router().value(new) == 3)
  }

  /// A new user has no value of an earlier release, and neither has one who removed it.
  @Test(arguments: [
    (StorageDomain.userDefaults(suite: "old"), SecurityPolicy.none), (.keychain(), .keychain()),
    (.fileSystem(directory: .documents), .none),
  ])
  func aValueThatIsNowhereIsAbsent(_ domain: StorageDomain, _ security: SecurityPolicy) async throws {
    let oldest = key("oldest", Int.self, .userDefaults(suite: "oldest"))
    let old = StorageKey<Int?>(
      name: "old", domain: domain, security: security, owner: "Tests", description: "A number.",
      migration: { AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(oldest))) })
    let new = number("new") { key in
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(old)))
    }
    let router = router()
    #expect(try router.value(new) == 7)
    #expect(try await router.get(new) == 7)
    #expect(try router.value(new) == 7)
    for number in 1...2 {
      let source = number == 1 ? old.with(migration: nil) : oldest
      try await self.router().set(number, for: source)
      #expect(throws: StorageError(.needsWaiting(.migrationPending), .init(key: "new", domain: .userDefaults))) {
        try router.value(new)
      }
      #expect(try await router.get(new) == number)
      #expect(try router.value(new) == number)
      try await router.remove(new)
      #expect(try router.value(new) == 7)
    }
  }

  /// The assignment of a new user is stored at once, and stays if an earlier release comes back.
  @Test func aValueWithoutASourceIsStoredAtOnce() async throws {
    let old = key("old", Int.self, .userDefaults(suite: "old"))
    let new = number("new") { key in
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(old)))
    }
    let router = router()
    try router.setValue(4, for: new)
    #expect(try router.value(new) == 4)
    try router.setValue(5, for: new)
    #expect(try self.router().value(new) == 5)
    try await self.router().set(3, for: old)
    #expect(throws: StorageError(.needsWaiting(.migrationPending), .init(key: "new", domain: .userDefaults))) {
      try self.router().setValue(6, for: new)
    }
    #expect(try await self.router().get(new) == 5)
  }

  @Test func aSourceThatCannotBeReadIsNotAbsent() async throws {
    let store = FaultInjectingStore(memory)
    let router = router(store)
    let old = key("old", Int.self, .userDefaults(suite: "old"))
    let new = number("new") { key in
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(old)))
    }
    store.fail(with: .locked) { $0.address?.name == "old" }
    #expect(throws: StorageError(.locked, .init(key: "old", domain: .userDefaults))) { try router.value(new) }
    store.succeed()
    #expect(try router.value(new) == 7)
  }

  /// The value is moved after the first look at the key, and its source is removed before the look there.
  @Test func aValueThatIsMovedMeanwhileIsFound() async throws {
    let store = FaultInjectingStore(memory)
    let router = router(store)
    let (old, plain) = (key("old", Int.self, .userDefaults(suite: "old")), number("new"))
    let new = number("new") { key in
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(old)))
    }
    let (other, hasMoved) = (self.router(), Lock(false))
    store.fail(with: .busy) { call in
      if call.address?.name == "old", !hasMoved.withLock({ $0 }) {
        hasMoved.withLock { $0 = true }
        do { try other.setValue(3, for: plain) } catch { Issue.record(error) }
      }
      return false
    }
    #expect(try router.value(new) == 3)
    #expect(hasMoved.withLock { $0 })
  }

  @Test func theRulesOfTheOtherVerbsHold() async throws {
    let store = FaultInjectingStore(memory)
    let router = router(store)
    store.fail(with: .locked) { $0.address?.name == "number" }
    #expect(throws: StorageError(.locked, .init(key: "number", domain: .userDefaults))) { try router.value(number()) }
    #expect(throws: StorageError(.locked, .init(key: "number", domain: .userDefaults))) {
      try router.setValue(1, for: number())
    }
    store.succeed()
    try await router.set("text", for: key("number", String.self))
    #expect(throws: StorageError(.cannotDecode, .init(key: "number", domain: .userDefaults))) {
      try router.value(number())
    }
    try ProbeCatalog.register([.key(number("other"))], on: router)
    #expect(throws: StorageError(.unregistered, .init(key: "number", domain: .userDefaults))) {
      try router.value(number())
    }
  }
}
