import CLocalDataSQLite
import Foundation
@_spi(Generated) import LocalData
@_spi(Generated) import LocalDataRecords
import Observation
import LocalDataSystem
import LocalDataVocabulary
import SwiftUI

/// A record in a database of an app group, in the form that the generator emits.
private struct Line: StorageRecord {
  enum Database: RecordDatabase {
    static let declaration = RecordDatabaseDeclaration(
      "lines", .appGroupFileSystem(identifier: "group.lines", directory: .documents), records: { [Line.declaration] })
  }
  struct Columns: Sendable { let text = RecordColumn<Line, String>(1) }

  static let declaration = RecordDeclaration("Line", key: 1, [.init(1, "id", .integer), .init(2, "text", .text)])
  static var columns: Columns { Columns() }

  var id: Int
  var text: String

  init(id: Int, text: String) {
    self.id = id
    self.text = text
  }
  init(_ row: borrowing RecordRow) throws(StorageProblem) { (id, text) = (try row.integer(0), try row.text(1)) }
  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.integer(id)
    row.text(text)
  }
}

private enum LineCatalog: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [] }
  static var parts: [StorageCatalogPart] { [.records(Line.Database.self)] }
}

/// Waits until a condition holds.
private func becomes(_ what: String, _ condition: () async throws -> Bool) async throws {
  for _ in 0..<2_000 {
    if try await condition() { return }
    try await Task.sleep(for: .milliseconds(5))
  }
  throw Broken("\(what) does not become true")
}

/// Changes the rows as another process does, of which this one is only told by a notification.
private func changeElsewhere(in folder: URL, _ sql: String) throws {
  let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
  let file = paths.first { $0.hasSuffix("lines.db") }.map { folder.path + "/" + $0 }
  var connection: OpaquePointer?
  guard let file, sqlite3_open_v2(file, &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
    throw Broken("no file among \(paths)")
  }
  defer { sqlite3_close_v2(connection) }
  guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else {
    throw Broken(String(cString: sqlite3_errmsg(connection)))
  }
}

/// Checks what a view is told of the records of a query.
func recordViewChecks(_ checks: Checks) async {
  await checks.check("record views: a commit in an app group is told to other processes, by the hash of its address") {
    let device = Device()
    let router = try device.launch(LineCatalog.self)
    let before = FakeDarwinCenter.shared.posted.count
    try await router.records(Line.self).save(Line(id: 1, text: "a"))
    let posted = Array(FakeDarwinCenter.shared.posted.dropFirst(before))
    try expect(posted.count, 1, "notifications of a commit")
    try require(posted[0].hasPrefix("localdata.") && posted[0].utf8.count == 74, "the name \(posted[0])")
    try expect(try await router.records(Line.self).count(), 1, "rows")
    try expect(FakeDarwinCenter.shared.posted.count, before + 1, "notifications of a read")
    var values = router.records(Line.self).values().makeAsyncIterator()
    try expect(try await values.next()?.map(\.text), ["a"], "first")
    try changeElsewhere(in: device.folder, "UPDATE Line SET text = 'theirs'")
    FakeDarwinCenter.shared.post(posted[0])
    try expect(try await values.next()?.map(\.text), ["theirs"], "after another process's commit")
  }
  await checks.check("record views: @RecordResults shows the records, and refreshes its view after a change") {
    let device = Device()
    let (router, node) = (try device.launch(LineCatalog.self), FakeViewNode())
    node.environment.storageRouter = router
    let lines = router.records(Line.self)
    try await lines.save(Line(id: 1, text: "b"))
    func property() -> RecordResults<Line> {
      node.install(RecordResults({ $0.records(Line.self).order { $0.text.ascending } }))
    }
    try await becomes("the first read") { property().wrappedValue == [Line(id: 1, text: "b")] }
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
    withObservationTracking {
      _ = property().wrappedValue
    } onChange: {
      continuation.yield()
    }
    try await lines.save(Line(id: 2, text: "a"))
    var iterator = changes.makeAsyncIterator()
    _ = await iterator.next()
    try await becomes("the second read") { property().wrappedValue.map(\.text) == ["a", "b"] }
    // The view is created again with another query.
    let limited = { node.install(RecordResults<Line>({ $0.records(Line.self).order { $0.text.ascending }.limit(1) })) }
    try await becomes("another query") { limited().wrappedValue.map(\.text) == ["a"] }
    try expect(limited().error, nil, "error")
    let count = FakeDarwinCenter.shared.observerCount
    try require(count > 0, "no observer")
  }
  await checks.check("record views: @RecordResults keeps the last records, and has the error") {
    let device = Device()
    let router = try device.launch(LineCatalog.self)
    let failing = RecordResults<Line>({ $0.records(Line.self).all }, router: StorageRouter.inMemory())
    _ = failing.wrappedValue
    try await becomes("the error") { failing.error != nil }
    try expect(failing.wrappedValue, [], "records")
    let given = RecordResults<Line>({ $0.records(Line.self).all }, router: router)
    try await router.records(Line.self).save(Line(id: 1, text: "b"))
    try await becomes("the records of a given router") { given.wrappedValue.map(\.text) == ["b"] }
  }
}
