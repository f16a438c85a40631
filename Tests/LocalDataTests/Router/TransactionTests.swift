import Foundation
import ProbeKeys
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataVocabulary
import Testing
import TestSupport

@testable import LocalData

private func number(
  _ name: String, _ domain: StorageDomain = .userDefaults(), _ security: SecurityPolicy = .none,
  migration: (@Sendable (StorageKey<Int>) -> AnyStorageMigration)? = nil
) -> StorageKey<Int> {
  StorageKey(
    name: name, domain: domain, security: security, default: 0, owner: "Tests", description: "A number.",
    migration: migration)
}

private struct Refused: Error {}

/// The stores that can change several values together. Apple's keychain cannot.
private let stores: [(StorageDomain, SecurityPolicy)] = {
  let preferences: [(StorageDomain, SecurityPolicy)] = [
    (.userDefaults(), .none), (.userDefaults(suite: "other"), .recommended),
    (.appGroupUserDefaults(identifier: "group.probe"), .none),
  ]
  #if os(Linux)
    return preferences + [(.keychain(), .keychain()), (.keychain(service: "s"), .recommended)]
  #else
    return preferences
  #endif
}()

@Suite(.findsHangs) struct TransactionTests {
  private let memory = MemoryStore()

  private func router(_ store: (any ValueStore)? = nil) -> StorageRouter {
    StorageRouter(configuration: StorageConfiguration()) { [memory] in StorageServices(over: store ?? memory, $0) }
  }

