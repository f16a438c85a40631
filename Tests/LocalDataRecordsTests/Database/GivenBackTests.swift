import Foundation
@_spi(Generated) import LocalData
import LocalDataMaintenance
@_spi(Generated) @testable import LocalDataRecords
import ProbeKeys
import RuntimeTestSupport
import LocalDataSQLite
import LocalDataSystem
import Testing

/// The space that databases of records give back.
struct GivenBackTests {
  private let app: RelaunchedApp

  init() throws { app = try RelaunchedApp() }

  private var path: String { app.fixture.path("data/documents/.records/probe.db") }

  private func launch() throws -> StorageRouter {
    let router = app.launch()
    try router.registerCatalog(ProbeRecordCatalog<ProbeFolder>.self)
    return router
  }

  /// Stores folders of 200 KB in one commit.
  private func fill(_ router: StorageRouter, _ count: Int) async throws {
    let text = String(repeating: "t", count: 200_000)
    try await router.transaction(in: ProbeFolder.Database.self) { probe in
      for id in 0..<count { try probe.folders.save(ProbeFolder(id: "\(id)", text: text)) }
    }
  }

  /// The sizes of the file and its log.
  private func sizes() throws -> (file: Int, log: Int) {
    let sizes = try ["", "-wal"].map { suffix in
      try FileManager.default.attributesOfItem(atPath: path + suffix)[.size] as? Int ?? 0
    }
    return (sizes[0], sizes[1])
  }

  @Test func aSweepGivesBackDeletedRows() async throws {
    let router = try launch()
    try await fill(router, 60)
    try await router.folders.save(ProbeFolder(id: "kept", text: "kept"))
    try await router.folders.where { $0.text != "kept" }.delete()
    let before = try sizes()
    #expect(before.file + before.log > 12_000_000)
    let found = await router.maintenance.databases()
    #expect(found.first?.size == before.file + before.log)
    #expect(await router.maintenance.sweep().failures == [])
    let after = try sizes()
    #expect(after.log == 0 && after.file < 100_000, "\(after)")
    #expect(try await launch().folders.fetchAll().map(\.id) == ["kept"])
  }

  /// Also on Apple's platforms, where no other sweep looks for them.
  @Test func draftsOfAKilledRepairAreRemoved() async throws {
    let router = try launch()
    try await fill(router, 1)
    let drafts = [".probe.db.new", ".probe.db.copy.new-wal"].map { app.fixture.path("data/documents/.records/" + $0) }
    for draft in drafts { #expect(FileManager.default.createFile(atPath: draft, contents: Data("plain".utf8))) }
    let store = try RecordStore.of(ProbeFolder.Database.self, on: router)
    try await store.onFile { (file) throws(StorageProblem) in try file.giveBackPages() }
    #expect(!drafts.contains { FileManager.default.fileExists(atPath: $0) })
    #expect(try await router.folders.count() == 1)
  }

  /// A file of an earlier release cannot give back single pages.
  @Test func aFileOfAnEarlierReleaseIsWrittenAnew() async throws {
    let router = try launch()
    try await fill(router, 2)
    let old = try SQLiteConnection(path: path, isDurable: true, until: .now + .seconds(60), kind: .draft)
    try old.execute("PRAGMA auto_vacuum = NONE; VACUUM")
    #expect(try old.first("PRAGMA auto_vacuum") { $0.integer(0) } == 0)
    try await fill(router, 30)
    // Not much is free.
    try await router.folders.delete(id: "29")
    _ = await router.maintenance.sweep()
    let unchanged = try sizes().file
    #expect(unchanged > 5_800_000)
    try await router.folders.where { $0.text != "" }.delete()
    try await router.folders.save(ProbeFolder(id: "kept", text: "kept"))
    #expect(await router.maintenance.sweep().failures == [])
    let anew = try sizes()
    #expect(anew.file < 100_000 && anew.log == 0, "\(anew)")
    #expect(try await router.folders.fetchAll().map(\.id) == ["kept"])
    // From now on single pages are given back.
    try await fill(router, 10)
    for id in 0..<8 { try await router.folders.delete(id: "\(id)") }
    _ = await router.maintenance.sweep()
    let inSteps = try sizes().file
    #expect((400_000...700_000).contains(inSteps), "\(inSteps)")
    let left = try FileManager.default.contentsOfDirectory(atPath: (path as NSString).deletingLastPathComponent)
    #expect(!left.contains { $0.contains(".new") })
  }

  @Test func aNewFileAfterASignOutGivesBackToo() async throws {
    let router = try launch()
    try await fill(router, 1)
    try await router.removeAll(in: ProbeFolder.Database.self)
    try await fill(router, 10)
    for id in 0..<9 { try await router.folders.delete(id: "\(id)") }
    _ = await router.maintenance.sweep()
    let file = try sizes().file
    #expect(file < 400_000, "\(file)")
  }

  @Test func theLogIsShortenedAfterALargeCommit() async throws {
    let router = try launch()
    try await fill(router, 80)
    let long = try sizes().log
    #expect(long > 12_000_000)
    let file = try SQLiteConnection(path: path, isDurable: true, until: .now + .seconds(60))
    try file.checkpoint(truncating: false)
    try await router.folders.save(ProbeFolder(id: "small", text: "small"))
    let short = try sizes().log
    #expect(short <= 9 << 20, "\(short)")
  }

  @Test func nothingIsCreated() async throws {
    #expect(await (try launch()).maintenance.sweep().failures == [])
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
