@testable import LocalDataStores
@testable import LocalDataSystem
#if os(Linux)
  import Foundation
  import LocalDataTesting
  import ProbeKeys
  import RuntimeTestSupport
  import LocalDataVocabulary
  import TestSupport
  import Testing

  @testable import LocalData
  @testable import LocalDataMaintenance

  /// One damaged page of a large database costs the values on that page alone, and several cost those between them.
  @Suite(.findsHangs) struct SalvageTests {
    let app: RelaunchedApp

    init() throws { app = try RelaunchedApp() }

    private static let count = 10_000
    private static let sealed = [ProbeAddress.sealedPreferences, .encryptedFiles]

    // MARK: Rowids and indexes

    /// One bit of a rowid costs at most one row: that one, or the one whose rowid it has now. SQLite reads the rows out of order
    /// then.
    @Test(arguments: Sweep.sample([3_000, 6_000, 9_990], quick: 1))
    func aDamagedRowidCostsItsRow(_ number: Int) async throws {
      let database = try await seedPreferences()
      let rows = try database.rows()
      let damaged = try database.damageRowid(of: number)
      let (lost, affected) = try await mend(database, .userDefaults(), rows, damaged)
      #expect(lost.count <= 1, "\(lost)")
      try await expect(lost, affected, .userDefaults(), isWhole: false)
    }

    /// Nothing can be read of it, and all of its bytes are kept.
    @Test func aFileOfLessThanAPageIsSetAsideWhole() async throws {
      let database = try await seedPreferences()
      let damaged = try database.change { $0 = $0.prefix(3_000) }
      let result = try await launch(.userDefaults()).maintenance.setAsideDamaged(.userDefaults())
      #expect(try result.files.map { try Data(contentsOf: $0) } == [damaged])
      #expect(result.affected.count >= Self.registered.count)
      #expect(!FileManager.default.fileExists(atPath: database.path))
      #expect(try database.names().filter { $0.contains(".damaged-") }.count == 1)
      #expect(try await launch(.userDefaults()).maintenance.setAsideDamaged(.userDefaults()) == Maintenance.SetAside())
    }

    /// One bit of an entry of the index costs nothing: the rows say what they are.
    @Test func aDamagedEntryOfTheIndexCostsNothing() async throws {
      let database = try await seedPreferences()
      let rows = try database.rows()
      let damaged = try database.damageIndexRowid(of: 3_000)
      let (lost, affected) = try await mend(database, .userDefaults(), rows, damaged)
      #expect(lost == [])
      #expect(affected == [])
    }

    /// Neither end of the table can be read.
    @Test func bothEndsOfATable() async throws {
      let database = try await seedPreferences()
      let leaves = try [0, Self.count - 1].map { try database.number(ofLeafWith: "v\($0).v\($0).") }
      let damaged = try database.change { bytes in for page in leaves { bytes.overwrite(page) } }
      let result = try await launch(.userDefaults()).maintenance.setAsideDamaged(.userDefaults())
      #expect(try result.files.map { try Data(contentsOf: $0) } == [damaged])
      #expect(!FileManager.default.fileExists(atPath: database.path))
      #expect(result.affected.count == Self.registered.count + 3)
    }

    // MARK: Parts

    private static func key(_ number: Int, _ domain: StorageDomain) -> StorageKey<String?> {
      StorageKey<String?>(
        name: SalvageFixture.name(number), domain: domain, security: domain.kind == .keychain ? .keychain() : .none,
        owner: "Tests", description: "A text.")
    }

    private static func never(_ domain: StorageDomain) -> StorageKey<String?> {
      StorageKey<String?>(
        name: "never", domain: domain, security: domain.kind == .keychain ? .keychain() : .none, owner: "Tests",
        description: "A text that was never stored.")
    }

    /// The numbers of the values whose keys are registered.
    private static let registered = Array(stride(from: 0, to: count, by: 20))

    private func launch(_ domain: StorageDomain) throws -> StorageRouter {
      let router = app.launch()
      try router.register(
        Self.registered.map { .key(Self.key($0, domain)) } + [.key(Self.never(domain))]
          + ProbeAddress.allCases.map { .key($0.retained) })
      return router
    }

    private func seedPreferences() async throws -> SalvageFixture {
      try await Self.preferences.value.restore(in: app)
      return SalvageFixture.preferences(app)
    }

    private func seedKeystore() async throws -> SalvageFixture {
      try await Self.keystore.value.restore(in: app)
      return SalvageFixture.keystore(app)
    }

    /// The files of seeded apps, made once, because it takes seconds.
    private static let preferences = Task {
      try await SalvageSeed { app in
        let connection = try SalvageFixture.preferences(app).connection()
        try connection.execute("BEGIN")
        for number in 0..<count {
          try connection.run(
            "INSERT INTO preference VALUES (?, 1, ?)",
            [.text(SalvageFixture.name(number)), .blob(Data("\"\(SalvageFixture.value(number))\"".utf8))])
        }
        try connection.execute("COMMIT")
      }
    }

    private static let keystore = Task {
      try await SalvageSeed { app in
        let container = try StorageContainer(
          .keychain(), StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: app.fixture.folder)))
        let items = (0..<count).map { number in
          StorageItem(
            address: StorageAddress(container: container, name: SalvageFixture.name(number)),
            attributes: StorageAttributes())
        }
        try KeychainHelper(in: app.fixture.locations.appFolder).updateAll(items, in: container) { _ in
          (0..<count).map { .write(Data("\"\(SalvageFixture.value($0))\"".utf8)) }
        }
      }
    }

    /// Sets the domain aside, and returns the keys of lost rows. What is left must be as it was.
    private func mend(
      _ database: SalvageFixture, _ domain: StorageDomain, _ rows: [[String]: Data], _ damaged: Data
    ) async throws -> (lost: Set<[String]>, affected: [StorageError.Subject]) {
      let result = try await launch(domain).maintenance.setAsideDamaged(domain)
      let copy = try #require(result.files.first)
      #expect(result.files.count == 1)
      #expect(try Data(contentsOf: copy) == damaged)
      #expect(try database.drafts() == [])
      let left = try database.rows()
      #expect(left.filter { rows[$0.key] != $0.value } == [:])
      #expect(try database.connection().first("PRAGMA integrity_check") { $0.text(0) } == "ok")
      #expect(try await launch(domain).maintenance.setAsideDamaged(domain) == Maintenance.SetAside())
      return (Set(rows.keys).subtracting(left.keys), result.affected)
    }

    /// - Parameter isWhole: False if the repair has found that rows may be lost. Then every absent key is affected.
    private func expect(
      _ lost: Set<[String]>, _ affected: [StorageError.Subject], _ domain: StorageDomain, isWhole: Bool
    ) async throws {
      let names = Set(lost.compactMap(\.last))
      let numbers = Set(Self.registered.filter { names.contains(SalvageFixture.name($0)) })
      #expect(Set(affected.compactMap(\.key)) == Set(numbers.map(SalvageFixture.name) + (isWhole ? [] : ["never"])))
      let router = try launch(domain)
      for number in Self.registered {
        let found = try await router.get(Self.key(number, domain))
        #expect(found == (numbers.contains(number) ? nil : SalvageFixture.value(number)), "\(number)")
      }
      for number in numbers.prefix(3) {
        try await router.set("new", for: Self.key(number, domain))
        #expect(try await launch(domain).get(Self.key(number, domain)) == "new")
      }
    }

    private func expectProbes(_ value: String?, _ addresses: [ProbeAddress] = ProbeAddress.allCases) async throws {
      let router = try launch(.userDefaults())
      for address in addresses { #expect(try await router.get(address.retained) == value, "\(address)") }
    }

    /// The number of rows that a damaged page costs.
    private static func losses(_ page: SalvageFixture.Page) -> ClosedRange<Int> {
      switch page {
      case .tableLeaf: 5...60
      case .tableInterior: 60...(count - 500)
      case .overflow: 1...1
      case .indexLeaf, .indexInterior, .indexRoot, .tableRoot: 0...0
      }
    }

    // MARK: One page

    @Test(arguments: Sweep.sample(SalvageFixture.Page.allCases.filter { $0 != .tableRoot }, quick: 2))
    func aPageOfPreferences(_ page: SalvageFixture.Page) async throws {
      let database = try await seedPreferences()
      let rows = try database.rows()
      #expect(rows.count == Self.count + 2)
      let damaged = try database.damage(page)
      let (lost, affected) = try await mend(database, .userDefaults(), rows, damaged)
      #expect(Self.losses(page).contains(lost.count), "\(lost.count)")
      try await expect(lost, affected, .userDefaults(), isWhole: lost.isEmpty)
      try await expectProbes("old")
    }

    @Test(arguments: Sweep.sample(SalvageFixture.Page.allCases.filter { $0 != .tableRoot }, quick: 2))
    func aPageOfTheKeystore(_ page: SalvageFixture.Page) async throws {
      let database = try await seedKeystore()
      let (rows, root) = (try database.rows(), try database.content(of: "id, source, wrapped", "root"))
      // The records of the master key, and of the group's, are in it too.
      #expect(rows.count >= Self.count + 2)
      let damaged = try database.damage(page)
      let (lost, affected) = try await mend(database, .keychain(), rows, damaged)
      #expect(Self.losses(page).contains(lost.count), "\(lost.count)")
      #expect(try database.content(of: "id, source, wrapped", "root") == root)
      try await expect(lost, affected, .keychain(), isWhole: lost.isEmpty)
      try await expectProbes("old")
      #expect(try await launch(.keychain()).maintenance.abandonEncryptedData() == .init())
    }

    /// Nothing but the names in the index is left.
    @Test func theRootPageOfTheTable() async throws {
      let database = try await seedPreferences()
      let damaged = try database.damage(.tableRoot)
      let result = try await launch(.userDefaults()).maintenance.setAsideDamaged(.userDefaults())
      #expect(try Data(contentsOf: try #require(result.files.first)) == damaged)
      #expect(result.affected.count == Self.registered.count + 3)
      try await expectProbes(nil, [.preferences, .sealedPreferences])
      try await launch(.userDefaults()).set("new", for: ProbeAddress.preferences.retained)
      try await expectProbes("new", [.preferences])
    }

    @Test func theRowOfTheRootKey() async throws {
      let database = try await seedKeystore()
      let number = try #require(
        try database.connection().first("SELECT rootpage FROM sqlite_master WHERE name = 'root'") { Int($0.integer(0)) }
      )
      let damaged = try database.change { $0.overwrite(number) }
      let result = try await launch(.keychain()).maintenance.setAsideDamaged(.keychain())
      #expect(try Data(contentsOf: try #require(result.files.first)) == damaged)
      #expect(!FileManager.default.fileExists(atPath: app.fixture.path("data/keystore.key")))
      // Every key of the keychain, and those whose values the lost master key has encrypted.
      #expect(result.affected.count == Self.registered.count + 4)
      #expect(try await launch(.keychain()).maintenance.abandonEncryptedData().keys.count == 2)
      try await launch(.keychain()).set("new", for: ProbeAddress.encryptedFiles.retained)
      try await expectProbes("new", [.encryptedFiles])
    }

    /// Rows can be read, and none of them can be decrypted.
    @Test(arguments: [100, 100_000]) func aKeystoreThatIsCutShortAndHasLostItsKey(_ count: Int) async throws {
      let database = try await seedKeystore()
      let damaged = try database.change { $0.removeLast(count) }
      try FileManager.default.removeItem(atPath: app.fixture.path("data/keystore.key"))
      let result = try await launch(.keychain()).maintenance.setAsideDamaged(.keychain())
      #expect(try result.files.map { try Data(contentsOf: $0) } == [damaged])
      #expect(result.affected.count == Self.registered.count + 4)
      #expect(!FileManager.default.fileExists(atPath: database.path))
      #expect(try database.drafts() == [])
      #expect(try await launch(.keychain()).maintenance.abandonEncryptedData().keys.count == 2)
      for address in Self.sealed + [.keychain] { try await launch(.keychain()).set("new", for: address.retained) }
      try await expectProbes("new", Self.sealed + [.keychain])
    }

    /// The values of the keychain stay; those that the lost master key has encrypted are named, and can be abandoned.
    @Test func thePageOfTheMasterKey() async throws {
      let database = try await seedKeystore()
      let rows = try database.rows()
      let number = try database.number(ofLeafWith: "MasterKey")
      let damaged = try database.change { $0.overwrite(number) }
      let (lost, affected) = try await mend(database, .keychain(), rows, damaged)
      #expect(Self.losses(.tableLeaf).contains(lost.count))
      #expect(Set(affected).isSuperset(of: Self.sealed.map { AnyStorageKey($0.retained).subject }))
      #expect(affected.count < 20)
      for address in Self.sealed {
        await #expect(throws: StorageError(.keyMaterialMissing, AnyStorageKey(address.retained).subject)) {
          try await launch(.keychain()).get(address.retained)
        }
      }
      #expect(try await launch(.keychain()).maintenance.abandonEncryptedData().keys.count == 2)
      for address in Self.sealed { try await launch(.keychain()).set("new", for: address.retained) }
      try await expectProbes("new", Self.sealed)
    }

    // MARK: More damage

    /// The rows between two damaged pages are lost, and no others.
    @Test func twoPages() async throws {
      let database = try await seedPreferences()
      let rows = try database.rows()
      let leaves = try [3_000, 6_000].map { try database.number(ofLeafWith: "v\($0).v\($0).") }
      let damaged = try database.change { bytes in for leaf in leaves { bytes.overwrite(leaf) } }
      let (lost, affected) = try await mend(database, .userDefaults(), rows, damaged)
      let names = Set(lost.compactMap(\.first))
      #expect(names.isSuperset(of: (3_000...6_000).map(SalvageFixture.name)))
      #expect(names.isDisjoint(with: (Array(0..<2_900) + (6_100..<Self.count)).map(SalvageFixture.name)))
      try await expect(lost, affected, .userDefaults(), isWhole: false)
    }

    /// Also in a page, whose missing bytes SQLite would read as zeros.
    @Test(arguments: Sweep.sample([0, 100, 2_000, 4_000], quick: 1))
    func aFileThatIsCutShort(inPage count: Int) async throws {
      let database = try await seedPreferences()
      let rows = try database.rows()
      let damaged = try database.change { bytes in
        bytes = Data(bytes.prefix(bytes.count / SalvageFixture.pageSize * 9 / 10 * SalvageFixture.pageSize + count))
      }
      let (lost, _) = try await mend(database, .userDefaults(), rows, damaged)
      #expect((Self.count / 20...Self.count / 5).contains(lost.count), "\(lost.count)")
    }

    /// SQLite finds no damage in such a file, and reads zeros as the end of a value.
    @Test func aFileWhoseLastPageIsCutShort() async throws {
      let database = try await seedPreferences()
      let rows = try database.rows()
      let damaged = try database.change { $0.removeLast(100) }
      let (lost, _) = try await mend(database, .userDefaults(), rows, damaged)
      #expect((0...60).contains(lost.count), "\(lost.count)")
    }

    /// A bit of a name. A row is what its bytes say, whatever the index says.
    @Test(arguments: [true, false]) func aNameThatHasChanged(isInTable: Bool) async throws {
      let database = try await seedPreferences()
      var rows = try database.rows()
      let (name, other) = (SalvageFixture.name(40), "kez" + SalvageFixture.name(40).dropFirst(3))
      let damaged = try database.change { bytes in
        let page = try #require(
          (2...(bytes.count / SalvageFixture.pageSize)).first { number in
            bytes.page(number).first == (isInTable ? 0x0d : 0x0a)
              && bytes.page(number).range(of: Data(name.utf8)) != nil
          })
        let start = (page - 1) * SalvageFixture.pageSize
        let range = try #require(bytes.range(of: Data(name.utf8), in: start..<(start + SalvageFixture.pageSize)))
        bytes.replaceSubrange(range, with: Data(other.utf8))
      }
      if isInTable { rows[[other]] = rows.removeValue(forKey: [name]) }
      let (lost, affected) = try await mend(database, .userDefaults(), rows, damaged)
      #expect(lost == [])
      #expect(affected == [])
      let found = try await launch(.userDefaults()).get(Self.key(40, .userDefaults()))
      #expect(found == (isInTable ? nil : SalvageFixture.value(40)))
    }

    /// The value of a key that was not migrated yet was in the row. The key may be stored in another domain.
    @Test(arguments: [StorageDomain.userDefaults(), .fileSystem(directory: .documents)])
    func aRowOfAMigrationsSource(_ domain: StorageDomain) async throws {
      let database = try await seedPreferences()
      let leaf = try database.number(of: .tableLeaf)
      let page = try database.page(leaf)
      let others = Set(0..<Self.count).subtracting(Self.registered)
      let lost = try #require(others.first { page.range(of: Data(SalvageFixture.name($0).utf8)) != nil })
      let source = Self.key(lost, .userDefaults())
      let key = StorageKey<String?>(
        name: "moved", domain: domain, security: .none, owner: "Tests", description: "A text.",
        migration: { key in
          AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(source)))
        })
      try database.change { $0.overwrite(leaf) }
      let router = app.launch()
      try router.register([.key(key), .key(Self.never(.userDefaults()))])
      let affected = try await router.maintenance.setAsideDamaged(.userDefaults()).affected.compactMap(\.key)
      #expect(Set(affected) == ["moved", "never"])
      #expect(try await router.get(key) == nil)
    }

    /// Values of a row of another type are damaged, and are not stored as something else.
    @Test func aRowOfOtherTypes() async throws {
      let database = try await seedPreferences()
      let connection = try database.connection()
      try connection.run("UPDATE preference SET bytes = 7 WHERE name = ?", [.text(SalvageFixture.name(20))])
      let rows = try database.rows()
      let damaged = try database.damage(.indexRoot)
      let result = try await launch(.userDefaults()).maintenance.setAsideDamaged(.userDefaults())
      #expect(try Data(contentsOf: try #require(result.files.first)) == damaged)
      #expect(Set(rows.keys).subtracting(try database.rows().keys) == [[SalvageFixture.name(20)]])
      #expect(Set(result.affected.compactMap(\.key)) == [SalvageFixture.name(20), "never"])
    }

    // MARK: Others

    /// The log has newer values than the file. Both are kept, and the newer ones stay.
    @Test func valuesInTheLogStay() async throws {
      let database = try await seedPreferences()
      let damaged = try database.damage(.tableLeaf)
      // It stays open, so that the log is not emptied.
      let open = try database.connection()
      let newer = Data("\"newer\"".utf8)
      try open.run(
        "UPDATE preference SET bytes = ? WHERE name = ?", [.blob(newer), .text(ProbeAddress.preferences.retained.name)])
      let log = try Data(contentsOf: URL(fileURLWithPath: database.path + "-wal"))
      #expect(!log.isEmpty)
      let result = try await launch(.userDefaults()).maintenance.setAsideDamaged(.userDefaults())
      let copy = try #require(result.files.first)
      #expect(try Data(contentsOf: copy) == damaged)
      #expect(try Data(contentsOf: URL(fileURLWithPath: copy.path + "-wal")).starts(with: log))
      #expect(try database.rows()[[ProbeAddress.preferences.retained.name]] == newer)
      withExtendedLifetime(open) {}
    }

    /// A connection that reads meanwhile, as another process has it, sees the old content and then the new one.
    @Test func aReaderSeesTheContentBeforeOrAfter() async throws {
      let database = try await seedPreferences()
      let rows = try database.rows()
      try database.damage(.tableLeaf)
      let (reader, name) = (try database.connection(), ProbeAddress.preferences.retained.name)
      func read() throws -> Data? {
        try reader.first("SELECT bytes FROM preference WHERE name = ?", [.text(name)]) { $0.blob(0) }
      }
      try reader.run("BEGIN")
      #expect(try read() == rows[[name]])
      let other = try launch(.userDefaults())
      #expect(try await other.get(ProbeAddress.preferences.retained) == "old")
      #expect(try await launch(.userDefaults()).maintenance.setAsideDamaged(.userDefaults()).files.count == 1)
      try await launch(.userDefaults()).set("new", for: ProbeAddress.preferences.retained)
      #expect(try read() == rows[[name]])
      try reader.run("COMMIT")
      #expect(try read() != rows[[name]])
      #expect(!reader.hasMoved)
      #expect(try await other.get(ProbeAddress.preferences.retained) == "new")
      try await other.set("newer", for: ProbeAddress.preferences.retained)
      try await expectProbes("newer", [.preferences])
    }

    /// An index that is damaged keeps encrypted values from being used. The error names the key's domain, and that mends it.
    @Test func theIndexOfTheKeystoreIsMendedForAnyDomain() async throws {
      let database = try await seedKeystore()
      try database.damage(.indexRoot)
      let key = ProbeAddress.encryptedFiles.retained
      await #expect(throws: StorageError(.databaseDamaged, AnyStorageKey(key).subject)) {
        try await launch(.keychain()).get(key)
      }
      let result = try await launch(.keychain()).maintenance.setAsideDamaged(key.domain)
      #expect(result.files.count == 1)
      #expect(result.affected == [])
      try await expectProbes("old")
    }

    @Test func rowsThatWereMovedAsideStay() async throws {
      let database = try await seedKeystore()
      let helper = KeychainHelper(in: app.fixture.locations.appFolder)
      let container = try StorageContainer(
        .keychain(), StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: app.fixture.folder)))
      try helper.setAsideDamaged(StorageAddress(container: container, name: SalvageFixture.name(7)))
      let moved = try database.content(of: "*", "damaged_item")
      #expect(moved.count == 5)
      let rows = try database.rows()
      let damaged = try database.damage(.tableLeaf)
      _ = try await mend(database, .keychain(), rows, damaged)
      #expect(try database.content(of: "*", "damaged_item") == moved)
    }
  }
#endif
