#if os(Linux)
  import Foundation
  import LocalData
  import LocalDataTesting
  import RuntimeTestSupport
  import LocalDataVocabulary
  import Testing

  /// A value that is encrypted at its own address, by a call that ends before the old bytes are gone.
  struct SecuredPlaceTests {
    private let app: RelaunchedApp
    private let text = "plain text of an earlier release"

    init() throws { app = try RelaunchedApp() }

    private func key(_ domain: StorageDomain, _ security: SecurityPolicy) -> StorageKey<String?> {
      StorageKey<String?>(name: "note", domain: domain, security: security, owner: "Tests", description: "A text.")
    }

    private func files() throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: app.fixture.folder.path).filter { name in
        FileManager.default.contents(atPath: app.fixture.path(name))?.range(of: Data(text.utf8)) != nil
      }
    }

    @Test(arguments: [FaultInjectingStore.Operation.makeDurable, .purge])
    func theNextCallRemovesTheOldBytes(_ failing: FaultInjectingStore.Operation) async throws {
      let plain = key(.userDefaults(), .none)
      let secured = key(.userDefaults(), .recommended).with(migration: {
        AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(plain)))
      })
      try await app.launch().set(text, for: plain)
      // While it reads, no checkpoint overwrites the old bytes.
      let suite = try app.fixture.locations.preferences()
      var reader: SQLiteConnection? = try SQLiteConnection(path: suite.path, isDurable: false, until: nil)
      try reader?.run("BEGIN")
      #expect(try reader?.first("SELECT count(*) FROM sqlite_master") { $0.integer(0) } != nil)
      let interrupted = app.launch { services in
        let store = FaultInjectingStore(services.preferences)
        store.fail(with: .io(errno: EIO)) { $0.operation == failing }
        services.preferences = store
      }
      #expect(try await interrupted.get(secured) == text)
      #expect(try !files().isEmpty, "the database has the old bytes")
      reader = nil
      #expect(try await app.launch().get(secured) == text)
      #expect(try files() == [])
    }
  }
#endif
