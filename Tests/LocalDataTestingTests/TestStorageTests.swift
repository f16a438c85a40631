import LocalDataMaintenance
import LocalDataTesting
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

/// The storage that apps' tests use fails, keeps time, shares groups and has old values as they say.
@Suite struct TestStorageTests {
  private static func key(
    _ domain: StorageDomain, _ security: SecurityPolicy? = nil, retention: Retention? = nil
  ) -> StorageKey<String?> {
    StorageKey<String?>(
      name: "value", domain: domain,
      security: security ?? (domain.kind == .encryptedFileSystem ? .recommended : .none), owner: "Tests",
      description: "A text.",
      options: StorageKeyOptions(retention: retention))
  }

  static let domains: [StorageDomain] = [
    .userDefaults(), .appGroupUserDefaults(identifier: "group.t"), .keychain(), .fileSystem(directory: .documents),
    .encryptedFileSystem(directory: .documents), .appGroupFileSystem(identifier: "group.t", directory: .documents),
  ]

  /// UserDefaults has no times.
  private static var domainsWithoutTimes: [StorageDomain] {
    #if os(Linux)
      []
    #else
      Array(domains.prefix(2))
    #endif
  }

  @Test(arguments: domains) func aDomainFailsAloneUntilItSucceeds(_ domain: StorageDomain) async throws {
    let storage = TestStorage(failing: [domain.kind: .locked])
    let router = storage.launch()
    let key = Self.key(domain)
    for other in Self.domains where other.kind != domain.kind {
      // The master key of encrypted files is in the keychain.
      if domain.kind == .keychain, other.kind == .encryptedFileSystem { continue }
      try await router.set("abc", for: Self.key(other))
    }
    let error = StorageError(.locked, .init(key: "value", domain: domain.kind))
    await #expect(throws: error) { try await router.get(key) }
    await #expect(throws: error) { try await router.set("abc", for: key) }
    await #expect(throws: error) { try await router.exists(key) }
    await #expect(throws: error) { try await router.remove(key) }
    await #expect(throws: error) { try await router.update(key) { $0 = "abc" } }
    storage.succeed()
    try await router.set("abc", for: key)
    #expect(try await router.get(key) == "abc")
  }

  @Test(arguments: TestFailure.allCases) func everyFailureIsAnErrorOfItsOwn(_ failure: TestFailure) async throws {
    let router = StorageRouter.inMemory(failing: [.keychain: failure])
    let errors = await TestFailure.allCases.asyncMap { other in
      let router = StorageRouter.inMemory(failing: [.keychain: other])
      return await #expect(throws: StorageError.self) { try await router.get(Self.key(.keychain())) }
    }
    let error = await #expect(throws: StorageError.self) { try await router.get(Self.key(.keychain())) }
    #expect(errors.count { $0 == error } == 1)
  }

