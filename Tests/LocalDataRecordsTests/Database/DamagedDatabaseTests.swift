import Foundation
@_spi(Generated) import LocalData
@testable import LocalDataMaintenance
import LocalDataRecords
@_spi(Generated) import LocalDataRecords
import ProbeKeys
import RuntimeTestSupport
import LocalDataSQLite
import TestSupport
import Testing

/// Damaged databases of records: a repair makes every call work again, and a sign-out needs none.
struct DamagedDatabaseTests {
  private let app: RelaunchedApp
  private static let domain = StorageDomain.fileSystem(directory: .applicationSupport)

  init() throws { app = try RelaunchedApp() }

  // MARK: Every page

  /// A file of about 200 pages, its rows, and its tables that can be read.
  private struct Seed: Sendable {
    let file: Data
    let ids: [String: [String]]

    static let tables = ["Member", "Visit", "Bill"]
    static let pageSize = 4_096
    var pages: Int { file.count / Self.pageSize }

    static let shared = Task { () async throws -> Seed in
      let app = try RelaunchedApp()
      let router = app.launch()
      try router.registerCatalog(ClubCatalog.self)
      try await router.transaction(in: ClubDatabase.self) { club in
        for number in 0..<400 {
          let text = String(repeating: "\(number).", count: 40)
          try club.members.insert(Member(id: "m\(number)", email: text))
          for visit in 0..<7 {
            try club.visits.insert(
              Visit(member: "m\(number)", at: Date(timeIntervalSince1970: Double(visit)), note: text))
          }
          if number % 2 == 0 { try club.records(Bill.self).insert(Bill(id: number, member: "m\(number)")) }
        }
      }
      let path = try Self.path(in: app)
      try SQLiteConnection(path: path, isDurable: true, until: .now + .seconds(60)).checkpoint(truncating: true)
      return Seed(
        file: try Data(contentsOf: URL(fileURLWithPath: path)), ids: try readable(at: path))
    }

    static func path(in app: RelaunchedApp) throws -> String {
      try app.fixture.locations.folder(of: .directory(.applicationSupport)).path + "/.records/club.db"
    }