  @Test(arguments: stores.indices, [true, false])
  func allChangesAreMadeOrNone(_ index: Int, _ isOnDisk: Bool) async throws {
    #if os(Linux)
      let fixture = try StoreFixture()
      let router = isOnDisk ? StorageRouter.probe(on: fixture) : router()
    #else
      let router = router()
    #endif
    let (domain, security) = stores[index]
    let (one, other) = (number("one", domain, security), number("other", domain, security))
    let result = try await router.transaction { transaction in
      try await transaction.set(5, for: one)
      let value = try await transaction.get(one)
      #expect(try await router.get(one) == 0, "nothing is stored before the end")
      try await transaction.set(value + 1, for: other)
      return value
    }
    #expect(result == 5)
    #expect(try await router.get(one) == 5)
    #expect(try await router.get(other) == 6)
    await #expect(throws: Refused.self) {
      try await router.transaction { transaction in
        try await transaction.set(7, for: one)
        try await transaction.remove(other)
        throw Refused()
      }
    }
    #expect(try await router.get(one) == 5)
    try await router.transaction { transaction in
      try await transaction.set(try await transaction.get(other), for: one)
      try await transaction.remove(other)
      #expect(try await transaction.get(other) == 0)
    }
    #expect(try await router.get(one) == 6)
    #expect(try await router.exists(other) == false)
  }

  @Test func aChangeOfAReadValueRunsItAgain() async throws {
    let router = router()
    let (one, other) = (number("one"), number("other"))
    let attempts = Lock(0)
    try await router.transaction { transaction in
      let value = try await transaction.get(one)
      attempts.withLock { $0 += 1 }
      if attempts.withLock({ $0 }) == 1 { try await router.set(10, for: one) }
      try await transaction.set(value + 1, for: other)
    }
    #expect(attempts.withLock { $0 } == 2)
    #expect(try await router.get(other) == 11)
    await #expect(throws: StorageError(.busy, .init(key: nil, domain: nil))) {
      try await router.transaction { transaction in
        let value = try await transaction.get(one)
        try await router.set(value + 1, for: one)
        try await transaction.set(value, for: other)
      }
    }
    #expect(try await router.get(other) == 11)
  }

  /// Nothing would store the change: a call that returned without an error would lose it.
  @Test(arguments: [true, false]) func aTransactionEndsWithItsClosure(_ isThrowing: Bool) async throws {
    let router = router()
    let key = number("n", .userDefaults(), .none)
    let used = Lock<StorageTransaction?>(nil)
    do {
      try await router.transaction { transaction in
        used.withLock { $0 = transaction }
        try await transaction.set(1, for: key)
        if isThrowing { throw CancellationError() }
      }
    } catch is CancellationError {}
    let transaction = try #require(used.withLock { $0 })
    let error = StorageError(.cannotJoinTransaction, .init(key: "n", domain: .userDefaults))
    await #expect(throws: error) { try await transaction.set(2, for: key) }
    await #expect(throws: error) { try await transaction.remove(key) }
    await #expect(throws: error) { try await transaction.get(key) }
    #expect(try await router.get(key) == (isThrowing ? 0 : 1))
  }

  /// The sum of two accounts is the same whatever runs at the same time.
  @Test func noUpdateIsLost() async throws {
    let router = router()
    let (one, other) = (number("one"), number("other"))
    try await router.set(100, for: one)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<10 {
        group.addTask {
          for _ in 0..<5 {
            try await router.transaction { transaction in
              try await transaction.set(try await transaction.get(one) - 1, for: one)
              try await transaction.set(try await transaction.get(other) + 1, for: other)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await router.get(one) == 50)
    #expect(try await router.get(other) == 50)
  }

  @Test func aKeyOfAnotherStoreIsRefused() async throws {
    let router = router()
    let elsewhere = number("elsewhere", .userDefaults(suite: "other"))
    await #expect(throws: StorageError(.cannotJoinTransaction, .init(key: "elsewhere", domain: .userDefaults))) {
      try await router.transaction { transaction in
        try await transaction.set(1, for: number("one"))
        try await transaction.set(1, for: elsewhere)
      }
    }
    #expect(memory.entries.isEmpty)
    #if os(Linux)
      let file = number("file", .fileSystem(directory: .documents))
      let onDisk = StorageRouter.probe(on: try StoreFixture())
      await #expect(throws: StorageError(.cannotJoinTransaction, .init(key: "file", domain: .fileSystem))) {
        try await onDisk.transaction { transaction in try await transaction.set(1, for: file) }
      }
    #endif
  }

  /// A key whose value the earlier release stored elsewhere.
  private static func moved(
    _ name: String = "moved", _ domain: StorageDomain = .userDefaults(), from old: StorageKey<Int?>
  ) -> StorageKey<Int> {
    number(name, domain) { key in
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(old)))
    }
  }

  /// The migrations of the keys run at the same time.
  @Test func keysOfTwoStoresAreRefusedFromTwoTasks() async throws {
    let old = key("old", Int.self, .userDefaults(suite: "old"))
    for _ in 0..<200 {
      let router = router()
      let (one, other) = (Self.moved("one", from: old), Self.moved("other", .userDefaults(suite: "other"), from: old))
      try await router.set(1, for: one)
      try await router.set(1, for: other)
      await #expect(throws: StorageError.self) {
        try await router.transaction { transaction in
          async let first: Void = transaction.set(2, for: one)
          async let second: Void = transaction.set(2, for: other)
          _ = try await (first, second)
        }
      }
      #expect(try await router.get(one) == 1)
      #expect(try await router.get(other) == 1)
    }
  }

  /// The earlier release stored the number elsewhere.
  @Test func aMigrationRunsBefore() async throws {
    let old = key("old", Int.self, .userDefaults(suite: "old"))
    let moved = Self.moved(from: old)
    try await router().set(3, for: old)
    let router = router()
    try await router.transaction { transaction in
      try await transaction.set(try await transaction.get(moved) + 1, for: moved)
    }
    #expect(try await router.get(moved) == 4)
    try await router.transaction { transaction in try await transaction.remove(moved) }
    #expect(try await self.router().get(moved) == 0)
  }

  /// A new user has no value of an earlier release. After a removal there is none either.
  @Test func aKeyWithAMigrationAndNoValueIsChanged() async throws {
    let (router, moved) = (router(), Self.moved(from: key("old", Int.self, .userDefaults(suite: "old"))))
    for _ in 0..<2 {
      try await router.transaction { transaction in
        try await transaction.set(try await transaction.get(moved) + 1, for: moved)
      }
      #expect(try await router.get(moved) == 1)
      try await router.transaction { transaction in try await transaction.remove(moved) }
      #expect(try await router.get(moved) == 0)
    }
    try await router.remove(moved)
    try await router.transaction { transaction in try await transaction.set(5, for: moved) }
    #expect(try await self.router().get(moved) == 5)
  }

  @Test func changesAreObserved() async throws {
    let (router, one) = (router(), number("one"))
    var values = router.values(of: one).makeAsyncIterator()
    #expect(try await values.next() == 0)
    try await router.transaction { transaction in try await transaction.set(1, for: one) }
    #expect(try await values.next() == 1)
  }

  // MARK: Values that are created once

  @Test(arguments: addresses)
  func aValueIsCreatedOnce(_ domain: StorageDomain, _ security: SecurityPolicy) async throws {
    let (router, name) = (router(), key("name", String.self, domain, security))
    await #expect(throws: Refused.self) { try await router.get(name, orSet: try Self.refused()) }
    #expect(try await router.get(name, orSet: "first") == "first")
    #expect(try await router.get(name, orSet: "second") == "first")
    await withTaskGroup(of: String?.self) { group in
      let shared = key("shared", String.self, domain, security)
      for number in 0..<10 { group.addTask { try? await router.get(shared, orSet: "\(number)") } }
      var found: Set<String?> = []
      for await value in group { found.insert(value) }
      #expect(found.count == 1 && !found.contains(nil))
    }
  }

  private static func refused() throws -> String { throw Refused() }

  /// A key, and the source from which a later release moves its value.
  private static func movedLater() -> (source: StorageKey<Int?>, key: StorageKey<Int?>) {
    let source = StorageKey<Int?>(
      name: "source", domain: .userDefaults(), security: .none, owner: "Tests", description: "A number.")
    let key = StorageKey<Int?>(
      name: "destination", domain: .userDefaults(), security: .none, owner: "Tests", description: "A number."
    ) { destination in
      AnyStorageMigration(
        AppVersionConditionalMigration(
          destinationKey: destination, condition: .atLeast(2, 0),
          migration: AnyStorageMigration(
            SimpleLegacyMigration(destinationKey: destination, sourceKey: .key(source)))))
    }
    return (source, key)
  }

  /// If the process is killed after the removal, the log keeps the source from giving the value back.
  @Test func aRemovalIsRecordedBeforeItIsMade() async throws {
    let (source, key) = Self.movedLater()
    let router = router()
    try await router.set(3, for: source)
    try await router.set(5, for: key)
    let full = StorageRouter(configuration: StorageConfiguration(applicationVersion: "1.0")) { [memory] setup in
      var services = StorageServices(over: memory, setup)
      services.migrationLog = { _ in MigrationLog().failing(with: .outOfSpace) }
      return services
    }
    await #expect(throws: StorageError(.outOfSpace, .init(key: "destination", domain: .userDefaults))) {
      try await full.transaction { try await $0.remove(key) }
    }
    #expect(try await full.get(key) == 5)
  }

  #if os(Linux)
    /// A step of a later release finds its source. A value that was removed before does not come from it.
    @Test(arguments: ["set", "remove", "setValue"])
    func aRemovedValueStaysRemoved(_ verb: String) async throws {
      let fixture = try StoreFixture()
      func release(_ version: String) -> StorageRouter {
        StorageRouter(
          configuration: StorageConfiguration(
            applicationName: "Test", applicationVersion: version, roots: StorageRoots(below: fixture.folder)))
      }
      let (source, key) = Self.movedLater()
      let first = release("1.0")
      try await first.set(3, for: source)
      try await first.set(5, for: key)
      switch verb {
      case "set": try await first.transaction { try await $0.set(nil, for: key) }
      case "remove": try await first.transaction { try await $0.remove(key) }
      default:
        // It settles the migration, which has nothing to do in this release.
        #expect(try await first.get(key) == 5)
        let subject = StorageError.Subject(key: "destination", domain: .userDefaults)
        #expect(throws: StorageError(.needsWaiting(.changeIsRecorded), subject)) { try first.setValue(nil, for: key) }
        try await first.remove(key)
      }
      #expect(try await release("2.0").get(key) == nil)
    }
  #endif
}
