import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@_spi(Generated) @testable import LocalData

/// One value over several releases of an app: the failures that the first design of migrations had.
@Suite struct MigrationReleaseTests {
  private let fixture = MigrationFixture()

  private struct Material: KeyMaterialProviding {
    func keyMaterial(for keyName: String) async throws -> Data { Data(repeating: 9, count: 32) }
  }

  private struct OtherMaterial: KeyMaterialProviding {
    func keyMaterial(for keyName: String) async throws -> Data { Data(repeating: 7, count: 32) }
  }

  private static let external = SecurityPolicy.encrypted(.external(source: .init(id: "one")))
  private static let other = SecurityPolicy.encrypted(.external(source: .init(id: "two")))

  private func router(_ version: String? = "2.0.0") -> StorageRouter {
    let router = fixture.router(version: version)
    router.registerKeyMaterialProvider(Material(), for: .init(id: "one"))
    router.registerKeyMaterialProvider(OtherMaterial(), for: .init(id: "two"))
    return router
  }

  /// The key of a release that secures the value in one place: with the last policy, from all that were before.
  private func secured(_ policies: ArraySlice<SecurityPolicy>) -> StorageKey<String?> {
    let before = policies.dropLast().reversed().map { key("note", String.self, .userDefaults(), $0) }
    guard let last = policies.last, !before.isEmpty else {
      return key("note", String.self, .userDefaults(), policies[0])
    }
    return key("note", String.self, .userDefaults(), last) { key in
      AnyStorageMigration(
        chain: before.map { AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key($0))) })
    }
  }

  static let policies: [[SecurityPolicy]] = [
    [.none, .recommended, external], [.none, external, .recommended], [.recommended, .none, external],
    [.none, external, other], [.encrypted(.aes256GCM()), .recommended, other], [external, .none, other, .recommended],
  ]

  /// A user of any release gets any later one, and reads the value of the first.
  @Test(arguments: policies)
  func aChainOfPoliciesIsReadReleaseByReleaseAndSkippingSome(_ policies: [SecurityPolicy]) async throws {
    for path in 1..<(1 << policies.count) {
      let fixture = MigrationFixture()
      func router() -> StorageRouter {
        let router = fixture.router()
        router.registerKeyMaterialProvider(Material(), for: .init(id: "one"))
        router.registerKeyMaterialProvider(OtherMaterial(), for: .init(id: "two"))
        return router
      }
      var isStored = false
      for release in policies.indices where path & 1 << release != 0 {
        let key = secured(policies[...release])
        if !isStored { try await router().set("hello", for: key) }
        isStored = true
        for _ in 0..<2 { #expect(try await router().get(key) == "hello", "path \(path), release \(release)") }
        #expect(try await router().update(key) { $0 = $0 } == "hello")
      }
    }
  }

  /// Its value was never secured otherwise, and the next release accepts the form that it has.
  @Test func aNewUserOfAnEncryptingReleaseGetsTheNextOne() async throws {
    let second = secured([.none, .recommended])
    try await router().set("hello", for: second)
    #expect(try await router().get(second) == "hello")
    let third = secured([.none, .recommended, Self.external])
    #expect(try await router().get(third) == "hello")
    // Neither form is accepted any more, unless an earlier release writes it.
    for old in [SecurityPolicy.none, .recommended] {
      let other = MigrationFixture()
      try await other.router().set("planted", for: key("note", String.self, .userDefaults(), old))
      if old == .none {
        let planted = try #require(try other.memory.read(.preference("note"), StorageAttributes()))
        try fixture.memory.write(planted, to: .preference("note"), StorageAttributes())
        await #expect(throws: StorageError.self) { try await router().get(third) }
      }
      try await router().set("rolled back", for: key("note", String.self, .userDefaults(), old))
      #expect(try await router().get(third) == "rolled back")
    }
  }

  private func renamed(_ name: String, from old: String) -> StorageKey<String?> {
    key(name, String.self) { [source = key(old, String.self)] key in
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(source)))
    }
  }

  @Test func aKeyThatIsRenamedBackAndForthKeepsItsValue() async throws {
    try await router().set("one", for: key("a", String.self))
    for (name, old) in [("b", "a"), ("a", "b"), ("b", "a"), ("a", "b")] {
      #expect(try await router().get(renamed(name, from: old)) == "one")
      #expect(try await router().exists(key(old, String.self)) == false)
    }
  }

  /// The value of release 3 is stored where release 2 had moved one away.
  @Test func whatIsSetUnderAnOldNameIsFoundByTheNextRename() async throws {
    try await router().set("one", for: key("a", String.self))
    #expect(try await router().get(renamed("b", from: "a")) == "one")
    try await router().remove(renamed("b", from: "a"))
    try await router().set("two", for: renamed("a", from: "b"))
    #expect(try await router().get(renamed("b", from: "a")) == "two")
  }

  /// The same with a property, and with the call that needs no `await`, which gives way to the one that does.
  @Test(arguments: [true, false])
  func whatAPropertyStoresIsFoundByTheNextRename(_ isProperty: Bool) async throws {
    try await router().set("one", for: key("a", String.self))
    #expect(try await router().get(renamed("b", from: "a")) == "one")
    try await router().remove(renamed("b", from: "a"))
    try await assign("two", to: renamed("a", from: "b"), isProperty)
    #expect(try await router().get(renamed("b", from: "a")) == "two")
  }

  /// The value has a form that the release before has encrypted.
  @Test(arguments: [true, false])
  func whatAPropertyStoresInAnOldFormIsReadByTheNextRelease(_ isProperty: Bool) async throws {
    func release(_ security: SecurityPolicy, after earlier: SecurityPolicy) -> StorageKey<String?> {
      let source = key("note", String.self, .userDefaults(), earlier)
      return key("note", String.self, .userDefaults(), security) { key in
        AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(source)))
      }
    }
    try await router().set("one", for: key("note", String.self))
    let encrypted = release(.recommended, after: .none)
    #expect(try await router().get(encrypted) == "one")
    try await router().remove(encrypted)
    try await assign("two", to: release(.none, after: .recommended), isProperty)
    #expect(try await router().get(encrypted) == "two")
  }

  /// Assigns a value to a property, or sets it without `await` if that is possible.
  private func assign(_ value: String, to key: StorageKey<String?>, _ isProperty: Bool) async throws {
    let router = router()
    if isProperty {
      let property = Stored(PlainPreferenceKey(key), router: router)
      property.wrappedValue = value
      // The property stores it in a task.
      while try await router.get(key) != value { try await Task.sleep(for: .milliseconds(1)) }
      #expect(property.error == nil && property.wrappedValue == value)
      return
    }
    do throws(StorageError) { try router.setValue(value, for: key) } catch {
      guard error.code == .needsWaiting else { throw error }
      try await router.set(value, for: key)
    }
    // The first value is recorded, and the next ones need not wait.
    try router.setValue(value + "!", for: key)
    try router.setValue(value, for: key)
    #expect(try router.value(key) == value)
  }

  @Test func aValueKeptAsideDoesNotReplaceANewerOneWhenTheKeyComesBack() async throws {
    try await router().set("old", for: key("a", String.self))
    try await router().set("new", for: renamed("b", from: "a"))
    #expect(try await router().get(key("a", String.self)) == "old")
    #expect(try await router().get(renamed("a", from: "b")) == "new")
    #expect(try await router().exists(key("b", String.self)) == false)
  }

  /// The call that needs no `await` does not return the value that was kept aside either.
  @Test func aValueKeptAsideIsNotReadAtOnceWhenTheKeyComesBack() async throws {
    try await router().set("old", for: key("a", String.self))
    try await router().set("new", for: renamed("b", from: "a"))
    let (router, back) = (router(), renamed("a", from: "b"))
    let error = StorageError(.needsWaiting(.migrationPending), .init(key: "a", domain: .userDefaults))
    #expect(throws: error) { try router.value(back) }
    #expect(try await router.get(back) == "new")
    #expect(try router.value(back) == "new")
  }

  @Test func aStepThatALaterReleaseAddsIsConsulted() async throws {
    try await router().set("one", for: key("a", String.self))
    #expect(try await router().get(renamed("c", from: "a")) == "one")
    try await router().remove(renamed("c", from: "a"))
    try await router().set("found", for: key("b", String.self))
    let later = key("c", String.self) { [first = key("a", String.self), second = key("b", String.self)] key in
      AnyStorageMigration(
        chain: [first, second].map { source in
          AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(source)))
        })
    }
    #expect(try await router().get(later) == "found")
  }

  @Test func theMigrationOfASourceIsFollowed() async throws {
    for start in ["a", "b", "c"] {
      let fixture = MigrationFixture()
      try await fixture.router().set("one", for: key(start, String.self))
      let second = renamed("b", from: "a")
      let third = key("c", Int.self) { key in
        AnyStorageMigration(TransformingMigration(destinationKey: key, sourceKey: second) { $0.count })
      }
      if start == "c" { try await fixture.router().set(3, for: key("c", Int.self)) }
      #expect(try await fixture.router().exists(third))
      #expect(try await fixture.router().get(third) == 3)
      for name in ["a", "b"] { #expect(try await fixture.router().exists(key(name, String.self)) == false) }
    }
  }

  /// A source that was encrypted in place before it was moved, or was not.
  @Test func theOlderFormsOfASourceAreRead() async throws {
    for isMigrated in [true, false] {
      let fixture = MigrationFixture()
      try await fixture.router().set("one", for: key("note", String.self))
      let second = secured([.none, .recommended])
      if isMigrated { #expect(try await fixture.router().get(second) == "one") }
      let third = key("moved", String.self, .keychain(), .keychain()) { key in
        AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(second)))
      }
      #expect(try await fixture.router().get(third) == "one")
      #expect(try await fixture.router().exists(second) == false)
    }
  }

  @Test func anInPlaceStepObeysItsCondition() async throws {
    let plain = key("note", String.self)
    let conditional = key("note", String.self, .userDefaults(), .recommended) { key in
      AnyStorageMigration(
        AppVersionConditionalMigration(
          destinationKey: key, condition: .below(3),
          migration: AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(plain)))))
    }
    try await router().set("one", for: plain)
    await #expect(throws: StorageError(.corrupted, .init(key: "note", domain: .userDefaults))) {
      try await router("3.0").get(conditional)
    }
    await #expect(throws: StorageError(.migrationFailed, .init(key: "note", domain: .userDefaults))) {
      try await router(nil).get(conditional)
    }
    #expect(try await router("2.9").get(conditional) == "one")
    #expect(try await router("3.0").get(conditional) == "one")
  }

  static let conditions: [(KeychainAccessibility, KeychainAccessControl?)] = [
    (.whenUnlockedThisDeviceOnly, nil), (.afterFirstUnlock, .biometryCurrentSet), (.whenUnlocked, .userPresence),
  ]

  @Test(arguments: conditions)
  func otherConditionsOfTheKeychainAreSetOnce(
    _ accessibility: KeychainAccessibility, _ accessControl: KeychainAccessControl?
  ) async throws {
    let store = FaultInjectingStore(fixture.memory)
    let old = key("pin", String.self, .keychain(), .keychain(accessibility: .afterFirstUnlock))
    let new = key(
      "pin", String.self, .keychain(), .keychain(accessibility: accessibility, accessControl: accessControl)
    ) { key in
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(old)))
    }
    try await router().set("1234", for: old)
    for round in 1...3 {
      #expect(try await fixture.router(store).get(new) == "1234")
      #expect(store.count(of: .update) == 1, "round \(round)")
    }
    #expect(try fixture.log.events().map(\.outcome) == [.securedInPlace])
    #expect(store.attributes.last?.accessibility == accessibility)
    #expect(store.attributes.last?.accessControl == accessControl)
  }

  @Test(arguments: [
    ("2.1", true), ("2.1-beta.3", true), ("2.1.beta", true), ("2.1b4", true), ("2.1.0 (77)", true), ("2.2.beta", false),
    ("3", false),
  ])
  func aVersionIsTheIntegersThatItsTextBeginsWith(_ text: String, _ holds: Bool) {
    #expect(AppVersionCondition.atMost(2, 1).holds(of: text) == holds)
    #expect(AppVersionCondition.exactly(2, 1, 0).holds(of: text) == holds)
  }

  @Test(arguments: ["", "beta", "v2", "1..2", "2.", ".1", "99999999999999999999"])
  func aTextThatIsNoVersionIsNone(_ text: String) {
    #expect(AppVersionCondition.atMost(2, 1).holds(of: text) == nil)
  }
}
