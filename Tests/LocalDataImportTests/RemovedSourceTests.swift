import Foundation
import LocalData
import LocalDataImport
import LocalDataRecords
import RuntimeTestSupport
import LocalDataSQLite
import Testing

/// The end of a source: removal, sign-out, and another import after a downgrade.
struct RemovedSourceTests {
  private let stores: OldStores

  init() throws { stores = try OldStores() }

  private var isThere: Bool { FileManager.default.fileExists(atPath: stores.notes.path) }

  @Test func aSourceIsRemovedOnlyAfterItsImport() async throws {
    try stores.writeNotes()
    let router = try stores.launch()
    #expect(try await router.imports.removeSources() == ["oldNotes"])
    #expect(!isThere)
    #expect(try await router.notes.count() == 3)
    #expect(try await router.imports.reports().map(\.isSourcePresent) == [false])
  }

  @Test func leftOutRowsKeepTheirSource() async throws {
    try stores.writeNotes(OldStores.noteRows + "INSERT INTO note VALUES (NULL, '', NULL, 1, '', NULL, NULL);")
    let router = try stores.launch()
    #expect(try await router.imports.removeSources() == [])
    #expect(isThere)
    #expect(try await router.imports.removeSources(includingLeftOut: true) == ["oldNotes"])
    #expect(!isThere)
  }

  @Test func signOutRemovesTheOldStoreToo() async throws {
    try stores.writeNotes()
    let router = try stores.launch()
    #expect(try await router.notes.count() == 3)
    try await router.removeAll(in: ImportsCatalog.self)
    #expect(!isThere)
    // An earlier release, to which the user has gone back.
    try stores.writeNotes()
    let later = try stores.launch()
    #expect(try await later.notes.count() == 0)
    #expect(isThere)
    #expect(try await later.imports.reports() == [])
    try await later.imports.runAgain()
    #expect(try await later.notes.count() == 3)
  }

  @Test func aStoreThatWasWrittenAfterSignOutStays() async throws {
    try stores.writeNotes()
    let router = try stores.launch()
    try await router.removeAll(in: ImportsCatalog.self)
    try stores.writeNotes()
    let later = try stores.launch()
    #expect(try await later.imports.removeSources(includingLeftOut: true) == [])
    #expect(isThere)
    try await later.imports.runAgain()
    #expect(try await later.imports.removeSources() == ["oldNotes"])
  }

  @Test func aStoreThatChangedSinceItsImportStays() async throws {
    try stores.writeNotes()
    let router = try stores.launch()
    #expect(try await router.notes.count() == 3)
    let text = String(repeating: "long ", count: 20_000)
    try stores.write("INSERT INTO note VALUES ('d', '\(text)', NULL, 1, '2025-10-09', 1, NULL)", to: stores.notes)
    #expect(try await router.imports.removeSources(includingLeftOut: true) == [])
    #expect(isThere)
    try await router.imports.runAgain()
    #expect(try await router.imports.removeSources() == ["oldNotes"])
    #expect(!isThere)
    #expect(try await router.notes.fetch(id: "d")?.text == text)
  }

  @Test func aSecondRunBringsNoRowsBackAfterSignOut() async throws {
    try stores.writePages("INSERT INTO page VALUES ('one', NULL, NULL);")
    let router = try stores.launch()
    #expect(try await router.pages.count() == 1)
    try await router.removeAll(in: PagesDatabase.self)
    try await router.imports.runAgain()
    #expect(try await router.pages.count() == 0)
    #expect(FileManager.default.fileExists(atPath: stores.pages.path))
  }

  @Test func aSecondRunKeepsTheDuplicatesOfTheFirst() async throws {
    try stores.writeNotes(OldStores.noteRows + "INSERT INTO note VALUES ('a', 't', NULL, 1, '2025-10-09', 1, NULL);")
    let router = try stores.launch()
    #expect(try await router.imports.removeSources() == [])
    try await router.imports.runAgain()
    try await router.imports.runAgain()
    #expect(try await router.imports.removeSources() == [])
    let report = try #require(try await router.imports.reports().first)
    #expect(report.leftOutRows == [LeftOutRow(row: 4, field: "id", reason: .duplicate)])
    #expect(report.leftOut == 1)
  }

