#if os(Linux)
  import Foundation
  import RuntimeTestSupport
  import LocalDataVocabulary
  import Testing

  @_spi(Generated) @testable import LocalData

  /// Files whose names are paths in the folders of the system.
  @Suite struct ExactPathTests {
    private let fixture: StoreFixture
    private let documents: URL

    init() throws {
      fixture = try StoreFixture()
      documents = URL(fileURLWithPath: fixture.path("data/documents"))
      try FileManager.default.createDirectory(at: documents, withIntermediateDirectories: true)
    }

    private func router() -> StorageRouter {
      StorageRouter(
        configuration: StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: fixture.folder)))
    }

    private func events(
      _ path: String, _ domain: StorageDomain = .fileSystem(directory: .exact(.documents)),
      _ security: SecurityPolicy = .none
    ) -> StorageKey<[Int]?> {
      StorageKey(name: path, domain: domain, security: security, owner: "Tests", description: "A list of numbers.")
    }

    private func store(_ values: [Int], _ path: String) throws {
      let file = documents.appendingPathComponent(path)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try JSONEncoder().encode(values).write(to: file)
    }

    private func stored(_ path: String) throws -> [Int]? {
      let file = documents.appendingPathComponent(path)
      guard FileManager.default.fileExists(atPath: file.path) else { return nil }
      return try JSONDecoder().decode([Int].self, from: Data(contentsOf: file))
    }

    @Test func aFileOfOtherCodeIsReadAndReplaced() async throws {
      let key = events("Logs/Daily Events.JSON")
      try store([1, 2], "Logs/Daily Events.JSON")
      #expect(try await router().get(key) == [1, 2])
      #expect(try await router().get(events("logs/Daily Events.JSON")) == nil)
      try await router().set([3], for: key)
      let bytes = try Data(contentsOf: documents.appendingPathComponent("Logs/Daily Events.JSON"))
      #expect(try bytes == JSONEncoder().encode([3]))
      try await router().remove(key)
      #expect(try stored("Logs/Daily Events.JSON") == nil)
    }

    @Test(arguments: [[], [["a"]], [["a", "b"]], [["a"], []]])
    func listsOfPropertyListsAreStoredAsTheyAre(_ lists: [[String]]) async throws {
      let key = StorageKey<[[String]]?>(
        name: "Lists.plist", domain: .fileSystem(directory: .exact(.documents)), security: .none,
        serializer: .propertyList, owner: "Tests", description: "Lists of texts.")
      let file = documents.appendingPathComponent("Lists.plist")
      try PropertyListEncoder().encode(lists).write(to: file)
      #expect(try await router().get(key) == lists)
      try await router().remove(key)
      try await router().set(lists, for: key)
      #expect(try PropertyListDecoder().decode([[String]].self, from: Data(contentsOf: file)) == lists)
      #expect(try await router().get(key) == lists)
    }

    @Test func whatNoReadWouldReturnIsNotWritten() async throws {
      let key = StorageKey<[String]?>(
        name: "Texts.plist", domain: .fileSystem(directory: .exact(.documents)), security: .none,
        serializer: .propertyList, owner: "Tests", description: "Texts.")
      try await router().set(["a"], for: key)
      let error = await #expect(throws: StorageError.self) { try await router().set(["$null"], for: key) }
      #expect(error?.code == .cannotEncode)
      #expect(try await router().get(key) == ["a"])
    }

    @Test func scalarsOfPropertyListsStayInAList() async throws {
      func key<Value: Codable & Sendable>() -> StorageKey<Value?> {
        StorageKey(
          name: "Number.plist", domain: .fileSystem(directory: .exact(.documents)), security: .none,
          serializer: .propertyList, owner: "Tests", description: "A number.")
      }
      let number: StorageKey<Int?> = key()
      try await router().set(5, for: number)
      #expect(try await router().get(number) == 5)
      let any: StorageKey<AnyCodable?> = key()
      #expect(try await router().get(any) == [5])
      let error = await #expect(throws: StorageError.self) { try await router().set(5, for: any) }
      #expect(error?.code == .cannotEncode)
    }

    @Test(arguments: [
      "../x", "/x", "a//b", "a/../../x", ".x", "a/.b", "LocalData/x", "preferences/standard.db", "keystore.db",
      "a\u{0}b",
      "a/", "a/\n",
    ])
    func noPathLeavesItsFolder(_ path: String) async throws {
      for domain in [
        StorageDomain.fileSystem(directory: .exact(.documents)),
        .appGroupFileSystem(identifier: "group.t", directory: .exact(.container)),
      ] {
        let error = await #expect(throws: StorageError.self) { try await router().set([1], for: events(path, domain)) }
        #expect(error?.code == .invalidName)
        await #expect(throws: StorageError.self) { try await router().get(events(path, domain)) }
      }
    }

    @Test func noLinkIsFollowed() async throws {
      try store([1], "Real/x.json")
      let manager = FileManager.default
      try manager.createSymbolicLink(
        at: documents.appendingPathComponent("Out"), withDestinationURL: documents.appendingPathComponent("Real"))
      try manager.createSymbolicLink(
        at: documents.appendingPathComponent("x.json"),
        withDestinationURL: documents.appendingPathComponent("Real/x.json"))
      for path in ["Out/x.json", "x.json"] {
        await #expect(throws: StorageError.self) { try await router().get(events(path)) }
        await #expect(throws: StorageError.self) { try await router().set([2], for: events(path)) }
      }
      #expect(try stored("Real/x.json") == [1])
    }

    @Test func membersAreFoundByTheirPaths() async throws {
      let family = StorageKeyFamily(
        name: "Users/{/user}/Settings.json", domain: .fileSystem(directory: .exact(.documents)), security: .none)
      func member(_ user: String) -> StorageKey<[Int]?> {
        StorageKey(family, "Users/\(verbatim: user)/Settings.json", .json)
      }
      try store([1], "Users/Anna/Settings.json")
      try store([9], "Users/Anna/Other.json")
      try store([9], "Users/a/b/Settings.json")
      try await router().set([2], for: member("b@example.com"))
      #expect(
        try await router().members(of: family).map(\.parameters) == [["user": "Anna"], ["user": "b@example.com"]])
      #expect(try await router().get(member("Anna")) == [1])
      for user in ["..", "a/b", "../../x", "", "\u{0}"] {
        await #expect(throws: StorageError.self) { try await router().set([3], for: member(user)) }
      }
      try await router().removeAll(of: family)
      #expect(try stored("Users/Anna/Settings.json") == nil)
      #expect(try stored("Users/Anna/Other.json") == [9])
      #expect(try stored("Users/a/b/Settings.json") == [9])
    }

    /// The search for values of a lost key does not look there.
    @Test func aFileWithAPathIsNotEncrypted() async throws {
      let key = events("x.json", .fileSystem(directory: .exact(.documents)), .recommended)
      let error = await #expect(throws: StorageError.self) { try await router().set([1], for: key) }
      #expect(error?.code == .invalidCatalog)
    }

    /// The release before stores the file again, after a rollback.
    @Test func aFileMovesIntoTheLibraryAndBack() async throws {
      let old = events("Old/Events.json").with { $0.isLegacy = true }
      let new = events("events", .fileSystem(directory: .applicationSupport)).migrating { key in
        AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(old)))
      }
      try store([1], "Old/Events.json")
      #expect(try await router().get(new) == [1])
      #expect(try stored("Old/Events.json") == nil)
      try store([2], "Old/Events.json")
      #expect(try await router().get(new) == [2])
      #expect(try await router().get(new) == [2])
    }

    @Test func oneFileHasOneDeclaration() throws {
      func conflict(_ keys: StorageKey<[Int]?>...) -> Bool {
        do { try router().register(keys.map { AnyStorageKey($0) }) } catch { return true }
        return false
      }
      #expect(conflict(events("Logs/a.json"), events("Logs")))
      #expect(conflict(events("theme"), events("theme", .fileSystem(directory: .documents))))
      #expect(!conflict(events("Logs/a.json"), events("Logs/b.json")))
    }
  }
#endif
