import Foundation
import LocalDataMaintenance
import LocalDataTesting
import ProbeKeys
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@_spi(Generated) @testable import LocalData

/// Values that a release which was rolled back to has stored where a later one does not read them any more.
@Suite struct RolledBackReleaseTests {
  private let storage = TestStorage()

  private let old = key("old_note", String.self)
  private func new(onConflict: ConflictPolicy = .keepSource) -> StorageKey<String?> {
    key("note", String.self, .keychain(), .keychain()) { [old] key in
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(old), onConflict: onConflict))
    }
  }

  private func launch(_ keys: [AnyStorageKey], _ families: [StorageKeyFamily] = []) throws -> StorageRouter {
    let router = storage.launch()
    try ProbeCatalog.register(keys, families, on: router)
    return router
  }

  @Test(arguments: [true, false], [ConflictPolicy.keepSource, .removeSource])
  func theValueThatWasWrittenLastIsRead(_ isRemoved: Bool, _ onConflict: ConflictPolicy) async throws {
    let new = new(onConflict: onConflict)
    try await storage.launch().set("one", for: old)
    #expect(try await launch([.key(new)]).get(new) == "one")
    if isRemoved { try await launch([.key(new)]).remove(new) }
    #expect(try await launch([.key(new)]).migrations.plan().moves == [])
    for value in ["rolled back", "rolled back again"] {
      try await storage.launch().set(value, for: old)
      let router = try launch([.key(new)])
      #expect(try await router.exists(new))
      #expect(
        try await router.migrations.plan().moves.map(\.description) == [
          "'note' in keychain: move from 'old_note' in userDefaults"
        ])
      #expect(try await router.get(new) == value)
      #expect(try await router.migrations.plan().moves == [])
      #expect(try await storage.launch().exists(old) == false)
      #expect(try await launch([.key(new)]).get(new) == value)
    }
  }

  /// The later release writes before it reads. Its value is the last one, also if it is killed after the write.
  @Test func aLaterWriteIsNewerThanThatOfTheEarlierRelease() async throws {
    try await storage.launch().set("one", for: old)
    #expect(try await launch([.key(new())]).get(new()) == "one")
    try await storage.launch().set("rolled back", for: old)
    try await launch([.key(new())]).set("later", for: new())
    for _ in 0..<2 { #expect(try await launch([.key(new())]).get(new()) == "later") }
    #expect(try await storage.launch().exists(old) == false)
  }

  /// The release has a value, and has never moved one.
  @Test func aValueBesideOneThatWasNeverMovedIsReadToo() async throws {
    let router = try launch([.key(new())])
    try await router.set("one", for: new())
    #expect(try await router.get(new()) == "one")
    try await storage.launch().set("rolled back", for: old)
    #expect(try await launch([.key(new())]).get(new()) == "rolled back")
  }

  /// An earlier release that does not use the library leaves no entry in the log.
  @Test func aValueThatAnotherProgramHasWrittenIsComparedWithTheMovedOne() async throws {
    let fixture = MigrationFixture()
    let (token, address) = (movedToken(), StorageAddress.preference("old_token"))
    try await fixture.router().set("one", for: token.old)
    let bytes = try #require(try fixture.memory.read(address, StorageAttributes()))
    #expect(try await fixture.router().get(token.new) == "one")
    try await fixture.router().set("two", for: token.new)
    // A restored copy.
    try fixture.memory.write(bytes, to: address, StorageAttributes())
    #expect(try await fixture.router().get(token.new) == "two")
    #expect(try fixture.memory.read(address, StorageAttributes()) == nil)
    try fixture.memory.write(Data("\"three\"".utf8), to: address, StorageAttributes())
    #expect(try await fixture.router().get(token.new) == "three")
    #expect(try fixture.memory.read(address, StorageAttributes()) == nil)
    // The log does not reveal the value of a keychain item.
    let prints = try fixture.log.entries().compactMap(\.seen).flatMap(\.self).compactMap(\.fingerprint)
    #expect(!prints.isEmpty && prints.allSatisfy { $0.key != nil && $0 != SourceFingerprint(of: bytes, nil) })
  }

  /// A source that cannot be read now is not absent. The value that is there waits.
  @Test func aNewerValueThatCannotBeReadNowIsReadLater() async throws {
    let fixture = MigrationFixture()
    let token = movedToken()
    try await fixture.router().set("one", for: token.old)
    #expect(try await fixture.router().get(token.new) == "one")
    try await fixture.router().set("rolled back", for: token.old)
    let store = FaultInjectingStore(fixture.memory)
    store.fail(with: .locked) { $0.address?.name == "old_token" }
    let router = fixture.router(store)
    #expect(try await router.get(token.new) == "one")
    store.succeed()
    #expect(try await router.get(token.new) == "rolled back")
    try await fixture.router().set("again", for: token.old)
    store.fail(with: .locked) { $0.address?.name == "old_token" }
    let writer = fixture.router(store)
    try await writer.set("later", for: token.new)
    store.succeed()
    #expect(try await writer.get(token.new) == "later")
  }

  /// After a sign-out, the value is not found again: neither at a source that could not be removed, nor in a restored copy.
  @Test(arguments: [true, false]) func aRemovedValueDoesNotReturnUnderTheNextName(_ isRestored: Bool) async throws {
    let fixture = MigrationFixture()
    let store = FaultInjectingStore(fixture.memory)
    let (old, address) = (key("old", String.self), StorageAddress.preference("old"))
    let second = key("second", String.self) {
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(key("old", String.self))))
    }
    try await fixture.router().set("secret", for: old)
    let bytes = try #require(try fixture.memory.read(address, StorageAttributes()))
    if isRestored {
      #expect(try await fixture.router().get(second) == "secret")
      try await fixture.router().remove(second)
      try fixture.memory.write(bytes, to: address, StorageAttributes())
    } else {
      store.fail(with: .locked) { $0.address == address && [.remove, .update].contains($0.operation) }
      await #expect(throws: StorageError.self) { try await fixture.router(store).remove(second) }
      #expect(try await fixture.router(store).get(second) == nil)
    }
    let third = key("third", String.self) { key in
      AnyStorageMigration(
        chain: [second, old].map {
          AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key($0)))
        })
    }
    #expect(try await fixture.router().exists(third) == false)
    for _ in 0..<2 { #expect(try await fixture.router().get(third) == nil) }
    #expect(try fixture.memory.read(address, StorageAttributes()) == nil)
    // What an earlier release stores later is a new value.
    try await fixture.router().set("signed in", for: old)
    #expect(try await fixture.router().get(third) == "signed in")
  }

  /// The release that removes the value does not declare the source any more.
  @Test func aRemovalCoversTheSourcesOfAnEarlierDeclaration() async throws {
    let fixture = MigrationFixture()
    let old = key("old", String.self)
    func named(_ name: String, from sources: [StorageKey<String?>]) -> StorageKey<String?> {
      key(name, String.self) { key in
        AnyStorageMigration(
          chain: sources.map {
            AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key($0)))
          })
      }
    }
    try await fixture.router().set("kept aside", for: old)
    let second = named("second", from: [old])
    try await fixture.router().set("value", for: second)
    #expect(try await fixture.router().get(second) == "value")
    #expect(try await fixture.router().exists(old))
    let removals: [@Sendable (StorageRouter) async throws -> Void] = [
      { try await $0.remove(key("second", String.self)) },
      { _ = try await $0.update(key("second", String.self)) { $0 = nil } },
    ]
    for remove in removals {
      try await fixture.router().set("value", for: key("second", String.self))
      try await remove(fixture.router())
      #expect(try await fixture.router().get(named("third", from: [second, old])) == nil)
    }
  }

  @Test(arguments: [true, false]) func aMembersNewerValueIsMovedAndRemovedWithTheFamily(
    _ isRemoved: Bool
  ) async throws {
    let before = StorageKeyFamily(name: "old_{name}", domain: .userDefaults(), security: .none)
    let own = StorageKeyFamily(name: "text_{name}", domain: .keychain(), security: .keychain())
    @Sendable func text(_ name: String) -> StorageKey<String?> {
      let source = StorageKey<String?>(before, "old_\(name)", .json)
      return StorageKey(own, "text_\(name)", .json).migrating { key in
        AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(source)))
      }
    }
    let family = own.migrating(from: [before]) { values in text(try values.value(of: "name")) }
    let source = StorageKey<String?>(before, "old_a", .json)

    try await storage.launch().set("one", for: source)
    #expect(try await launch([], [family]).get(text("a")) == "one")
    if isRemoved { try await launch([], [family]).removeAll(of: family) }
    try await launch([], [before]).set("rolled back", for: source)

    let router = try launch([], [family])
    #expect(try await router.members(of: family).map(\.name) == ["text_a"])
    #expect(
      try await router.migrations.plan().moves.map(\.description) == [
        "'text_{name}' in keychain: move from 'old_{name}' in userDefaults"
      ])
    #expect(try await router.get(text("a")) == "rolled back")
    try await router.removeAll(of: family)
    #expect(try await storage.launch().exists(source) == false)
    #expect(try await router.migrations.plan().moves == [])
    #expect(try await launch([], [family]).get(text("a")) == nil)
  }

  /// A value that a conflict left at its source is in the history, and the plan has nothing left to do.
  @Test func aValueKeptAsideIsListedByTheHistory() async throws {
    try await storage.launch().set("one", for: old)
    let router = try launch([.key(new())])
    try await router.set("two", for: new())
    #expect(try await router.migrations.plan().moves == [])
    #expect(try await router.migrations.history().map(\.outcome) == [.conflictKept])
    try await router.remove(new())
    #expect(try await storage.launch().exists(old) == false)
  }
}
