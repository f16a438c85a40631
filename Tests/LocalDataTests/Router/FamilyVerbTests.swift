import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@_spi(Generated) @testable import LocalData

private func family(
  _ name: String, _ domain: StorageDomain = .keychain(service: "wipes"), _ security: SecurityPolicy = .keychain()
) -> StorageKeyFamily { StorageKeyFamily(name: name, domain: domain, security: security) }

private func member(_ family: StorageKeyFamily, _ name: StorageKeyName) -> StorageKey<String?> {
  StorageKey(family, name, .json)
}

private let oldToken = key("old_token", String.self, .userDefaults(suite: "old"), options: .init(legacy: true))

/// The keys of what one user of an app leaves behind: keys of several domains, families, and the values of earlier
/// releases.
private enum AccountCatalog: StorageKeyCatalog {
  static let plain = key("plain", String.self)
  static let sealed = key("sealed", String.self, .encryptedFileSystem(directory: .documents), .recommended)
  static let token = key("token", String.self, .keychain(service: "wipes"), .keychain()) { key in
    AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(oldToken)))
  }
  static let orphan = key("orphan", String.self, options: .init(legacy: true))
  static let note = family("note_{id}", .userDefaults(), .none)

  static var allKeys: [AnyStorageKey] {
    [.key(plain), .key(sealed), .key(token), .key(oldToken), .key(orphan), .key(phone)]
  }
  static var allFamilies: [StorageKeyFamily] { [note] }

  private static let phone = StorageKey<String?>(
    name: "phone", domain: .userDefaults(), security: .none, owner: "Tests", description: "Not on a watch.",
    availability: .phoneOnly)
}

private enum OtherCatalog: StorageKeyCatalog {
  static let kept = key("kept", String.self, .keychain(service: "wipes"), .keychain())
  static var allKeys: [AnyStorageKey] { [.key(kept)] }
}

@Suite struct FamilyVerbTests {
  private let memory = MemoryStore()

  private func router(_ store: (any ValueStore)? = nil) -> StorageRouter {
    StorageRouter(configuration: StorageConfiguration(platform: .watch)) { [memory] setup in
      StorageServices(over: store ?? memory, setup)
    }
  }

  /// The declaration is correct then, and the configuration too.
  @Test func theErrorOfALongParameterNamesTheParameters() async throws {
    let draft = family("draft_{id}", .userDefaults(), .none)
    let long = member(draft, "draft_\(String(repeating: "A", count: 16_384))")
    let error = await #expect(throws: StorageError.self) { try await router().set("a", for: long) }
    #expect(error == StorageError(.invalidName, .init(key: "draft_{id}", domain: .userDefaults)))
    #expect(error?.description.contains("pass shorter parameters") == true)
  }

  @Test(arguments: addresses)
  func membersAreFoundAndRemovedInEveryDomain(_ domain: StorageDomain, _ security: SecurityPolicy) async throws {
    let (router, draft) = (router(), family("draft_{id}", domain, security))
    let other = key("drafts", String.self, domain, security)
    try await router.set("a", for: member(draft, "draft_\("B/1")"))
    try await router.set("b", for: member(draft, "draft_\("a")"))
    try await router.set("c", for: other)
    let members = try await router.members(of: draft)
    #expect(members.map(\.name) == ["draft_%42%2F1", "draft_a"])
    #expect(members.map(\.parameters) == [["id": "B/1"], ["id": "a"]])
    #expect(members.map(\.description) == Array(repeating: "'draft_{id}' in \(domain.kind.rawValue)", count: 2))
    try await router.remove(members[0])
    #expect(try await router.members(of: draft).map(\.name) == ["draft_a"])
    try await router.removeAll(of: draft)
    #expect(try await router.members(of: draft).isEmpty)
    #expect(try await router.get(other) == "c")
  }

  /// A key that shares its container with a family whose template fits its name.
  @Test func namesOfOthersAreNoMembers() async throws {
    let (router, all, notes) = (router(), family("{name}"), family("note_{name}"))
    let sealed = key("sealed", String.self, .keychain(service: "wipes"))
    try router.registerCatalog(OtherCatalog.self)
    try ProbeRegistration.register([all, notes], [.key(sealed)], on: router)
    try await router.set("kept", for: OtherCatalog.kept)
    try await router.set("sealed", for: sealed)
    try await router.set("note", for: member(notes, "note_1"))
    try await router.set("any", for: member(all, "other"))
    #expect(try await router.members(of: all).map(\.name) == ["other"])
    try await router.removeAll(of: all)
    #expect(try await router.get(OtherCatalog.kept) == "kept")
    #expect(try await router.get(sealed) == "sealed")
    #expect(try await router.get(member(notes, "note_1")) == "note")
  }

