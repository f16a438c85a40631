#if os(Linux)
  import ExampleModels
  import Foundation
  import LocalData
  import LocalDataMaintenance
  import TestSupport
  import Testing

  @testable import ExampleKeys

  /// The migrations of the committed catalog, run: what earlier releases wrote is written by keys of the test's own in the
  /// same places, and read through the generated ones.
  struct GeneratedMigrationTests {
    private let scratch: ScratchFolder
    /// The earlier release, which knows nothing of the catalogs.
    private let past: StorageRouter

    init() throws {
      scratch = try ScratchFolder()
      past = Self.router(over: scratch.url, version: "1.0")
    }

    private static func router(over folder: URL, version: String?) -> StorageRouter {
      StorageRouter(
        configuration: StorageConfiguration(
          applicationName: "Tests", applicationVersion: version, roots: StorageRoots(below: folder)))
    }

    private func present(version: String? = "3.1") throws -> StorageRouter {
      let router = Self.router(over: scratch.url, version: version)
      try router.registerCatalog(SecureStorageSampleCatalog.self)
      return router
    }

    private func old<Value: Codable & Sendable>(
      _ name: String, _ domain: StorageDomain, _ security: SecurityPolicy = .none,
      serializer: Serializer<Value> = .json
    ) -> StorageKey<Value?> {
      StorageKey(
        name: name, domain: domain, security: security, serializer: serializer, owner: "Tests",
        description: "What an earlier release wrote.")
    }

    @Test func aValueIsMoved() async throws {
      let source: StorageKey<String?> = old("old_key_name", .userDefaults())
      try await past.set("token", for: source)
      #expect(try await present().exists(.userToken))
      #expect(try await present().get(.userToken) == "token")
      #expect(try await past.get(source) == nil)
      #expect(try await present().get(.userToken) == "token")
    }

    @Test func aValueThatTheAppStoredItselfIsFound() async throws {
      let source = old("launches", .userDefaults(), serializer: Serializer<Int>.propertyList)
      try await past.set(41, for: source)
      #expect(try await present().get(.launchCount) == 41)
      #expect(try await past.get(source) == nil)
    }

    @Test func aValueIsTransformed() async throws {
      let group = StorageDomain.appGroupUserDefaults(identifier: "group.com.example.securestorage")
      let source = old("note_text", group, serializer: Serializer<String>.propertyList)
      try await past.set("Buy\nMilk", for: source)
      #expect(try await present().get(.stickyNote) == Note(title: "Buy", lines: ["Milk"]))
      #expect(try await past.get(source) == nil)
    }

    @Test(arguments: [("Ada", "ada@example.com"), ("Ada", nil), (nil, "ada@example.com"), (nil, nil)])
    func valuesAreJoined(_ name: String?, _ email: String?) async throws {
      try await past.set(name, for: old("user_name", .userDefaults()))
      try await past.set(email, for: old("user_email", .userDefaults()))
      let wanted =
        name == nil && email == nil ? nil : Profile(name: name ?? Profile.guest.name, emails: email.map { [$0] } ?? [])
      #expect(try await present().get(.profile) == wanted)
      #expect(try await past.get(old("user_name", .userDefaults()) as StorageKey<String?>) == nil)
      #expect(try await past.get(old("user_email", .userDefaults()) as StorageKey<String?>) == nil)
    }

    @Test(arguments: [("3.9.9", "1234"), ("4.0", nil), ("4", nil)])
    func onlySomeVersionsMigrate(_ version: String, _ wanted: String?) async throws {
      let service = StorageDomain.keychain(service: "com.example.securestorage")
      let source: StorageKey<String?> = old("recovery", service, .keychain(accessibility: .afterFirstUnlock))
      try await past.set("1234", for: source)
      #expect(try await present(version: version).get(.recoveryCode) == wanted)
      #expect(try await past.get(source) == (wanted == nil ? "1234" : nil))
    }

    @Test func whatDiffersIsRemovedWhereTheCatalogSaysSo() async throws {
      let service = StorageDomain.keychain(service: "com.example.securestorage")
      let source: StorageKey<String?> = old("recovery", service, .keychain(accessibility: .afterFirstUnlock))
      try await past.set("1234", for: source)
      let router = try present()
      try await router.set("5678", for: .recoveryCode)
      #expect(try await router.get(.recoveryCode) == "5678")
      #expect(try await past.get(source) == nil)
    }

    @Test func bytesAreSealedWhereTheyLie() async throws {
      let addresses = [Address(street: "Rua Augusta 1", city: "Lisbon", lines: [])]
      let file = scratch.url.appendingPathComponent("data/documents/addresses")
      try await past.set(addresses, for: old("addresses", .fileSystem(directory: .documents)))
      #expect(try Data(contentsOf: file).range(of: Data("Lisbon".utf8)) != nil)
      #expect(try await present().get(.addresses) == addresses)
      #expect(try Data(contentsOf: file).range(of: Data("Lisbon".utf8)) == nil)
      #expect(try await present().get(.addresses) == addresses)
    }

    @Test func eachMemberOfAFamilyHasSourcesOfItsOwn() async throws {
      let (first, second) = (UUID(), UUID())
      func name(_ id: UUID) -> String { id.uuidString.lowercased() }
      let file = old(
        "document-\(name(first)).txt", .fileSystem(directory: .caches), serializer: Serializer<String>.data)
      let row = old("draft.\(name(second))", .userDefaults(), serializer: Serializer<String>.propertyList)
      try await past.set("one", for: file)
      try await past.set("two", for: row)
      #expect(try await present().get(.draft(documentID: first)) == "one")
      #expect(try await present().get(.draft(documentID: second)) == "two")
      #expect(try await present().get(.draft(documentID: UUID())) == nil)
      #expect(try await past.get(file) == nil)
      #expect(try await past.get(row) == nil)
    }

    @Test func aSweepMovesWhatIsThere() async throws {
      try await past.set("token", for: old("old_key_name", .userDefaults()))
      try await past.set(7, for: old("launches", .userDefaults(), serializer: Serializer<Int>.propertyList))
      let router = Self.router(over: scratch.url, version: "3.1")
      let result = try await router.registerCatalog(SecureStorageSampleCatalog.self, migrateImmediately: true)
      #expect(result.success)
      #expect(Set(result.migrated.map(\.key)) == ["user_token", "launch_count"])
      #expect(try await router.get(.launchCount) == 7)
    }

    /// The names that are stored say which members there are.
    @Test func aSweepMovesTheMembersOfAFamily() async throws {
      let (first, second) = (UUID(), UUID())
      func name(_ id: UUID) -> String { id.uuidString.lowercased() }
      let file = old(
        "document-\(name(first)).txt", .fileSystem(directory: .caches), serializer: Serializer<String>.data)
      let row = old("draft.\(name(second))", .userDefaults(), serializer: Serializer<String>.propertyList)
      let stranger = old("draft.notes", .userDefaults(), serializer: Serializer<String>.propertyList)
      try await past.set("one", for: file)
      for source in [row, stranger] { try await past.set("two", for: source) }
      let router = try present()
      let members = try await router.migrations.plan().moves
      #expect(
        members.map(\.description) == [
          "'draft_{documentID}' in fileSystem: move from 'document-{documentID}.txt' in fileSystem",
          "'draft_{documentID}' in fileSystem: move from 'draft.{documentID}' in userDefaults",
        ])
      #expect(await router.migrations.migrateAll().migrated.count == 2)
      for source in [file, row] { #expect(try await past.exists(source) == false) }
      #expect(try await past.exists(stranger))
      #expect(try await router.get(.draft(documentID: first)) == "one")
      #expect(try await router.get(.draft(documentID: second)) == "two")
    }

    /// A source belongs to its migration: the app's own calls on one are refused, and change nothing.
    @Test func theCatalogSaysWhereItsKeysComeFrom() async throws {
      let migrating = SecureStorageSampleCatalog.descriptors.filter { $0.migration != nil }.map(\.member)
      #expect(
        migrating == ["launchCount", "userToken", "recoveryCode", "profile", "addresses", "stickyNote", "draft"])
      let source: StorageKey<String?> = old("old_key_name", .userDefaults())
      try await past.set("token", for: source)
      let (router, key) = (try present(), StorageKey<String?>.legacyToken)
      let refused = StorageError(.legacyKey, .init(key: "old_key_name", domain: .userDefaults))
      await #expect(throws: refused) { try await router.get(key) }
      await #expect(throws: refused) { try await router.set("other", for: key) }
      await #expect(throws: refused) { try await router.update(key) { $0 = "other" } }
      await #expect(throws: refused) { try await router.remove(key) }
      await #expect(throws: refused) { try await router.exists(key) }
      await #expect(throws: refused) { try await router.forceMigration(for: key) }
      #expect(try await past.get(source) == "token")
      #expect(try await router.get(.userToken) == "token")
    }
  }
#endif
