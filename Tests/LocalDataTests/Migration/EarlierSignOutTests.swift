import LocalDataMaintenance
import LocalDataTesting
import ProbeKeys
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@_spi(Generated) @testable import LocalData

/// Sign-outs in an earlier release, after a later one has moved the values away.
@Suite struct EarlierSignOutTests {
  private let storage = TestStorage()

  /// The address of a release and that of the next.
  struct Places: Sendable, CustomTestStringConvertible {
    var (old, new): (ProbeAddress, ProbeAddress)
    var testDescription: String { "\(old)>\(new)" }

    static let all: [Places] = [
      Places(old: .preferences, new: .keychain), Places(old: .preferences, new: .sealedPreferences),
      Places(old: .preferences, new: .groupPreferences), Places(old: .groupPreferences, new: .files),
      Places(old: .keychain, new: .encryptedFiles), Places(old: .files, new: .preferences),
    ]

    var old1: StorageKey<String?> { key("old", String.self, old.domain, old.security) }
    /// The key without a migration.
    var plain: StorageKey<String?> { key("new", String.self, new.domain, new.security) }
    var new2: StorageKey<String?> { EarlierSignOutTests.moved("new", new.domain, new.security, from: [old1]) }
  }

  private static func moved(
    _ name: String, _ domain: StorageDomain = .userDefaults(), _ security: SecurityPolicy = .none,
    from sources: [StorageKey<String?>]
  ) -> StorageKey<String?> {
    key(name, String.self, domain, security) { key in
      AnyStorageMigration(
        chain: sources.map { AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key($0))) })
    }
  }

  private func signOut(_ keys: [StorageKey<String?>], _ families: [StorageKeyFamily] = []) async throws {
    try await ProbeCatalog.removeAll(keys.map { .key($0) }, families, on: storage.launch())
  }

  private func value(_ key: StorageKey<String?>) async throws -> String? { try await storage.launch().get(key) }

  @Test(arguments: Places.all, ["get", "exists", "set", "update", "remove", "migrateAll"])
  func aMovedValueIsRemoved(_ places: Places, _ verb: String) async throws {
    let (old, new) = (places.old1, places.new2)
    try await storage.launch().set("one", for: old)
    #expect(try await value(new) == "one")
    // The later release sets values that the log does not record.
    if verb == "exists" { try await storage.launch().set("two", for: new) }
    try await signOut([old])
    let router = storage.launch()
    try router.register([.key(new)])
    switch verb {
    case "get": #expect(try await router.get(new) == nil)
    case "exists": #expect(try await router.exists(new) == false)
    case "set": try await router.set("next", for: new)
    case "update": #expect(try await router.update(new) { $0 = ($0 ?? "none") + "!" } == "none!")
    case "remove": try await router.remove(new)
    default:
      #expect(try await router.migrations.plan().moves == [])
      #expect(await router.migrations.migrateAll().success)
      #expect(try await storage.launch().exists(places.plain) == false)
    }
    let expected = ["set": "next", "update": "none!"][verb]
    for _ in 0..<2 { #expect(try await value(new) == expected) }
    // The next user signs in and out again.
    try await storage.launch().set("again", for: new)
    for _ in 0..<2 { #expect(try await value(new) == "again") }
    try await signOut([old])
    for _ in 0..<2 { #expect(try await value(new) == nil) }
    #expect(try await storage.launch().exists(places.plain) == false)
  }

  @Test(arguments: Places.all, ["one", "two"])
  func aValueOfTheEarlierReleaseThatIsSetLaterIsRead(_ places: Places, _ text: String) async throws {
    let (old, new) = (places.old1, places.new2)
    try await storage.launch().set("one", for: old)
    #expect(try await value(new) == "one")
    try await signOut([old])
    try await storage.launch().set(text, for: old)
    #expect(try await storage.launch().exists(new))
    for _ in 0..<2 { #expect(try await value(new) == text) }
    #expect(try await storage.launch().exists(old) == false)
    // The later release writes before it reads.
    try await signOut([old])
    try await storage.launch().set(text, for: old)
    try await storage.launch().set("later", for: new)
    for _ in 0..<2 { #expect(try await value(new) == "later") }
  }

  /// Apps remove a key without a value at each launch. A value that is removed is a change of the earlier release.
  @Test(arguments: Places.all, [true, false])
  func aRemovalOfOneKeyCountsIfItHasAValue(_ places: Places, _ isStored: Bool) async throws {
    let (old, new) = (places.old1, places.new2)
    try await storage.launch().set("one", for: old)
    #expect(try await value(new) == "one")
    if isStored { try await storage.launch().set("two", for: old) }
    try await storage.launch().remove(old)
    for _ in 0..<2 { #expect(try await value(new) == (isStored ? nil : "one")) }
    try await storage.launch().set("three", for: new)
    for _ in 0..<2 { #expect(try await value(new) == "three") }
  }

  /// The value that the later release has set was never at the source.
  @Test func aValueThatWasNeverMovedIsRemovedToo() async throws {
    let (old, new) = (key("old", String.self), Self.moved("new", from: [key("old", String.self)]))
    try await storage.launch().set("one", for: new)
    try await signOut([old])
    #expect(try await value(new) == nil)
  }

  /// No call of the app waits for the log of a value that can be read at once.
  @Test func aPropertyDoesNotShowARemovedValue() async throws {
    let (old, new) = (key("old", String.self), Self.moved("new", from: [key("old", String.self)]))
    try await storage.launch().set("one", for: old)
    #expect(try await value(new) == "one")
    #expect(try storage.launch().value(new) == "one")
    try await signOut([old])
    let router = storage.launch()
    let error = StorageError(.needsWaiting(.migrationPending), .init(key: "new", domain: .userDefaults))
    #expect(throws: error) { try router.value(new) }
    #expect(throws: error) { try router.setValue("two", for: new) }
    try await router.transaction { try await $0.set("three", for: new) }
    #expect(try await value(new) == "three")
  }

  /// The catalogs of an app share containers.
  @Test func theKeysOfAnotherCatalogKeepTheirValues() async throws {
    let names = ["account", "settings"]
    let old = names.map { key("old_\($0)", String.self) }
    let new = zip(names, old).map { Self.moved($0, from: [$1]) }
    for index in names.indices {
      try await storage.launch().set(names[index], for: old[index])
      #expect(try await value(new[index]) == names[index])
    }
    try await signOut([old[0]])
    #expect(try await value(new[0]) == nil)
    #expect(try await value(new[1]) == "settings")
  }

  /// A sign-out of before the key got its source removes nothing of what was set since.
  @Test(arguments: [true, false], [true, false])
  func aSignOutBeforeTheUpdateRemovesNothing(_ isUsed: Bool, _ isSourceSet: Bool) async throws {
    let (source, key) = (key("source", String.self), key("key", String.self))
    if isUsed {
      // Once there was a release that moved the source to another key.
      try await storage.launch().set("zero", for: source)
      #expect(try await value(Self.moved("other", from: [source])) == "zero")
    }
    try await signOut([source, key])
    try await storage.launch().set("one", for: key)
    if isSourceSet { try await storage.launch().set("two", for: source) }
    // The log knows the writes of a source that was used.
    let expected = isUsed && isSourceSet ? "two" : "one"
    for _ in 0..<2 { #expect(try await value(Self.moved("key", from: [source])) == expected) }
  }

  /// What ends by itself is not what the user has removed.
  @Test func anEndedValueOfTheEarlierReleaseIsNoSignOut() async throws {
    let old = RetainedKey.of(.preferences, .maxAge(seconds: 60), name: "old")
    let new = Self.moved("new", from: [old])
    try await storage.launch().set("old", for: old)
    // The two differ, and the older one stays at the source.
    try await storage.launch().set("new", for: new)
    #expect(try await value(new) == "new")
    storage.clock.advance(by: 60)
    #expect(try await value(old) == nil)
    #expect(try await value(new) == "new")
  }

  @Test func aSignOutTwoReleasesBeforeCounts() async throws {
    let first = key("first", String.self)
    let second = Self.moved("second", .keychain(), .keychain(), from: [first])
    let third = Self.moved("third", .fileSystem(directory: .documents), .recommended, from: [second])
    for release in [first, second] {
      try await storage.launch().set("one", for: release)
      #expect(try await value(second) == "one")
      #expect(try await value(third) == "one")
      try await signOut([release])
      #expect(try await value(third) == nil)
    }
  }

  /// A sign-out concerns the keys that a later release had moved the value to.
  @Test func aSourceThatAnotherKeyHasUsedSignsNobodyOut() async throws {
    let first = key("first", String.self)
    let plain = key("third", String.self, .keychain(), .keychain())
    try await storage.launch().set("one", for: first)
    #expect(try await value(Self.moved("second", from: [first])) == "one")
    try await signOut([first])
    try await storage.launch().set("mine", for: plain)
    for _ in 0..<2 {
      #expect(try await value(Self.moved("third", .keychain(), .keychain(), from: [first])) == "mine")
    }
  }

  /// One of the parts alone is not the whole value.
  @Test func anAggregateIsRemovedWithAllOfItsParts() async throws {
    let (first, last) = (key("first", String.self), key("last", String.self))
    let name = key("name", String.self) { key in
      AnyStorageMigration(
        AggregatingMigration(destinationKey: key, sourceKeys: (first, last)) { "\($0 ?? "") \($1 ?? "")" })
    }
    try await storage.launch().set("Ada", for: first)
    try await storage.launch().set("Lovelace", for: last)
    #expect(try await value(name) == "Ada Lovelace")
    try await signOut([first])
    #expect(try await value(name) == "Ada Lovelace")
    try await signOut([first, last])
    #expect(try await value(name) == nil)
  }

  // MARK: Families

  /// A family of the later release, and the same one as the earlier release declares it. The parameter has another name.
  private static func family(_ places: Places) -> (old: StorageKeyFamily, new: StorageKeyFamily) {
    let inline = StorageKeyFamily(name: "old_{id}", domain: places.old.domain, security: places.old.security)
    let own = StorageKeyFamily(name: "new_{id}", domain: places.new.domain, security: places.new.security)
    let new = own.migrating(from: [inline]) { values in
      let id: String = try values.value(of: "id")
      return StorageKey<String?>(own, "new_\(id)", .json).migrating { key in
        AnyStorageMigration(
          SimpleLegacyMigration(
            destinationKey: key, sourceKey: .key(StorageKey<String?>(inline, "old_\(id)", .json))))
      }
    }
    return (StorageKeyFamily(name: "old_{name}", domain: inline.domain, security: inline.security), new)
  }

  private func member(_ family: StorageKeyFamily, _ id: String) throws -> StorageKey<String?> {
    let key = try #require(family.migration?.member(["id": id]))
    return StorageKey<String?>(family, StorageKeyName(stringLiteral: key.name), .json).migrating { _ in
      key.migration?() ?? AnyStorageMigration(chain: [])
    }
  }

  @Test(arguments: Places.all, [true, false])
  func theMembersOfAFamilyAreRemoved(_ places: Places, _ isCatalog: Bool) async throws {
    let (old, new) = Self.family(places)
    for id in ["a", "b"] {
      try await storage.launch().set(id, for: StorageKey<String?>(old, "old_\(id)", .json))
      #expect(try await value(member(new, id)) == id)
    }
    if isCatalog { try await signOut([], [old]) } else { try await storage.launch().removeAll(of: old) }
    #expect(try await storage.launch().members(of: new).isEmpty)
    for _ in 0..<2 { #expect(try await value(member(new, "a")) == nil) }
    // A member of the next user, by each of the releases. The values of the first user are still not there.
    try await storage.launch().set("next", for: member(new, "c"))
    try await storage.launch().set("later", for: StorageKey<String?>(old, "old_\("d")", .json))
    #expect(try await storage.launch().members(of: new).map(\.name) == ["new_c", "new_d"])
    for (id, text) in ["b": nil, "c": "next", "d": "later"] { #expect(try await value(member(new, id)) == text) }
  }

  /// One removal of a member that has no value is no sign-out.
  @Test func oneMemberIsRemovedAlone() async throws {
    let (old, new) = Self.family(Places.all[0])
    let keys = ["a", "b"].map { StorageKey<String?>(old, "old_\($0)", .json) }
    for (id, key) in zip(["a", "b"], keys) {
      try await storage.launch().set(id, for: key)
      #expect(try await value(member(new, id)) == id)
    }
    try await storage.launch().remove(keys[0])
    #expect(try await storage.launch().members(of: new).map(\.name) == ["new_a", "new_b"])
    try await storage.launch().set("again", for: keys[0])
    try await storage.launch().remove(keys[0])
    #expect(try await storage.launch().members(of: new).map(\.name) == ["new_b"])
    #expect(try await value(member(new, "a")) == nil)
  }

  // MARK: Faults

  /// The later release is killed while it removes the value: it does not return, and no newer value is lost.
  @Test(arguments: [true, false]) func aKilledProcessLosesNoNewerValue(_ isSet: Bool) async throws {
    var isDone = false
    for calls in 0..<80 where !isDone {
      let fixture = MigrationFixture()
      let (old, new) = movedToken()
      try await fixture.router().set("one", for: old)
      #expect(try await fixture.router().get(new) == "one")
      try await ProbeCatalog.removeAll([.key(old)], [], on: fixture.router())
      let gate = CallGate(after: calls)
      let killed = fixture.router(until: gate)
      var isStored = false
      do throws(StorageError) {
        if isSet { try await killed.set("two", for: new) } else { _ = try await killed.get(new) }
        isStored = isSet
      } catch {}
      isDone = !gate.isClosed
      let found = try await fixture.router().get(new)
      if isStored { #expect(found == "two") } else { #expect(found == nil || (isSet && found == "two")) }
      #expect(try await fixture.router().get(new) == found)
      try await fixture.router().set("three", for: new)
      for _ in 0..<2 { #expect(try await fixture.router().get(new) == "three") }
    }
    #expect(isDone)
  }

  /// The earlier release is killed while it signs out: what it has not removed is read.
  @Test func aKilledSignOutIsRepeated() async throws {
    var isDone = false
    for calls in 0..<40 where !isDone {
      let fixture = MigrationFixture()
      let (old, new) = movedToken()
      try await fixture.router().set("one", for: old)
      #expect(try await fixture.router().get(new) == "one")
      try await fixture.router().set("two", for: old)
      let gate = CallGate(after: calls)
      do {
        try await ProbeCatalog.removeAll([.key(old)], [], on: fixture.router(until: gate))
      } catch {}
      isDone = !gate.isClosed
      let found = try await fixture.router().get(new)
      #expect(found == nil || (!isDone && found == "two"))
    }
    #expect(isDone)
  }
}