  @Test func theMasterKeyIsNoMember() async throws {
    let service = EncryptionConfiguration().masterKeyService
    let (router, all) = (router(), family("{name}", .keychain(service: service)))
    let sealed = key("sealed", String.self, .userDefaults(), .recommended)
    try await router.set("sealed", for: sealed)
    #expect(memory.entries.contains { $0.address.name.hasPrefix(EncryptionConfiguration().masterKeyAccount) })
    try await router.removeAll(of: all)
    await router.lock()
    #expect(try await router.get(sealed) == "sealed")
  }

  @Test func aNameOfTwoFamiliesIsAnErrorAndStays() async throws {
    let (router, one, other) = (router(), family("a_{name}"), family("{name}_b"))
    try ProbeRegistration.register([one, other], [], on: router)
    try await router.set("both", for: member(one, StorageKeyName(stringLiteral: "a_b")))
    try await router.set("one", for: member(one, "a_1"))
    let error = StorageError(.invalidCatalog(.sharedSource), .init(key: "a_{name}", domain: .keychain))
    await #expect(throws: error) { try await router.members(of: one) }
    await #expect(throws: error) { try await router.removeAll(of: one) }
    #expect(memory.entries.map(\.address.name) == ["a_b"])
  }

  @Test func aFamilyThatIsNotRegisteredIsRefused() async throws {
    let router = router()
    try router.registerCatalog(OtherCatalog.self)
    let error = StorageError(.unregistered, .init(key: "draft_{id}", domain: .keychain))
    await #expect(throws: error) { try await router.members(of: family("draft_{id}")) }
    await #expect(throws: error) { try await router.removeAll(of: family("draft_{id}")) }
  }

  /// The earlier release stored the members in the preferences.
  @Test func membersThatOnlyAnEarlierReleaseStoredAreFoundAndRemoved() async throws {
    let old = family("old-{id}", .userDefaults(), .none)
    let own = family("new_{id}")
    let moving = own.migrating(from: [old]) { values in
      let id: String = try values.value(of: "id")
      return member(own, "new_\(id)").migrating { key in
        AnyStorageMigration(
          SimpleLegacyMigration(destinationKey: key, sourceKey: .key(member(old, "old-\(id)"))))
      }
    }
    try await router().set("1", for: member(old, "old-\("1")"))
    let router = router()
    try await router.set("2", for: member(own, "new_\("2")"))
    #expect(try await router.members(of: moving).map(\.name) == ["new_1", "new_2"])
    try await router.removeAll(of: moving)
    #expect(memory.entries.map(\.address.name) == [EncryptionConfiguration().masterKeyAccount + ".migrations.prints"])
  }

  @Test func everythingOfACatalogIsRemovedAndNothingElse() async throws {
    let earlier = router()
    let (old, orphan) = (key("old_token", String.self, .userDefaults(suite: "old")), key("orphan", String.self))
    try await earlier.set("old", for: old)
    try await earlier.set("orphan", for: orphan)
    let router = router()
    try router.registerCatalog(AccountCatalog.self)
    try router.registerCatalog(OtherCatalog.self)
    try await router.set("a", for: AccountCatalog.plain)
    try await router.set("b", for: AccountCatalog.sealed)
    try await router.set("c", for: member(AccountCatalog.note, "note_1"))
    try await router.set("kept", for: OtherCatalog.kept)
    #expect(try await router.exists(AccountCatalog.token))
    try await router.removeAll(in: AccountCatalog.self)
    #expect(try await router.exists(AccountCatalog.token) == false)
    let account = EncryptionConfiguration().masterKeyAccount
    #expect(Set(memory.entries.map(\.address.name)) == ["kept", account, account + ".migrations.prints"])
    #expect(try await router.get(OtherCatalog.kept) == "kept")
  }

