#if os(Linux)
  import Foundation
  import RuntimeTestSupport
  import LocalDataVocabulary
  import Testing

  @testable import LocalData

  /// Names that look the same and have other bytes: "é" as one character, and as "e" with an accent. They are two names.
  @Suite struct EquivalentNamesTests {
    private static let names = ["caf\u{e9}", "cafe\u{301}"]

    private let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    private func router() -> StorageRouter {
      StorageRouter(
        configuration: StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: fixture.folder)))
    }

    private static let domains: [StorageDomain] = [
      .userDefaults(), .keychain(), .fileSystem(directory: .documents), .appGroupUserDefaults(identifier: "group.t"),
    ]

    @Test(arguments: domains) func keysWithEquivalentNamesHaveTwoValues(_ domain: StorageDomain) async throws {
      let router = router()
      for (value, name) in Self.names.enumerated() {
        try await router.set(value, for: key(name, Int.self, domain))
        #expect(try await router.get(key(name, Int.self, domain)) == value)
      }
      for router in [router, self.router()] {
        for (value, name) in Self.names.enumerated() {
          #expect(try await router.get(key(name, Int.self, domain)) == value)
        }
      }
    }

    @Test(arguments: domains) func aKeyIsRenamedToAnEquivalentName(_ domain: StorageDomain) async throws {
      try await router().set(1, for: key(Self.names[0], Int.self, domain))
      let source = key(Self.names[0], Int.self, domain)
      let renamed = key(Self.names[1], Int.self, domain) {
        AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(source)))
      }
      #expect(try await router().get(renamed) == 1)
      #expect(try await router().exists(key(Self.names[0], Int.self, domain)) == false)
      #expect(try await router().get(key(Self.names[1], Int.self, domain)) == 1)
    }

    @Test(arguments: [names, names.reversed()]) func suitesWithEquivalentNamesAreTwo(_ names: [String]) async throws {
      for (value, name) in Self.names.enumerated() {
        try await router().set(value, for: key("number", Int.self, .userDefaults(suite: name)))
      }
      let router = router()
      // The second round finds the values of the first one in the cache.
      for name in names + names {
        let key = key("number", Int.self, .userDefaults(suite: name))
        let value = Self.names.firstIndex { $0.utf8.elementsEqual(name.utf8) }
        #expect(try await router.get(key) == value)
        #expect(try router.value(key) == value)
      }
    }

    @Test func equivalentNamesAreDifferentDeclarations() {
      let domains = Self.names.map { StorageDomain.userDefaults(suite: $0) }
      #expect(domains[0] != domains[1])
      #expect(AnyStorageKey(key("number", Int.self, domains[0])) != AnyStorageKey(key("number", Int.self, domains[1])))
      #expect(AnyStorageKey(key(Self.names[0], Int.self)) != AnyStorageKey(key(Self.names[1], Int.self)))
      #expect(FileDirectory.custom(Self.names[0]) != .custom(Self.names[1]))
    }
  }
#endif
