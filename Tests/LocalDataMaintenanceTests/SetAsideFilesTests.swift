@testable import LocalDataSystem
#if os(Linux)
  import Foundation
  import LocalDataTesting
  import ProbeKeys
  import RuntimeTestSupport
  import LocalDataVocabulary
  import Testing

  @testable import LocalData
  @testable import LocalDataMaintenance

  /// Tests of the list of files that were set aside, and of their removal.
  @Suite struct SetAsideFilesTests {
    let app: RelaunchedApp

    init() throws { app = try RelaunchedApp() }

    private static let name = "value"

    private func launch() throws -> StorageRouter {
      let router = app.launch()
      try router.register(ProbeAddress.allCases.map { .key(Self.key(of: $0)) })
      return router
    }

    private static func key(of address: ProbeAddress) -> StorageKey<String?> {
      RetainedKey.of(address, nil, name: "\(name)_\(address)")
    }

    private func setAll(_ value: String) async throws {
      let router = try launch()
      for address in ProbeAddress.allCases { try await router.set(value, for: Self.key(of: address)) }
    }

    private func write(_ bytes: Data, to file: String) throws {
      for suffix in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: app.fixture.path(file + suffix)) {
        try FileManager.default.removeItem(atPath: app.fixture.path(file + suffix))
      }
      try bytes.write(to: URL(fileURLWithPath: app.fixture.path(file)))
    }

    /// The names of all files of the app that were set aside.
    private var namesOnTheDisk: Set<String> {
      get throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: app.fixture.folder.path)
        return Set(
          names.filter { $0.contains(".damaged-") || $0.contains(".abandoned/") && !$0.contains("/.local-data.") })
      }
    }

    /// The files of the app that contain a text.
    private func files(containing text: String) throws -> [String] {
      // What was removed from a database may be in its log.
      try database.emptyLog()
      let bytes = Data(text.utf8)
      return try FileManager.default.subpathsOfDirectory(atPath: app.fixture.folder.path).filter { name in
        FileManager.default.contents(atPath: app.fixture.path(name))?.range(of: bytes) != nil
      }
    }

    private var database: SQLiteDatabase {
      get throws {
        SQLiteDatabase.shared(
          at: try app.fixture.locations.preferences(suite: nil), .killedProcess,
          schema: UserDefaultsHelper.tables.schema)
      }
    }

    private func path(_ file: Maintenance.SetAsideFile) -> String {
      String(file.url.path.dropFirst(app.fixture.folder.path.count + 1))
    }

    @Test(arguments: [
      (StorageDomain.userDefaults(), "data/preferences/standard.db", false),
      (.appGroupUserDefaults(identifier: "group.probe"), "groups/group.probe/preferences/standard.db", false),
      (.keychain(), "data/keystore.db", true),
      (.keychain(), "data/keystore.key", true),
      (.fileSystem(directory: .documents), "data/.files.location", false),
    ])
    func everyFileIsListedUntilItIsRemoved(_ domain: StorageDomain, _ file: String, _ isKeyLost: Bool) async throws {
      try await setAll("old")
      try write(Data("damaged".utf8), to: file)
      let maintenance = try launch().maintenance
      #expect(try await maintenance.setAsideFiles().isEmpty)
      let result = try await maintenance.setAsideDamaged(domain)
      #expect(result.files.count == 1)
      if isKeyLost { #expect(try await maintenance.abandonEncryptedData().folders.count == 1) }
      let files = try await maintenance.setAsideFiles()
      #expect(Set(files.map(path)) == (try namesOnTheDisk))
      #expect(Set(files.map(\.url)).isSuperset(of: result.files))
      for file in files { #expect(try Data(contentsOf: file.url).count == file.size) }
      #expect(try await maintenance.removeSetAsideFiles(files) == files.count)
      #expect(try namesOnTheDisk.isEmpty)
      #expect(try await maintenance.setAsideFiles().isEmpty)
      #expect(try await maintenance.removeSetAsideFiles(files) == 0)
      // What is stored is untouched.
      let (router, key) = (try launch(), Self.key(of: .files))
      #expect(try await router.get(key) == "old")
    }

    @Test func aRemovedValueIsInNoFileAfterThat() async throws {
      let secret = "a value that the user removes"
      try await setAll(secret)
      // The file is cut short by a page, which leaves the rows on other pages.
      let path = app.fixture.path("data/preferences/standard.db")
      try database.emptyLog()
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      try write(bytes.dropLast(4_096), to: "data/preferences/standard.db")
      let router = try launch()
      #expect(try await router.maintenance.setAsideDamaged(.userDefaults()).files.count == 1)
      for address in ProbeAddress.allCases { try await router.remove(Self.key(of: address)) }
      #expect(try files(containing: secret).count == 1)
      try await router.maintenance.removeSetAsideFiles(try await router.maintenance.setAsideFiles())
      #expect(try files(containing: secret).isEmpty)
    }

    @Test func filesOfOthersAreNotListed() async throws {
      try await setAll("old")
      let id = UUID().uuidString.lowercased()
      let names = [
        "standard.db.damaged-\(id)", ".standard.db.damaged-\(id.uppercased())", ".standard.db.damaged-1",
        ".standard.db.damaged-\(id)-shm", ".standard.db.damaged-\(id).txt",
      ]
      for name in names { try Data().write(to: URL(fileURLWithPath: app.fixture.path("data/preferences/\(name)"))) }
      try FileManager.default.createDirectory(
        atPath: app.fixture.path("data/preferences/.standard.db.damaged-\(id)"), withIntermediateDirectories: false)
      #expect(try await launch().maintenance.setAsideFiles().isEmpty)
    }

    /// The copy of a database is needed until the database is mended.
    @Test func aCopyThatIsStillNeededIsNotRemoved() async throws {
      try await setAll("old")
      try write(Data("damaged".utf8), to: "data/preferences/standard.db")
      let maintenance = try launch().maintenance
      _ = try await maintenance.setAsideDamaged(.userDefaults())
      let files = try await maintenance.setAsideFiles()
      let folder = try app.fixture.locations.preferences(suite: nil).folder
      let lock = try FileLock(in: try folder.openForWriting(lock: "standard.db"), named: "standard.db")
      let activity = try lock.take(until: ContinuousClock.now + .seconds(60))
      let removal = Task { try await maintenance.removeSetAsideFiles(files) }
      try await Task.sleep(for: .milliseconds(200))
      #expect(try namesOnTheDisk.count == 1)
      lock.release(activity)
      #expect(try await removal.value == 1)
    }
  }
#endif
