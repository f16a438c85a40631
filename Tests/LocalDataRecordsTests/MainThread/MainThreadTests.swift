#if os(Linux)
  import Foundation
  @_spi(Generated) import LocalData
  import LocalDataMaintenance
  import LocalDataRecords
  @_spi(Generated) import LocalDataRecords
  import LocalDataSync
  import LocalDataTesting
  import ProbeKeys
  import RuntimeTestSupport
  import LocalDataSQLite
  import Testing

  /// No verb uses a store on the main thread, which draws the app and must not wait for a disk.
  ///
  /// `value(_:)`, `value(_:orSet:)`, `setValue(_:for:)`, `registerCatalog(_:)` and the bodies of transactions of records are synchronous and not
  /// among these verbs.
  struct MainThreadTests {
    @MainActor @Test(arguments: MainThreadVerb.all) func aVerbUsesNoStoreOnTheMainThread(_ verb: MainThreadVerb)
      async throws
    {
      try #require(StoreUses.isMainActor)
      let app = try await MainThreadApp(verb)
      app.uses.reset()
      try await verb.body(app)
      let counts = app.uses.counts
      #expect(counts.onMainActor == 0)
      #expect((counts.elsewhere > 0) == verb.usesStores)
    }

    /// The synchronous verbs use their store on the caller's thread, so the record sees uses of the main thread.
    @MainActor @Test func synchronousVerbsUseStoresOnTheMainThread() async throws {
      let app = try await MainThreadApp()
      app.uses.reset()
      try app.router.setValue("later", for: MainThreadCatalog.text)
      #expect(app.uses.counts.onMainActor > 0)
    }

    /// The verbs are all asynchronous functions that the products declare, but those that apps implement.
    @Test func everyPublicVerbIsTried() throws {
      let project = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../").standardizedFileURL
      let products = [
        "LocalData", "LocalDataMaintenance", "LocalDataRecords", "LocalDataSync",
      ]
      var declared: [String] = []
      for product in products {
        let recorded = try String(
          contentsOf: project.appendingPathComponent(".github/api/\(product).txt"), encoding: .utf8)
        for line in recorded.split(separator: "\n") {
          guard let colon = line.firstRange(of: ": "), !line[colon.upperBound...].hasPrefix("required ") else {
            continue
          }
          if line[colon.upperBound...].isAsynchronous { declared.append(String(line[..<colon.lowerBound])) }
        }
      }
      try #require(declared.count > 70)
      #expect(declared.sorted() == MainThreadVerb.all.map(\.name).sorted())
    }
  }

  extension Substring {
    /// Tells whether a declaration is asynchronous, not only one of its parameters.
    fileprivate var isAsynchronous: Bool {
      ranges(of: " async").contains { range in
        let before = self[..<range.lowerBound]
        return before.count { $0 == "(" } == before.count { $0 == ")" }
      }
    }
  }

  /// The keys of the app.
  enum MainThreadCatalog: StorageKeyCatalog {
    static let text = StorageKey<String?>(
      name: "text", domain: .userDefaults(), security: .none, owner: "Tests", description: "A text.")
    static let sealed = StorageKey<String?>(
      name: "sealed", domain: .encryptedFileSystem(directory: .documents), security: .encrypted(.aes256GCM()),
      owner: "Tests", description: "A text.")
    static let shared = StorageKey<Int?>(
      name: "shared", domain: .userDefaults(), security: .none, owner: "Tests", description: "A number of two devices.",
      syncPolicy: .automaticSmall)
    static let old = StorageKey<String?>(
      name: "old", domain: .userDefaults(), security: .none, owner: "Tests", description: "A text.")
    static let moved = StorageKey<String?>(
      name: "moved", domain: .fileSystem(directory: .documents), security: .none, owner: "Tests", description: "A text."
    ) { AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(old))) }
    static let counter = StorageKey<Int>(
      name: "counter", domain: .fileSystem(directory: .documents), security: .none, default: 0, owner: "Tests",
      description: "A number.")
    static let untyped = StorageKeyFamily(name: "page_{number}", domain: .userDefaults(), security: .recommended)
    static let pages = StorageFamily<String?, Int>(untyped) {
      let number: Int = try $0.value(of: "number")
      return (page(number), number)
    }

    static func page(_ number: Int) -> StorageKey<String?> { StorageKey(untyped, "page_\(number)", .json) }

    static let features: [StorageFeature] = [.sync]
    static let allKeys: [AnyStorageKey] = [
      .key(text), .key(sealed), .key(shared), .key(moved), .key(counter.quarantining),
    ]
    static let allFamilies = [untyped]
    static let parts: [StorageCatalogPart] = [.records(ProbeFolder.Database.self)]
  }

  /// A release whose counter is a text.
  enum MainThreadTextCatalog: StorageKeyCatalog {
    static let allKeys: [AnyStorageKey] = [.key(MainThreadCatalog.counter.spoiling)]
  }
#endif
