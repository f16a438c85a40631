import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataVocabulary
import Testing

@testable import LocalData

/// Tests that a removed value stays removed, whichever verb removes it and whatever could not be finished before.
@Suite struct MigrationRemovalTests {
  private let fixture = MigrationFixture()
  private let store: FaultInjectingStore

  init() { store = FaultInjectingStore(fixture.memory) }

  @Test func anUpdateThatRemovesRemovesASourceThatCouldNotBeReadToo() async throws {
    let (token, router) = (movedToken(), fixture.router(store))
    try await router.set("old", for: token.old)
    store.fail(with: .locked) { $0.address?.name == "old_token" && $0.operation == .read }
    try await router.set("new", for: token.new)
    #expect(try await router.update(token.new) { $0 = nil } == nil)
    store.succeed()
    #expect(try await fixture.router().get(token.new) == nil)
    #expect(try await fixture.router().exists(token.old) == false)
    #expect(try fixture.log.events().map(\.outcome) == [.removed])
  }

  /// A store without a watch, like Apple's keychain and files.
  @Test(.findsHangs) func anObserverSeesTheRemovalOfAValueWithASource() async throws {
    let router = fixture.router(store)
    let (old, new) = (key("old", String.self), renamed)
    try await router.set("old", for: old)
    try await router.set("new", for: new)
    var values = router.values(of: new).makeAsyncIterator()
    #expect(try await values.next() == "new")
    try await router.remove(new)
    #expect(try await values.next() == .some(nil))
    #expect(try await router.exists(old) == false)
  }

  @Test func aValueThatCannotBeRemovedIsAFailedWrite() async throws {
    let router = fixture.router(store)
    let new = renamed
    try await router.set("old", for: key("old", String.self))
    try await router.set("new", for: new)
    store.fail(with: .io(errno: EIO)) { $0.operation == .update }
    await #expect(throws: StorageError(.io(errno: EIO), .init(key: "new", domain: .userDefaults), .write)) {
      try await router.remove(new)
    }
    store.succeed()
    #expect(try await router.get(new) == "new")
  }

  private var renamed: StorageKey<String?> {
    key("new", String.self) {
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(key("old", String.self))))
    }
  }

  @Test func anUpdateThatRemovesRemovesWhatWasKeptAside() async throws {
    let (token, router) = (movedToken(), fixture.router())
    try await router.set("old", for: token.old)
    try await router.set("new", for: token.new)
    #expect(try await router.exists(token.old))
    let seen = Lock<[String?]>([])
    let removed = try await router.update(token.new) { value in
      seen.withLock { [value] in $0.append(value) }
      value = nil
    }
    #expect(removed == nil)
    #expect(seen.withLock(\.self) == ["new"])
    #expect(try await router.exists(token.old) == false)
  }

  @Test func anUpdateThatRemovesLeavesWhatIsWrittenInBetween() async throws {
    let token = movedToken()
    for _ in 0..<20 {
      let fixture = MigrationFixture()
      try await fixture.router().set("a", for: token.new)
      let (one, other) = (fixture.router(), fixture.router())
      async let removed = one.update(token.new) { $0 = $0 == "a" ? nil : $0 }
      async let written = other.update(token.new) { $0 = ($0 ?? "") + "b" }
      _ = try await (removed, written)
      let left = try await fixture.router().get(token.new)
      #expect(["b", "ab"].contains(left))
    }
  }

  @Test func afterARemovalTheSourceCountsInThisProcessAsInOthers() async throws {
    let (token, router) = (movedToken(), fixture.router())
    try await router.set("first", for: token.new)
    #expect(try await router.get(token.new) == "first")
    try await router.remove(token.new)
    // Nothing was ever migrated: what is found later is the first that is there to migrate.
    try await fixture.router().set("found", for: token.old)
    #expect(try await router.exists(token.new))
    #expect(try await router.get(token.new) == "found")
  }

  @Test func aCustomMigrationDoesNotBringBackWhatIsRemovedBeforeItRan() async throws {
    struct Importing: StorageMigration {
      let destinationKey: StorageKey<String?>
      let old: StorageKey<String?>
      func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
        try await router.exists(old)
      }
      func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
        try await router.set(try await router.get(old), for: destinationKey)
        return MigrationResult(success: true)
      }
    }
    let old = key("old", String.self)
    let new = key("new", String.self) { AnyStorageMigration(Importing(destinationKey: $0, old: old)) }
    let removals: [@Sendable (StorageRouter) async throws -> Void] = [
      { try await $0.remove(new) }, { try await $0.set(nil, for: new) },
      { _ = try await $0.update(new) { $0 = nil } },
    ]
    for remove in removals {
      let fixture = MigrationFixture()
      let router = fixture.router()
      try await router.set("zombie", for: old)
      try await remove(router)
      #expect(try await router.get(new) == nil)
      #expect(try await fixture.router().get(new) == nil)
      #expect(try await fixture.router().exists(new) == false)
    }
  }

  @Test func aMigrationThatRemovesAKeyWithSourcesLeavesNoCopyOfItself() async throws {
    struct Joining: StorageMigration {
      let destinationKey: StorageKey<String?>
      let old: StorageKey<String?>
      func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool { true }
      func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
        try await router.set("moved", for: destinationKey)
        try await router.remove(old)
        return MigrationResult(success: true)
      }
    }
    let old = movedToken().new
    let new = key("new", String.self) { AnyStorageMigration(Joining(destinationKey: $0, old: old)) }
    try await fixture.router().set("secret", for: old)
    #expect(try await fixture.router(store).get(new) == "moved")
    let removed = try #require(store.calls.lastIndex { $0.operation == .remove && $0.address?.name == "token" })
    // Of the key's container, besides that of the migration's own.
    #expect(store.calls[removed...].count { $0.operation == .purge } == 2)
  }

  @Test func aSourceThatCannotBeRemovedNowIsRemovedWithTheNextUse() async throws {
    let (token, router) = (movedToken(), fixture.router(store))
    try await router.set("old", for: token.old)
    try await router.set("new", for: token.new)
    store.fail(with: .locked) { $0.address?.name == "old_token" && [.remove, .update].contains($0.operation) }
    await #expect(throws: StorageError(.locked, .init(key: "old_token", domain: .userDefaults))) {
      try await router.remove(token.new)
    }
    #expect(try await router.get(token.new) == nil)
    #expect(try await router.exists(token.old))
    store.succeed()
    #expect(try await router.get(token.new) == nil)
    #expect(try await router.exists(token.old) == false)
    #expect(try fixture.log.lastEntries().values.map(\.phase) == [.completed])
  }
}
