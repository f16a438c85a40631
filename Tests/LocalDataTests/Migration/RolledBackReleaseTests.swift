import Foundation
import LocalDataTesting
import ProbeKeys
import StorageVocabulary
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
  func aKeysValueIsListedByThePlanAndRemovedWithTheKey(_ isRemoved: Bool, _ onConflict: ConflictPolicy) async throws {
    let new = new(onConflict: onConflict)
    try await storage.launch().set("one", for: old)
    #expect(try await launch([.key(new)]).get(new) == "one")
    if isRemoved { try await launch([.key(new)]).remove(new) }
    #expect(try await launch([.key(new)]).migrations.plan().moves == [])
    try await storage.launch().set("rolled back", for: old)

    let router = try launch([.key(new)])
    #expect(try await router.get(new) == (isRemoved ? nil : "one"))
    for _ in 0..<2 {
      #expect(
        try await router.migrations.plan().moves.map(\.description) == [
          "'note' in keychain: keep aside what differs from 'old_note' in userDefaults"
        ])
      await router.migrations.migrateAll()
    }
    try await router.remove(new)
    #expect(try await storage.launch().exists(old) == false)
    #expect(try await router.migrations.plan().moves == [])
    #expect(try await launch([.key(new)]).get(new) == nil)
  }

  @Test(arguments: [true, false]) func aMembersValueIsListedByThePlanAndRemovedWithTheFamily(
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
    #expect(try await router.get(text("a")) == (isRemoved ? nil : "one"))
    #expect(try await router.members(of: family).map(\.name) == (isRemoved ? [] : ["text_a"]))
    #expect(
      try await router.migrations.plan().moves.map(\.description) == [
        "'text_{name}' in keychain: keep aside what differs from 'old_{name}' in userDefaults"
      ])
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