  @Test func aLockedKeychainLocksEncryptedValues() async throws {
    let storage = TestStorage()
    let sealed = Self.key(.userDefaults(), .recommended)
    try await storage.launch().set("abc", for: sealed)
    storage.fail(.keychain, with: .locked)
    await #expect(throws: StorageError(.locked, .init(key: "value", domain: .userDefaults))) {
      try await storage.launch().get(sealed)
    }
  }

  @Test func aLaunchEndsWhatIsKeptUntilIt() async throws {
    let storage = TestStorage()
    let (short, long) = (
      Self.key(.userDefaults(), retention: .untilRelaunch), Self.key(.keychain(), retention: .maxAge(seconds: 60))
    )
    let router = storage.launch()
    try await router.set("abc", for: short)
    try await router.set("abc", for: long)
    #expect(try await storage.launch(isExtension: true).get(short) == "abc")
    #expect(try await storage.launch().get(short) == nil)
    #expect(try await storage.launch().get(long) == "abc")
    storage.clock.advance(by: 60)
    #expect(try await router.get(long) == nil)
  }

  /// The store knows when the earlier release wrote the value.
  @Test(arguments: domains) func anAddedRetentionCountsFromTheWrite(_ domain: StorageDomain) async throws {
    let storage = TestStorage()
    try await storage.seed("abc", for: Self.key(domain))
    let key = Self.key(domain, retention: .maxAge(seconds: 60))
    storage.clock.advance(by: 50)
    #expect(try await storage.launch().get(key) == "abc")
    storage.clock.advance(by: 10)
    let isKnown = !Self.domainsWithoutTimes.contains(domain)
    #expect(try await storage.launch().get(key) == (isKnown ? nil : "abc"))
  }

  @Test func oldValuesAreMigrated() async throws {
    let old = StorageKey<String?>(
      name: "old", domain: .userDefaults(), security: .none, serializer: .propertyList, owner: "Tests",
      description: "A text of 1.0.", options: StorageKeyOptions(legacy: true))
    let key = StorageKey<String?>(
      name: "new", domain: .keychain(), owner: "Tests", description: "A text.",
      migration: { AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(old))) })
    let storage = TestStorage()
    #expect(try await storage.launch().get(key) == nil)
    try await storage.seed("abc", for: old)
    #expect(try await storage.launch().get(key) == "abc")
  }

  @Test func anAppAndItsExtensionShareTheirGroupsAlone() async throws {
    let groups = TestAppGroups()
    let (app, widget) = (TestStorage(groups: groups).launch(), TestStorage(groups: groups).launch(isExtension: true))
    let stranger = TestStorage().launch()
    for (domain, security) in [
      (StorageDomain.appGroupUserDefaults(identifier: "group.t"), SecurityPolicy.none),
      (.appGroupUserDefaults(identifier: "group.u"), .recommended),
      (.appGroupFileSystem(identifier: "group.t", directory: .documents), .recommended),
    ] {
      let key = Self.key(domain, security)
      try await app.set("abc", for: key)
      #expect(try await widget.get(key) == "abc")
      #expect(try await stranger.get(key) == nil)
    }
    try await app.set("abc", for: Self.key(.userDefaults()))
    #expect(try await widget.get(Self.key(.userDefaults())) == nil)
  }

  /// Values that were moved aside outlive the launch, and other programs find those of a group.
  @Test(arguments: [true, false]) func aLaterLaunchFindsWhatWasMovedAside(_ isGroup: Bool) async throws {
    let (domain, groups) = (StorageDomain.appGroupUserDefaults(identifier: "group.t"), TestAppGroups())
    let (storage, other) = (TestStorage(groups: groups), TestStorage(groups: groups))
    let key = StorageKey<Int?>(
      name: "value", domain: isGroup ? domain : .userDefaults(), security: .none, owner: "Tests",
      description: "A number.", options: StorageKeyOptions(onCorruption: .quarantine))
    try await storage.seed("abc", for: Self.key(key.domain))
    #expect(try await storage.launch().get(key) == nil)
    // A router lists the values of the groups that its keys are in.
    func count(_ router: StorageRouter) async throws -> Int {
      try router.registerCatalog(QuarantiningCatalog.self)
      return try await router.maintenance.quarantined().count
    }
    #expect(try await count(storage.launch()) == 1)
    #expect(try await count(other.launch()) == (isGroup ? 1 : 0))
  }

  @Test func aLaterConfigurationKeepsWhatWasMovedAside() async throws {
    let router = StorageRouter.inMemory()
    try await router.set("abc", for: Self.key(.userDefaults()))
    let key = StorageKey<Int?>(
      name: "value", domain: .userDefaults(), security: .none, owner: "Tests", description: "A number.",
      options: StorageKeyOptions(onCorruption: .quarantine))
    #expect(try await router.get(key) == nil)
    try router.updateEncryptionConfiguration(EncryptionConfiguration(masterKeyService: "other"))
    #expect(try await router.maintenance.quarantined().count == 1)
  }

  /// A transaction is of one store, as in the app.
  @Test func transactionsAreMadeAndFailAsInTheApp() async throws {
    let storage = TestStorage()
    let router = storage.launch()
    for domain in Self.domains {
      let key = Self.key(domain)
      let isPossible = [.userDefaults, .appGroupUserDefaults, Self.transactingKeychain].contains(domain.kind)
      let set = { @Sendable (value: String) in
        try await router.transaction { transaction in try await transaction.set(value, for: key) }
      }
      guard isPossible else {
        await #expect(throws: StorageError(.cannotJoinTransaction, .init(key: "value", domain: domain.kind))) {
          try await set("abc")
        }
        continue
      }
      try await set("abc")
      storage.fail(domain.kind, with: .outOfSpace)
      await #expect(throws: StorageError(.outOfSpace, .init(key: "value", domain: domain.kind))) {
        try await set("def")
      }
      storage.succeed()
      #expect(try await router.get(key) == "abc")
    }
  }

  /// Apple's keychain cannot change several items together.
  private static let transactingKeychain: StorageDomain.Kind? = {
    #if os(Linux)
      .keychain
    #else
      nil
    #endif
  }()

  @Test func changesOfAnotherLaunchAndOfAnExtensionAreSeen() async throws {
    let groups = TestAppGroups()
    let (storage, widget) = (TestStorage(groups: groups), TestStorage(groups: groups).launch(isExtension: true))
    let (router, other) = (storage.launch(), storage.launch())
    for (domain, changing) in [
      (StorageDomain.userDefaults(), other), (.keychain(), other), (.fileSystem(directory: .documents), other),
      (.appGroupUserDefaults(identifier: "group.t"), widget),
    ] {
      let isInTransaction = [.userDefaults, .appGroupUserDefaults].contains(domain.kind)
      let key = Self.key(domain)
      var values = router.values(of: key).makeAsyncIterator()
      #expect(try await values.next() == .some(nil))
      try await changing.set("abc", for: key)
      #expect(try await values.next() == "abc")
      if isInTransaction {
        try await changing.transaction { transaction in try await transaction.remove(key) }
      } else {
        try await changing.remove(key)
      }
      #expect(try await values.next() == .some(nil))
    }
  }

  @Test func aChangeAfterAFailureIsSeen() async throws {
    let storage = TestStorage(failing: [.userDefaults: .locked])
    let (router, key) = (storage.launch(), Self.key(.userDefaults()))
    var values = router.values(of: key).makeAsyncIterator()
    do {
      _ = try await values.next()
      Issue.record("a value was read")
    } catch {
      #expect(error as? StorageError == StorageError(.locked, .init(key: "value", domain: .userDefaults)))
    }
    storage.succeed()
    try await storage.launch().set("abc", for: key)
    #expect(try await values.next() == "abc")
  }

  // MARK: The contract

  @Test(arguments: StorageContract.clauses) func aRouterKeepsTheContract(_ clause: StorageContract.Clause) async throws
  {
    try await clause.check(StorageRouter.inMemory())
    try await clause.check(TestStorage().launch())
  }

  @Test(arguments: BrokenStorage.Defect.allCases)
  func theContractFindsADefect(_ defect: BrokenStorage.Defect) async throws {
    var violations: [String] = []
    for clause in StorageContract.clauses {
      do {
        try await clause.check(BrokenStorage(defect: defect))
      } catch let violation as StorageContract.Violation {
        violations.append("\(clause): \(violation)")
      }
    }
    #expect(!violations.isEmpty)
  }
}

