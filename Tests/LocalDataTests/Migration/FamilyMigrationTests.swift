import Foundation
import LocalDataMaintenance
import LocalDataTesting
import ProbeKeys
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataVocabulary
import Testing

@_spi(Generated) @testable import LocalData

private let legacy = key("legacy", String.self)
private let moved = key("moved", String.self, .keychain(), .keychain()) { key in
  AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(legacy)))
}

/// Families in runs over all keys and in the plan: their members are found by the names that are stored.
@Suite struct FamilyMigrationTests {
  private let fixture = MigrationFixture()
  private let names = ["a", "A/b", "é_%", String(repeating: "Long ", count: 60)]

  /// A router of a release that has these keys and families.
  private func router(
    _ families: StorageKeyFamily..., keys: [AnyStorageKey] = [], store: FaultInjectingStore? = nil
  ) throws -> StorageRouter {
    let router = fixture.router(store)
    try ProbeCatalog.register(keys, families, on: router)
    return router
  }

  private func plain(
    _ template: String, _ domain: StorageDomain = .userDefaults(), _ security: SecurityPolicy = .none
  ) -> StorageKeyFamily { StorageKeyFamily(name: template, domain: domain, security: security) }

  private func member(
    _ family: StorageKeyFamily, _ name: StorageKeyName, _ sources: [StorageKey<String?>]
  ) -> StorageKey<String?> {
    StorageKey(family, name, .json).migrating { key in
      AnyStorageMigration(
        chain: sources.map { AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key($0))) })
    }
  }

  /// A family of texts, and the same texts as an earlier release has stored them.
  private func texts(
    from old: StorageKeyFamily, _ domain: StorageDomain = .keychain(), _ security: SecurityPolicy = .keychain()
  ) -> StorageKeyFamily {
    let own = plain("text_{name}", domain, security)
    return own.migrating(from: [old]) { [self] values in
      let name: String = try values.value(of: "name")
      return member(own, "text_\(name)", [oldText(old, name)])
    }
  }

  private func oldText(_ old: StorageKeyFamily, _ name: String) -> StorageKey<String?> {
    let stored = FamilyName(old.name).member(["name": (("\(name)") as StorageKeyName).text])
    return StorageKey(old, StorageKeyName(stringLiteral: stored ?? ""), .json)
  }

  private func text(
    _ name: String, _ domain: StorageDomain = .keychain(), _ security: SecurityPolicy = .keychain()
  ) -> StorageKey<String?> { StorageKey(plain("text_{name}", domain, security), "text_\(name)", .json) }

  private struct Release: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var old: StorageKeyFamily
    var domain: StorageDomain
    var security: SecurityPolicy
    var outcome: MigrationEvent.Outcome = .moved
  }

  private static let releases: [Release] = [
    Release(
      testDescription: "preferences to the keychain",
      old: StorageKeyFamily(name: "old_{name}", domain: .userDefaults(), security: .none), domain: .keychain(),
      security: .keychain()),
    Release(
      testDescription: "files to encrypted files in another folder",
      old: StorageKeyFamily(name: "{name}.txt", domain: .fileSystem(directory: .documents), security: .none),
      domain: .encryptedFileSystem(directory: .caches), security: .recommended),
    Release(
      testDescription: "files to encrypted files at their addresses",
      old: StorageKeyFamily(name: "text_{name}", domain: .fileSystem(directory: .documents), security: .none),
      domain: .encryptedFileSystem(directory: .documents), security: .recommended, outcome: .securedInPlace),
    Release(
      testDescription: "preferences encrypted in place",
      old: StorageKeyFamily(name: "text_{name}", domain: .userDefaults(), security: .none), domain: .userDefaults(),
      security: .recommended, outcome: .securedInPlace),
  ]

  @Test(arguments: releases) private func allMembersAreMigrated(_ release: Release) async throws {
    let first = try router(release.old)
    for name in names { try await first.set("1: \(name)", for: oldText(release.old, name)) }
    let second = try router(texts(from: release.old, release.domain, release.security))
    let planned = try await second.migrations.plan().moves
    #expect(planned.map(\.kind) == names.map { _ in release.outcome == .moved ? .move : .secureInPlace })
    // An error or a plan may name a template, never a parameter.
    #expect(Set(planned.map { $0.key.key }) == ["text_{name}"])
    let progress = Lock<[MigrationProgress]>([])
    let result = await second.migrations.migrateAll { step in progress.withLock { $0.append(step) } }
    #expect(result.failures.isEmpty)
    #expect(result.migrated.map(\.outcome) == names.map { _ in release.outcome })
    #expect(progress.withLock(\.self) == .ofEachKey(names.count))
    #expect(try await second.migrations.plan().moves.isEmpty)
    // The next release does not declare any more from where the values were moved.
    let third = try router(plain("text_{name}", release.domain, release.security))
    for name in names { #expect(try await third.get(text(name, release.domain, release.security)) == "1: \(name)") }
    if release.outcome == .moved { #expect(try storedNames(in: release.old.domain).isEmpty) }
  }

  private func storedNames(in domain: StorageDomain) throws -> [String] {
    var names: [String] = []
    let configuration = StorageConfiguration(defaultKeychainService: "service")
    try fixture.memory.names(in: StorageContainer(domain, configuration)) { name in
      names.append(name)
      return true
    }
    return names.sorted()
  }

  @Test func aCatalogThatIsRegisteredMigratesItsFamilies() async throws {
    enum Catalog: StorageKeyCatalog {
      static let family = FamilyMigrationTests().texts(
        from: StorageKeyFamily(name: "old_{name}", domain: .userDefaults(), security: .none))
      static var allKeys: [AnyStorageKey] { [.key(moved)] }
      static var allFamilies: [StorageKeyFamily] { [family] }
    }
    let old = plain("old_{name}")
    for name in names { try await fixture.router().set(name, for: oldText(old, name)) }
    try await fixture.router().set("abc", for: legacy)
    let progress = Lock<[MigrationProgress]>([])
    let result = try await fixture.router().registerCatalog(Catalog.self, migrateImmediately: true) { step in
      progress.withLock { $0.append(step) }
    }
    #expect(result.migrated.count == names.count + 1)
    #expect(progress.withLock(\.self) == .ofEachKey(names.count + 1))
    #expect(try storedNames(in: .userDefaults()).isEmpty)
  }

  /// Nothing is known of the members then: that is not the same as none.
  @Test func aContainerThatCannotBeListedIsAFailure() async throws {
    let old = plain("old_{name}")
    try await fixture.router().set("value", for: oldText(old, "a"))
    let store = FaultInjectingStore(fixture.memory)
    store.fail(with: .locked) { $0.operation == .names }
    let locked = StorageError(.locked, .init(key: "old_{name}", domain: .userDefaults))
    let router = try router(texts(from: old), keys: [.key(moved)], store: store)
    try await fixture.router().set("abc", for: legacy)
    #expect(
      try await router.migrations.plan().moves.map(\.description) == [
        "'text_{name}' in keychain: unknown from 'old_{name}' in userDefaults; \(locked)",
        "'moved' in keychain: move from 'legacy' in userDefaults",
      ])
    let result = await router.migrations.migrateAll()
    #expect(!result.success)
    #expect(result.failures == [locked])
    #expect(result.migrated.map(\.key) == ["moved"])
    store.succeed()
    #expect(await router.migrations.migrateAll().migrated.count == 1)
    #expect(try await router.get(text("a")) == "value")
  }

  @Test func aMemberThatCannotBeReadKeepsNoOther() async throws {
    let old = plain("old_{name}")
    for name in ["a", "b", "c"] { try await fixture.router().set(name, for: oldText(old, name)) }
    let store = FaultInjectingStore(fixture.memory)
    store.fail(with: .corrupted) { $0.operation == .read && $0.address?.name == "old_b" }
    let router = try router(texts(from: old), store: store)
    let result = await router.migrations.migrateAll()
    #expect(
      result.failures == [
        StorageError(.corrupted, .init(key: "old_{name}", domain: .userDefaults, sourceOf: "text_{name}"))
      ])
    #expect(result.migrated.count == 2)
    #expect(try storedNames(in: .userDefaults()) == ["old_b"])
  }

  @Test func namesThatAreNoMembersStay() async throws {
    let strangers = ["old_", "old_A", "old_%2f", "old_%61", "other", "old_a_b", "text_a"]
    for name in strangers { try await fixture.router().set(name, for: key(name)) }
    try await fixture.router().set("value", for: oldText(plain("old_{name}"), "a"))
    let router = try router(texts(from: plain("old_{name}")))
    let result = await router.migrations.migrateAll()
    // The empty text is a text too.
    #expect(result.migrated.count == 2)
    #expect(try storedNames(in: .userDefaults()) == strangers.filter { $0 != "old_" }.sorted())
  }

  /// A registered key, and a source of one, have their names for themselves.
  @Test func aNameBelongsToTheKeyThatIsRegisteredWithIt() async throws {
    let old = plain("{name}")
    let own = plain("{name}")
    let family = plain("text_{name}", .keychain(), .keychain()).migrating(from: [old]) { [self] values in
      let name: String = try values.value(of: "name")
      return member(plain("text_{name}", .keychain(), .keychain()), "text_\(name)", [StorageKey(own, "\(name)", .json)])
    }
    for name in ["theme", "accent", "x"] { try await fixture.router().set(name, for: key(name)) }
    let theme = key("theme", String.self)
    let router = try router(family, keys: [.key(theme)])
    #expect(await router.migrations.migrateAll().migrated.count == 2)
    #expect(try await router.get(theme) == "theme")
    #expect(try storedNames(in: .userDefaults()) == ["theme"])
  }

  @Test func aNameBelongsToTheTemplateThatSaysMoreOfIt() async throws {
    func moved(_ own: String, from old: String) -> StorageKeyFamily {
      let family = plain(own, .keychain(), .keychain())
      return family.migrating(from: [plain(old)]) { [self] values in
        let name: String = try values.value(of: "name")
        let source = StorageKeyName(stringLiteral: FamilyName(old).member(["name": name]) ?? "")
        let stored = StorageKeyName(stringLiteral: FamilyName(own).member(["name": name]) ?? "")
        return member(family, stored, [StorageKey(plain(old), source, .json)])
      }
    }
    for name in ["draft-x", "y", "live-z"] { try await fixture.router().set(name, for: key(name)) }
    // 'draft-x' is a text to the one and a draft to the other, and 'live-z' is a value of today.
    let router = fixture.router()
    try ProbeCatalog.register([], [moved("draft_{name}", from: "draft-{name}"), plain("live-{name}")], on: router)
    let families = [moved("text_{name}", from: "{name}"), moved("draft_{name}", from: "draft-{name}")]
    let members = await router.migrations.members(of: families, CallWaits(router.timeout, of: .step))
    #expect(members.keys.map(\.name) == ["draft_x", "text_y"])
    #expect(members.problems.isEmpty)
  }

  /// A source that was removed with its member, and that an earlier release has stored again, is a new value.
  @Test(arguments: [true, false]) func aMemberThatAnEarlierReleaseHasStoredAgainIsListed(_ isRemoved: Bool) async throws
  {
    let old = plain("old_{name}")
    let first = oldText(old, "a")
    let second = member(plain("text_{name}", .keychain(), .keychain()), "text_a", [first])
    try await fixture.router().set("one", for: first)
    let family = texts(from: old)
    #expect(try await router(family).members(of: family).map(\.name) == ["text_a"])
    if isRemoved { try await router(family).remove(second) }
    #expect(try await router(family).get(second) == (isRemoved ? nil : "one"))
    // The update is undone, and done again.
    try await fixture.router().set("two", for: first)
    let router = try router(family)
    #expect(try await router.exists(second))
    #expect(try await router.members(of: family).map(\.name) == ["text_a"])
    #expect(try await router.get(second) == "two")
    try await fixture.router().set("three", for: first)
    // What the earlier release has stored is removed with the family.
    try await router.removeAll(of: family)
    #expect(try storedNames(in: .userDefaults()) == [])
  }

  /// A member whose source cannot be looked at now may exist.
  @Test func aMemberOfAnUnknownVersionIsListed() async throws {
    let (old, own) = (plain("old_{name}"), plain("text_{name}", .keychain(), .keychain()))
    let family = own.migrating(from: [old]) { [self] values in
      let name: String = try values.value(of: "name")
      return StorageKey<String?>(own, "text_\(name)", .json).migrating { [source = oldText(old, name)] key in
        AnyStorageMigration(
          AppVersionConditionalMigration(
            destinationKey: key, condition: .below(3),
            migration: AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(source)))))
      }
    }
    try await fixture.router().set("one", for: oldText(old, "a"))
    for (version, isListed) in [("2.0", true), ("3.0", false), (nil, true)] {
      let router = fixture.router(version: version)
      try ProbeCatalog.register([], [family], on: router)
      #expect(try await router.members(of: family).map(\.name) == (isListed ? ["text_a"] : []))
    }
  }

  /// The types of the parameters may distinguish the families, so that registration cannot detect the conflict.
  @Test func aNameThatTwoFamiliesClaimIsAnErrorAndStays() async throws {
    enum Kind: String { case x }
    let old = plain("old_{name}")
    let other = plain("kind_{kind}").migrating(from: [plain("old_{kind}")]) { [self] values in
      let kind: Kind = try values.value(of: "kind")
      return member(plain("kind_{kind}"), "kind_\(kind)", [StorageKey(plain("old_{kind}"), "old_\(kind)", .json)])
    }
    for name in ["x", "y"] { try await fixture.router().set(name, for: oldText(old, name)) }
    let router = try router(texts(from: old), other)
    let error = StorageError(.invalidCatalog(.sharedSource), .init(key: "kind_{kind}", domain: .userDefaults))
    #expect(try await router.migrations.plan().moves.map(\.problem) == [error, nil])
    let result = await router.migrations.migrateAll()
    #expect(result.failures == [error])
    #expect(result.migrated.count == 1)
    #expect(try storedNames(in: .userDefaults()) == ["old_x"])
  }

  @Test func theSourcesOfASourceAreListedToo() async throws {
    let oldest = plain("oldest_{name}")
    let older = plain("older_{name}", .userDefaults(suite: "s"))
    let middle = older.migrating(from: [oldest]) { [self] values in
      let name: String = try values.value(of: "name")
      return member(older, "older_\(name)", [oldText(oldest, name)])
    }
    let own = plain("text_{name}", .keychain(), .keychain())
    let family = own.migrating(from: [middle]) { [self] values in
      let name: String = try values.value(of: "name")
      return member(own, "text_\(name)", [member(older, "older_\(name)", [oldText(oldest, name)])])
    }
    try await fixture.router().set("skipped a release", for: oldText(oldest, "a"))
    try await fixture.router().set("did not", for: oldText(older, "b"))
    let router = try router(family)
    #expect(await router.migrations.migrateAll().migrated.count == 2)
    #expect(try await router.get(text("a")) == "skipped a release")
    #expect(try await router.get(text("b")) == "did not")
  }

  /// Parts of one value, of which each member has some.
  @Test func aMemberWithSeveralSourcesIsMigratedOnce() async throws {
    let (first, last) = (plain("first_{name}"), plain("last_{name}", .userDefaults(suite: "s")))
    let own = plain("text_{name}", .keychain(), .keychain())
    let family = own.migrating(from: [first, last]) { [self] values in
      let name: String = try values.value(of: "name")
      return StorageKey<String?>(own, "text_\(name)", .json).migrating { [self] key in
        AnyStorageMigration(
          AggregatingMigration(destinationKey: key, sourceKeys: (oldText(first, name), oldText(last, name))) {
            ($0 ?? "-") + ($1 ?? "-")
          })
      }
    }
    for name in ["a", "b"] { try await fixture.router().set("1", for: oldText(first, name)) }
    for name in ["b", "c"] { try await fixture.router().set("2", for: oldText(last, name)) }
    let router = try router(family)
    #expect(await router.migrations.migrateAll().migrated.count == 3)
    for (name, value) in [("a", "1-"), ("b", "12"), ("c", "-2")] {
      #expect(try await router.get(text(name)) == value)
    }
  }

  /// A family by hand has its members' keys by their names.
  @Test func aFamilyByHandTakesPartToo() async throws {
    let old = plain("old_{name}")
    let family = StorageKeyFamily(
      name: "text_{name}", domain: .keychain(), security: .keychain(), owner: "Tests", description: "Texts."
    ) { name in
      AnyStorageKey(
        key(
          name, String.self, .keychain(), .keychain(), options: StorageKeyOptions(declaredName: "text_{name}")
        ) { key in
          let source = StorageKeyName(stringLiteral: "old_" + name.dropFirst("text_".count))
          return AnyStorageMigration(
            SimpleLegacyMigration(destinationKey: key, sourceKey: .key(StorageKey<String?>(old, source, .json))))
        })
    }.migrating(from: [old])
    for name in names { try await fixture.router().set(name, for: oldText(old, name)) }
    let router = try router(family)
    #expect(await router.migrations.migrateAll().migrated.count == names.count)
    for name in names { #expect(try await router.get(text(name)) == name) }
  }

  @Test func manyMembersAreMigratedInBatches() async throws {
    let old = plain("old_{name}")
    for number in 0..<250 { try await fixture.router().set("\(number)", for: oldText(old, "\(number)")) }
    let router = try router(texts(from: old))
    let progress = Lock<[Int]>([])
    let result = await router.migrations.migrateAll { step in
      #expect(step.total == 250)
      progress.withLock { $0.append(step.completed) }
    }
    #expect(result.migrated.count == 250)
    #expect(progress.withLock(\.self) == Array(1...250))
  }

  // MARK: Refused at registration

  @Test func sourcesThatCanHaveOneNameAreRefused() {
    let old = plain("old_{name}")
    let shared = plain("{id}_{name}")
    func refusal(_ families: [StorageKeyFamily], _ keys: [AnyStorageKey] = []) -> StorageError? {
      do throws(StorageError) { try ProbeCatalog.register(keys, families, on: fixture.router()) } catch { return error }
      return nil
    }
    let another = plain("another_{name}").migrating(from: [old]) { [self] values in
      let name: String = try values.value(of: "name")
      return member(plain("another_{name}"), "another_\(name)", [oldText(old, name)])
    }
    let wider = plain("wider_{id}_{name}").migrating(from: [shared]) { [self] values in
      let (id, name): (String, String) = (try values.value(of: "id"), try values.value(of: "name"))
      return member(plain("wider_{id}_{name}"), "wider_\(id)_\(name)", [StorageKey(shared, "\(id)_\(name)", .json)])
    }
    let literal = key("new", String.self, .keychain(), .keychain()) { key in
      AnyStorageMigration(
        SimpleLegacyMigration(destinationKey: key, sourceKey: .key(LocalDataTests.key("old_x", String.self))))
    }
    func refused(_ name: String) -> StorageError {
      StorageError(.invalidCatalog(.sharedSource), .init(key: name, domain: .userDefaults))
    }
    #expect(refusal([texts(from: old), another]) == refused("another_{name}"))
    #expect(refusal([texts(from: old), wider]) == refused("wider_{id}_{name}"))
    #expect(
      refusal([texts(from: old)], [.key(literal)])
        == StorageError(.invalidCatalog(.sharedSource), .init(key: "text_{name}", domain: .keychain)))
    #expect(refusal([texts(from: old)]) == nil)
    #expect(refusal([texts(from: plain("other_{name}")), another]) == nil)
  }

  @Test func aTransformAtTheMembersOwnAddressIsRefused() {
    let own = plain("text_{name}")
    let family = own.migrating(from: [own]) { values in
      let name: String = try values.value(of: "name")
      return StorageKey<String?>(own, "text_\(name)", .json).migrating { key in
        AnyStorageMigration(
          TransformingMigration(
            destinationKey: key, sourceKey: StorageKey<String?>(own, "text_\(name)", .json, legacy: true)
          ) { $0 + "!" })
      }
    }
    #expect(throws: StorageError(.invalidCatalog(.transformInPlace), .init(key: "text_{name}", domain: .userDefaults)))
    {
      try router(family)
    }
  }
}
