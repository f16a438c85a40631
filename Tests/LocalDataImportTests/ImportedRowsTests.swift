import Foundation
import LocalData
import LocalDataImport
import LocalDataRecords
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataSQLite
import Testing

/// Rows of tables that another library has written.
struct ImportedRowsTests {
  private let stores: OldStores

  init() throws { stores = try OldStores() }

  @Test func rowsBecomeRecords() async throws {
    try stores.writeNotes()
    let router = try stores.launch()
    let notes = try await router.notes.order { $0.id.ascending }.fetchAll()
    let written = Date(timeIntervalSince1970: 1_760_000_000)
    #expect(
      notes == [
        Note(
          id: "a", text: "one", mood: .calm, written: written.addingTimeInterval(0.125), size: 4, parentID: "b"),
        Note(id: "b", text: "two", mood: nil, stars: 5, written: written, size: nil, parentID: nil),
        Note(
          id: "c", text: "three", mood: .tense, stars: 1, written: Date(timeIntervalSince1970: 1_759_968_000), size: 7,
          parentID: nil),
      ])
  }

  @Test func importIsDoneOnce() async throws {
    try stores.writeNotes()
    let first = try stores.launch()
    #expect(try await first.notes.count() == 3)
    try await first.notes.delete(id: "a")
    try stores.write("INSERT INTO note VALUES ('d', 'four', NULL, 1, '2025-10-09', 1, NULL)", to: stores.notes)
    let second = try stores.launch()
    #expect(try await second.notes.fetchAll().map(\.id).sorted() == ["b", "c"])
  }

  @Test func aWriteImportsFirst() async throws {
    try stores.writeNotes()
    let router = try stores.launch()
    await #expect(throws: StorageError.self) {
      try await router.notes.insert(Note(id: "a", text: "new", written: Date(timeIntervalSince1970: 0)))
    }
    #expect(try await router.notes.fetch(id: "a")?.text == "one")
  }

  @Test func nothingHappensWithoutAStore() async throws {
    let router = try stores.launch()
    #expect(try await router.notes.count() == 0)
    #expect(try await router.imports.reports() == [])
    try stores.writeNotes()
    #expect(try await stores.launch().notes.count() == 3)
  }

  @Test func theOldStoreKeepsItsBytes() async throws {
    try stores.writeNotes()
    let before = try stores.bytes(of: stores.notes)
    #expect(try await stores.launch().notes.count() == 3)
    #expect(try stores.bytes(of: stores.notes) == before)
  }

  /// The writer was killed: its last rows are in the log alone.
  @Test func rowsInTheLogOfAKilledWriterAreRead() async throws {
    try stores.writeNotes()
    let connection = try SQLiteConnection(path: stores.notes.path, isDurable: false, until: nil, kind: .draft)
    try connection.execute("INSERT INTO note VALUES ('d', 'four', NULL, 1, '2025-10-09', 1, NULL)")
    let killed = try OldStores()
    try FileManager.default.createDirectory(
      at: killed.notes.deletingLastPathComponent(), withIntermediateDirectories: true)
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: stores.notes.path + suffix, toPath: killed.notes.path + suffix)
    }
    let before = try stores.bytes(of: killed.notes)
    #expect(before.last?.isEmpty == false)
    #expect(try await killed.launch().notes.fetch(id: "d")?.text == "four")
    #expect(try stores.bytes(of: killed.notes) == before)
    withExtendedLifetime(connection) {}
  }

  /// The writer was killed in a transaction that its library undoes.
  @Test func aJournalOfAKilledWriterIsUndone() async throws {
    try stores.writeNotes()
    let connection = try SQLiteConnection(path: stores.notes.path, isDurable: false, until: nil, kind: .draft)
    try connection.execute(
      "PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN; UPDATE note SET body = 'changed'")
    for id in 0..<2_000 { try connection.run("INSERT INTO note (id, body) VALUES (?, 'x')", [.integer(Int64(id))]) }
    let killed = try OldStores()
    try FileManager.default.createDirectory(
      at: killed.notes.deletingLastPathComponent(), withIntermediateDirectories: true)
    for suffix in ["", "-journal"] {
      try FileManager.default.copyItem(atPath: stores.notes.path + suffix, toPath: killed.notes.path + suffix)
    }
    #expect(try await killed.launch().notes.fetchAll().map(\.text).sorted() == ["one", "three", "two"])
    withExtendedLifetime(connection) {}
  }

  @Test func twoAppsImportOnce() async throws {
    try stores.writeNotes()
    let routers = [try stores.launch(), try stores.launch(), try stores.launch()]
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for router in routers { group.addTask { try await router.notes.count() } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == [3, 3, 3])
    #expect(try await stores.launch().imports.reports().map(\.imported) == [3])
  }

  @Test(arguments: [
    ("'x', NULL, NULL, 1, '2025-10-09', NULL, NULL", "text", LeftOutRow.Reason.missing),
    ("'x', x'07', NULL, 1, '2025-10-09', NULL, NULL", "text", .wrongType),
    ("'x', 't', 'angry', 1, '2025-10-09', NULL, NULL", "mood", .unknownCase),
    ("'x', 't', NULL, 'many', '2025-10-09', NULL, NULL", "stars", .wrongType),
    ("'x', 't', NULL, 9, '2025-10-09', NULL, NULL", "stars", .cannotEncode),
    ("'x', 't', NULL, 1, 'yesterday', NULL, NULL", "written", .wrongType),
    ("'x', 't', NULL, 1, '2025-10-09', 0.5, NULL", "size", .transformFailed),
    ("NULL, 't', NULL, 1, '2025-10-09', NULL, NULL", "id", .missing),
    ("'a', 't', NULL, 1, '2025-10-09', NULL, NULL", "id", .duplicate),
  ])
  func aBadRowIsLeftOut(values: String, field: String, reason: LeftOutRow.Reason) async throws {
    try stores.writeNotes(OldStores.noteRows + "INSERT INTO note VALUES (\(values));")
    let router = try stores.launch()
    #expect(try await router.notes.count() == 3)
    let report = try #require(try await router.imports.reports().first { $0.record == "Note" })
    #expect(report.imported == 3)
    #expect(report.leftOut == 1)
    #expect(report.leftOutRows == [LeftOutRow(row: 4, field: field, reason: reason)])
    #expect(report.isSourcePresent == true)
  }

  @Test func aReferenceToARowOfTheSameTableIsRead() async throws {
    try stores.writePages("INSERT INTO page VALUES ('one', NULL, 3), ('two', NULL, 1), ('three', NULL, NULL);")
    let pages = try await stores.launch().pages.order { $0.id.ascending }.fetchAll()
    #expect(pages.map(\.id) == [1, 2, 3])
    #expect(pages.map(\.parentID) == [3, 1, nil])
  }

  @Test func aTextThatOnlyBeginsWithANumberIsLeftOut() async throws {
    try stores.writePages(
      "INSERT INTO page VALUES ('a', '-12.50', NULL), ('b', 0.1, NULL), ('c', 7, NULL), ('d', '1,234.50', NULL);")
    let router = try stores.launch()
    let prices = try await router.pages.order { $0.id.ascending }.fetchAll().map(\.price)
    #expect(prices == [Decimal(string: "-12.5"), Decimal(string: "0.1"), 7])
    let report = try #require(try await router.imports.reports().first { $0.record == "Page" })
    #expect(report.leftOutRows == [LeftOutRow(row: 4, field: "price", reason: .wrongType)])
  }

  @Test(arguments: [1, 2]) func aNumberThatTheAppHasUsedIsNoImportedKey(rows: Int) async throws {
    try await stores.launch().pages.insert(Page(id: 1, title: "own"))
    try stores.writePages("INSERT INTO page VALUES ('one', NULL, NULL), ('two', NULL, NULL);")
    try stores.write("DELETE FROM page WHERE rowid > \(rows)", to: stores.pages)
    let router = try stores.launch()
    let titles = try await router.pages.order { $0.id.ascending }.fetchAll().map(\.title)
    #expect(titles == Array(["own", "two"].prefix(rows)))
    let report = try #require(try await router.imports.reports().first { $0.record == "Page" })
    #expect((report.imported, report.kept) == (rows - 1, 0))
    #expect(report.leftOutRows == [LeftOutRow(row: 1, field: "id", reason: .duplicate)])
  }

  @Test func anImportWithoutAGoodRowFails() async throws {
    try stores.writeNotes("INSERT INTO note VALUES ('x', x'07', NULL, 1, '2025-10-09', NULL, NULL)")
    let router = try stores.launch()
    let error = await #expect(throws: StorageError.self) { try await router.notes.count() }
    #expect(error?.code == .migrationFailed)
    #expect(error?.subject.key == "Note")
    #expect(error?.underlyingError as? ImportProblem == .noRow(LeftOutRow(row: 1, field: "text", reason: .wrongType)))
    try stores.write("UPDATE note SET body = 'good'", to: stores.notes)
    #expect(try await router.notes.fetch(id: "x")?.text == "good")
  }

  @Test(arguments: [
    ("ALTER TABLE note RENAME TO notes", ImportProblem.missingTable("note")),
    ("ALTER TABLE note RENAME COLUMN body TO text", .missingColumn("body")),
  ])
  func anotherLayoutIsAnError(change: String, problem: ImportProblem) async throws {
    try stores.writeNotes(OldStores.noteRows + change)
    let router = try stores.launch()
    let error = await #expect(throws: StorageError.self) { try await router.notes.count() }
    #expect(error?.underlyingError as? ImportProblem == problem)
  }

  @Test func anEncryptedFileIsAnError() async throws {
    try stores.writeNotes()
    try Data((0..<8_192).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }).write(to: stores.notes)
    let router = try stores.launch()
    let error = await #expect(throws: StorageError.self) { try await router.notes.count() }
    #expect(error?.code == .migrationFailed)
    #expect(error?.underlyingError as? ImportProblem == .noDatabase)
  }

  @Test(arguments: [true, false])
  func aListStaysUntilEachHasItsPart(keyIsFirst: Bool) async throws {
    try stores.storeTags(#"[{"title":"home","rank":2},{"title":"work","rank":3}]"#)
    let router = try stores.launch()
    if keyIsFirst {
      #expect(try await router.get(.tagCount) == 2)
      #expect(try await router.tags.count() == 2)
    } else {
      #expect(try await router.tags.count() == 2)
      #expect(try await router.imports.removeSources() == [])
      #expect(try await router.get(.tagCount) == 2)
    }
    #expect(try await router.imports.removeSources() == ["oldTags"])
    let later = try stores.launch()
    #expect(try await later.get(.tagCount) == 2)
    #expect(try await later.tags.count() == 2)
  }

  @Test func elementsOfAListBecomeRecords() async throws {
    try stores.storeTags(#"[{"title":"home","rank":2},{"title":"","rank":1},{"title":"work","rank":3}]"#)
    let router = try stores.launch()
    #expect(
      try await router.tags.order { $0.id.ascending }.fetchAll() == [
        Tag(id: "home", rank: 2), Tag(id: "work", rank: 3),
      ])
    let report = try #require(try await router.imports.reports().first { $0.record == "Tag" })
    #expect(report.leftOutRows == [LeftOutRow(row: 1, field: nil, reason: .transformFailed)])
    #expect(try await router.get(.tagCount) == 3)
    #expect(try await router.imports.removeSources() == [])
    #expect(try await router.imports.removeSources(includingLeftOut: true) == ["oldTags"])
    #expect(try await router.imports.reports().first { $0.record == "Tag" }?.isSourcePresent == false)
  }
}