private enum QuarantiningCatalog: StorageKeyCatalog {
  static let group = StorageKey<String?>(
    name: "other", domain: .appGroupUserDefaults(identifier: "group.t"), security: .none, owner: "Tests",
    description: "A text.")

  static var allKeys: [AnyStorageKey] { [.key(group)] }
}

extension Sequence {
  fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}

/// An implementation with a defect.
struct BrokenStorage: StorageProviding {
  enum Defect: CaseIterable {
    case keepsRemoved, ignoresSets, existsAlways, losesUpdates, returnsOldOfUpdate, keepsAbandonedUpdates
  }

  let defect: Defect
  private let router = StorageRouter.inMemory()

  init(defect: Defect) { self.defect = defect }

  func get<Value>(_ key: StorageKey<Value>) async throws(StorageError) -> Value { try await router.get(key) }

  func set<Value>(_ value: Value, for key: StorageKey<Value>) async throws(StorageError) {
    if defect != .ignoresSets { try await router.set(value, for: key) }
  }

  func update<Value>(
    _ key: StorageKey<Value>, _ change: @escaping @Sendable (inout Value) -> Void
  ) async throws(StorageError) -> Value {
    var value = try await router.get(key)
    let old = value
    switch defect {
    case .losesUpdates:
      await Task.yield()
      change(&value)
      try await router.set(value, for: key)
      return value
    case .returnsOldOfUpdate:
      try await router.update(key, change)
      return old
    default: return try await router.update(key, change)
    }
  }

  func update<Value>(
    _ key: StorageKey<Value>, _ change: @escaping @Sendable (inout Value) throws -> Void
  ) async throws -> Value {
    guard defect == .keepsAbandonedUpdates else { return try await router.update(key, change) }
    var value = try await router.get(key)
    let result = Result { try change(&value) }
    try await router.set(value, for: key)
    try result.get()
    return value
  }

  func remove<Value>(_ key: StorageKey<Value>) async throws(StorageError) {
    if defect != .keepsRemoved { try await router.remove(key) }
  }

  func exists<Value>(_ key: StorageKey<Value>) async throws(StorageError) -> Bool {
    let exists = try await router.exists(key)
    return exists || defect == .existsAlways
  }
}