    /// Waits until no connection of a released router has a database open. Its files must not be replaced before.
    static func waitForClosing(of path: String) async throws {
      let folder = "/proc/self/fd"
      func isOpen() throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: folder).contains {
          (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)"))?.hasPrefix(path) == true
        }
      }
      while try isOpen() { try await Task.sleep(for: .milliseconds(1)) }
    }

    /// The rows of each table that SQLite reads without a fault.
    static func readable(at path: String) throws -> [String: [String]] {
      var found: [String: [String]] = [:]
      for table in tables {
        do throws(StorageProblem) {
          let connection = try SQLiteConnection(
            path: path, isDurable: true, until: .now + .seconds(60), kind: .damaged)
          var ids: [String] = []
          try connection.rows("SELECT * FROM \(table) NOT INDEXED") { row in
            ids.append(Data(row.blob(0)).base64EncodedString())
            return true
          }
          found[table] = ids.sorted()
        } catch {}
      }
      return found
    }
  }

  /// A part of a file that is overwritten.
  private struct Hole: Sendable, CustomTestStringConvertible {
    var start: Int
    var count: Int
    var byte: UInt8

    var testDescription: String { "\(count) bytes at \(start)" }

    static func pages(_ count: Int) -> [Hole] {
      let pages = (0..<count).map {
        Hole(start: $0 * Seed.pageSize, count: Seed.pageSize, byte: $0 % 2 == 0 ? 0 : 0x55)
      }
      return Array(pages.prefix(2)) + Sweep.sample(Array(pages.dropFirst(2)), quick: 3)
    }
  }

  private func write(_ file: Data, damagedAt hole: Hole) throws -> String {
    let path = try Seed.path(in: app)
    let folder = (path as NSString).deletingLastPathComponent
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    var bytes = file
    bytes.replaceSubrange(hole.start..<hole.start + hole.count, with: repeatElement(hole.byte, count: hole.count))
    #expect(FileManager.default.createFile(atPath: path, contents: bytes, attributes: [.posixPermissions: 0o600]))
    return path
  }

  private func launch() throws -> StorageRouter {
    let router = app.launch()
    try router.registerCatalog(ClubCatalog.self)
    return router
  }

  /// Reads all rows, and uses the database.
  private func ids(on router: StorageRouter) async throws -> [String: [String]] {
    var found = ["Member": try await router.members.fetchAll().map { Data($0.id.utf8).base64EncodedString() }.sorted()]
    found["Visit"] = try await router.visits.fetchAll().map { visit in
      withUnsafeBytes(of: visit.id.uuid) { Data($0).base64EncodedString() }
    }.sorted()
    found["Bill"] = try await router.bills.fetchAll().map { Data("\($0.id)".utf8).base64EncodedString() }.sorted()
    return found
  }

  private func expectUsable(_ router: StorageRouter, _ comment: Comment) async throws {
    try await router.members.save(Member(id: "new", email: "new"))
    try await router.visits.save(Visit(member: "new", at: .now))
    #expect(try await router.visits.where { $0.member == "new" }.count() == 1, comment)
    try await router.members.delete(id: "new")
    #expect(try await router.visits.where { $0.member == "new" }.count() == 0, comment)
  }

  @Test func eachPageCanBeLost() async throws {
    let seed = try await Seed.shared.value
    #expect((150...260).contains(seed.pages), "\(seed.pages)")
    for hole in [Hole(start: 0, count: 100, byte: 0)] + Hole.pages(seed.pages) {
      let path = try write(seed.file, damagedAt: hole)
      let before = try Seed.readable(at: path)
      let router = try launch()
      let result = try await router.maintenance.setAsideDamaged(Self.domain)
      let after = try await ids(on: router)
      let lost = Set(seed.ids["Member"] ?? []).subtracting(after["Member"] ?? [])
      for table in Seed.tables {
        let (kept, all) = (after[table] ?? [], seed.ids[table] ?? [])
        #expect(Set(kept).isSubset(of: all), "\(hole): \(table)")
        // A table that can be read is whole, except for the rows that refer to lost ones.
        if before[table] == all, lost.isEmpty || table == "Member" { #expect(kept == all, "\(hole): \(table)") }
        if hole.count == 100 { #expect(kept == all, "\(table)") }
        let record = result.records.first { $0.record.key == table }
        if !result.files.isEmpty {
          #expect(
            record?.kept == kept.count && record?.isWhole == (kept == all),
            "\(hole): \(table) \(String(describing: record))")
          #expect(result.affected.contains { $0.key == table } == (kept != all), "\(hole): \(table)")
        }
      }
      try await expectUsable(router, "\(hole)")
      #expect(try await launch().maintenance.setAsideDamaged(Self.domain) == .init(), "\(hole): it is still damaged")
      let connection = try SQLiteConnection(path: path, isDurable: true, until: .now + .seconds(60))
      #expect(try connection.first("PRAGMA integrity_check") { $0.text(0) } == "ok", "\(hole)")
    }
  }

  @Test func aSignOutSucceedsWhateverPageIsLost() async throws {
    let seed = try await Seed.shared.value
    for hole in [Hole(start: 0, count: 100, byte: 0)] + Hole.pages(seed.pages) {
      _ = try write(seed.file, damagedAt: hole)
      let router = try launch()
      try await router.removeAll(in: ClubCatalog.self)
      #expect(try await ids(on: router) == ["Member": [], "Visit": [], "Bill": []], "\(hole)")
      try await expectUsable(router, "\(hole)")
      #expect(try await launch().members.count() == 0, "\(hole)")
    }
  }

  // MARK: Other damage

  private func fill() async throws -> StorageRouter {
    let router = try launch()
    for id in ["a", "b"] {
      try await router.members.save(Member(id: id, email: id))
      try await router.visits.save(Visit(member: id, at: .now))
      try await router.bills.save(Bill(id: id == "a" ? 1 : 2, member: id))
    }
    return router
  }

  private func change(_ sql: String) throws {
    let path = try Seed.path(in: app)
    let connection = try SQLiteConnection(path: path, isDurable: true, until: .now + .seconds(60), kind: .draft)
    try connection.execute(sql)
  }

  @Test func anEmptyFileIsSetAside() async throws {
    _ = try await fill()
    let path = try Seed.path(in: app)
    try await Seed.waitForClosing(of: path)
    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    try Data().write(to: URL(fileURLWithPath: path))
    let router = try launch()
    let damaged = StorageError(.databaseDamaged, .init(key: "Member", domain: .fileSystem))
    #expect(await storageError { try await router.members.fetchAll() } == damaged)
    let result = try await router.maintenance.setAsideDamaged(Self.domain)
    #expect(result.files.count == 1 && result.records.map(\.isWhole) == [false, false, false])
    #expect(try await router.members.count() == 0)
    try await expectUsable(router, "")
  }

  @Test(arguments: [
    ("DROP TABLE Visit", [2, 0, 2]),
    ("DELETE FROM local_data", [2, 2, 2]),
    ("UPDATE local_data SET value = '{' WHERE name = 'shape'", [2, 2, 2]),
    ("CREATE TRIGGER t AFTER INSERT ON Bill BEGIN DELETE FROM Member; END", [2, 2, 2]),
    ("CREATE VIEW v AS SELECT 1", [2, 2, 2]),
    ("INSERT INTO local_data_keys VALUES (-1, x'00', 0)", [2, 2, 2]),
    ("PRAGMA foreign_keys = OFF; DELETE FROM Member WHERE id = 'a'", [1, 1, 1]),
  ]) func whatSQLiteCanReadStays(_ sql: String, _ counts: [Int]) async throws {
    _ = try await fill()
    try change(sql)
    let router = try launch()
    #expect(try await router.maintenance.setAsideDamaged(Self.domain).files.count == 1)
    let found = [try await router.members.count(), try await router.visits.count(), try await router.bills.count()]
    #expect(found == counts)
    try await expectUsable(router, "")
    #expect(try await launch().maintenance.setAsideDamaged(Self.domain) == .init())
  }

  @Test func anotherProcessSeesTheRepairAsACommit() async throws {
    let other = try await fill()
    #expect(try await other.members.count() == 2)
    try change("PRAGMA foreign_keys = OFF; DELETE FROM Member WHERE id = 'a'")
    _ = try await launch().maintenance.setAsideDamaged(Self.domain)
    #expect(try await other.bills.fetchAll().map(\.id) == [2])
    try await other.bills.save(Bill(id: 3, member: "b"))
    #expect(try await launch().bills.fetchAll().map(\.id) == [2, 3])
  }

  @Test func nothingChangesWithoutDamage() async throws {
    let router = try await fill()
    #expect(try await router.maintenance.setAsideDamaged(Self.domain) == .init())
    #expect(try await router.maintenance.abandonEncryptedData() == .init())
    #expect(try await router.maintenance.setAsideFiles().isEmpty)
    #expect(try await router.bills.count() == 2)
  }

  @Test func theCopyIsListedAndRemoved() async throws {
    _ = try await fill()
    try change("DROP TABLE Visit")
    let router = try launch()
    let result = try await router.maintenance.setAsideDamaged(Self.domain)
    let files = try await router.maintenance.setAsideFiles()
    // There may be a log too.
    #expect(files.map(\.url.path).contains(try #require(result.files.first).path))
    #expect(try await router.maintenance.removeSetAsideFiles(files) == files.count)
    #expect(try await router.maintenance.setAsideFiles().isEmpty)
  }

  /// The first call of the second release would move the database.
  @Test func aDamagedFileAtAnEarlierAddressIsNoDeadEnd() async throws {
    for isSignOut in [true, false] {
      let app = try RelaunchedApp()
      try await app.launch().cards(ProbeWallet.One.self).save(ProbeCard("a"))
      let names = try FileManager.default.subpathsOfDirectory(atPath: app.fixture.folder.path)
      let path = app.fixture.path(try #require(names.first { $0.hasSuffix(".db") && $0.contains(".records") }))
      try await Seed.waitForClosing(of: path)
      for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
      try Data(repeating: 3, count: 9_000).write(to: URL(fileURLWithPath: path))
      let router = app.launch()
      let cards = try router.cards(ProbeWallet.Two.self)
      await #expect(throws: StorageError.self) { try await cards.fetchAll() }
      if isSignOut {
        try await router.removeAll(in: ProbeWallet.Two.self)
      } else {
        let domain = ProbeWallet.Two.declaration.domain
        #expect(try await router.maintenance.setAsideDamaged(domain).files.count == 1)
      }
      #expect(try await cards.fetchAll() == [])
      try await cards.save(ProbeCard("b"))
      #expect(try await app.launch().cards(ProbeWallet.Two.self).fetchAll().map(\.id) == ["b"])
    }
  }
}