  /// The folder of large values of a store of Core Data with the same name.
  @Test func aRemovedTableLeavesTheFoldersOfOthers() async throws {
    try stores.writeNotes()
    let folder = stores.data("documents/Old/.notes_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let value = folder.appendingPathComponent("value")
    try Data([1]).write(to: value)
    #expect(try await stores.launch().imports.removeSources() == ["oldNotes"])
    #expect(!isThere)
    #expect(FileManager.default.fileExists(atPath: value.path))
  }

  @Test func theNextLaunchEndsTheRemoval() async throws {
    try stores.writeNotes()
    let router = try stores.launch()
    #expect(try await router.notes.count() == 3)
    // A folder in the place of the log cannot be removed as a file.
    let log = stores.notes.path + "-wal"
    if FileManager.default.fileExists(atPath: log) { try FileManager.default.removeItem(atPath: log) }
    try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: false)
    await #expect(throws: StorageError.self) { try await router.removeAll(in: NotesDatabase.self) }
    #expect(isThere)
    try FileManager.default.removeItem(atPath: log)
    #expect(try await stores.launch().notes.count() == 0)
    #expect(!isThere)
  }

  @Test func signOutBeforeTheFirstCallImportsNothing() async throws {
    try stores.writeNotes()
    let router = try stores.launch()
    try await router.removeAll(in: NotesDatabase.self)
    #expect(!isThere)
    #expect(try await stores.launch().notes.count() == 0)
  }

  @Test func aSecondRunAddsWhatAnEarlierReleaseHasWritten() async throws {
    try stores.writeNotes()
    let router = try stores.launch()
    try await router.notes.update(id: "a") { $0.text = "changed" }
    try stores.write(
      "UPDATE note SET body = 'older'; INSERT INTO note VALUES ('d', 'four', NULL, 1, '2025-10-09', 1, 'a')",
      to: stores.notes)
    try await router.imports.runAgain()
    #expect(try await router.notes.fetch(id: "a")?.text == "changed")
    #expect(try await router.notes.fetch(id: "d")?.parentID == "a")
    let report = try #require(try await router.imports.reports().first)
    #expect((report.imported, report.kept, report.leftOut) == (4, 3, 0))
  }

  @Test func aRunReportsItsProgress() async throws {
    let rows = (0..<2_500).map { "INSERT INTO note VALUES ('\($0)', 't', NULL, 1, '2025-10-09', 1, NULL);" }
    try stores.writeNotes("BEGIN; \(rows.joined()) COMMIT;")
    let router = try stores.launch()
    let (steps, continuation) = AsyncStream.makeStream(of: ImportProgress.self)
    try await router.imports.run { continuation.yield($0) }
    continuation.finish()
    var completed: [Int] = []
    for await step in steps where step.record == "Note" && step.total == 2_500 { completed.append(step.completed) }
    #expect(completed == [1_000, 2_000, 2_500])
    #expect(try await router.notes.count() == 2_500)
  }

  @Test func aStoreThatIsInUseIsImportedLater() async throws {
    try stores.writeNotes()
    let router = StorageRouter(
      configuration: StorageConfiguration(
        applicationName: "Test", roots: StorageRoots(below: stores.app.fixture.folder), timeout: .milliseconds(500)))
    try router.registerCatalog(ImportsCatalog.self)
    let connection = try SQLiteConnection(path: stores.notes.path, isDurable: false, until: nil, kind: .draft)
    try connection.execute("PRAGMA locking_mode = NORMAL; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE")
    let error = await #expect(throws: StorageError.self) { try await router.notes.count() }
    #expect(error?.code == .busy)
    try connection.execute("COMMIT")
    #expect(try await router.notes.count() == 3)
  }
}