  @Test func whatCannotBeRemovedDoesNotKeepTheOthers() async throws {
    let store = FaultInjectingStore(memory)
    let router = router(store)
    try router.registerCatalog(AccountCatalog.self)
    try await router.set("a", for: AccountCatalog.plain)
    try await router.set("b", for: AccountCatalog.sealed)
    store.fail(with: .locked) { $0.operation == .remove && $0.address?.name == "plain" }
    await #expect(throws: StorageError(.locked, .init(key: "plain", domain: .userDefaults))) {
      try await router.removeAll(in: AccountCatalog.self)
    }
    store.succeed()
    #expect(try await router.get(AccountCatalog.plain) == "a")
    #expect(try await router.exists(AccountCatalog.sealed) == false)
    store.fail(with: .locked) { $0.operation == .names }
    await #expect(throws: StorageError(.locked, .init(key: "note_{id}", domain: .userDefaults))) {
      try await router.removeAll(in: AccountCatalog.self)
    }
    #expect(try await router.exists(AccountCatalog.plain) == false)
  }
}

/// A catalog of what one test registers.
private enum ProbeRegistration: StorageKeyCatalog {
  @TaskLocal private static var listed: ([StorageKeyFamily], [AnyStorageKey]) = ([], [])

  static var allKeys: [AnyStorageKey] { listed.1 }
  static var allFamilies: [StorageKeyFamily] { listed.0 }

  static func register(
    _ families: [StorageKeyFamily], _ keys: [AnyStorageKey], on router: StorageRouter
  ) throws {
    try $listed.withValue((families, keys)) { try router.registerCatalog(Self.self) }
  }
}

#if os(Linux)
  /// No file of the library contains a removed secret.
  @Suite struct RemovedCopiesTests {
    private let fixture: StoreFixture
    private let router: StorageRouter

    init() throws {
      fixture = try StoreFixture()
      router = StorageRouter(
        configuration: StorageConfiguration(
          applicationName: "Test", roots: StorageRoots(below: fixture.folder)))
    }

    private static let secret = "a secret that is found easily"

    /// The stored bytes of a secret, by which its copies are found.
    private func stored(_ key: StorageKey<String?>) async throws -> Data {
      let plan = try await router.plan(for: AnyStorageKey(key))
      if plan.address.container.store == .keychain {
        let database = SQLiteDatabase.shared(
          at: try fixture.locations.keystore(), .powerLoss, schema: KeychainHelper.tables.schema)
        let sql = "SELECT sealed FROM item WHERE account = ?"
        return try #require(
          try database.read { (connection) throws(StorageProblem) in
            try connection.first(sql, [.text(plan.address.name)]) { (row) throws(StorageProblem) in row.blob(0) }
          } ?? nil)
      }
      return try #require(try await router.values(for: plan).stored(plan))
    }

    private func files(holding bytes: Data) throws -> [String] {
      try fixture.permissions().keys.sorted().filter { name in
        FileManager.default.contents(atPath: fixture.path(name))?.range(of: bytes) != nil
      }
    }

    static let removals: [(String, @Sendable (StorageRouter, StorageKey<String?>) async throws -> Void)] = [
      ("remove", { try await $0.remove($1) }),
      ("set", { try await $0.set(nil, for: $1) }),
      ("update", { try await $0.update($1) { $0 = nil } }),
    ]

    @Test(arguments: ["preferences", "keychain", "files"], removals.indices)
    func aRemovedSecret(_ address: String, _ removal: Int) async throws {
      let domains: [String: (StorageDomain, SecurityPolicy)] = [
        "preferences": (.userDefaults(), .recommended), "keychain": (.keychain(), .keychain()),
        "files": (.fileSystem(directory: .documents), .recommended),
      ]
      let (domain, security) = try #require(domains[address])
      let (secret, other) = (key("secret", String.self, domain, security), key("other", String.self, domain, security))
      try await router.set(Self.secret, for: secret)
      try await router.set("stays", for: other)
      let bytes = try await stored(secret)
      #expect(try files(holding: bytes) != [])
      try await Self.removals[removal].1(router, secret)
      #expect(try files(holding: bytes) == [])
      #expect(try await router.get(other) == "stays")
    }

    /// Values that are stored as they are leave no copy either.
    @Test func theMembersOfAFamily() async throws {
      for (domain, security) in [(StorageDomain.userDefaults(), SecurityPolicy.none), (.keychain(), .keychain())] {
        let draft = family("draft_{id}", domain, security)
        let keys = (0..<5).map { member(draft, "draft_\($0)") }
        for (number, key) in keys.enumerated() { try await router.set("\(Self.secret) \(number)", for: key) }
        var bytes: [Data] = []
        for key in keys { bytes.append(try await stored(key)) }
        for copy in bytes { #expect(try files(holding: copy) != []) }
        try await router.removeAll(of: draft)
        for copy in bytes { #expect(try files(holding: copy) == []) }
      }
    }
  }
#endif
