import Foundation
@_spi(Generated) import LocalData
@_spi(Generated) @testable import LocalDataBackup
@_spi(Generated) import LocalDataRecords
import RuntimeTestSupport
import Testing

/// Records that refer to each other. No order of their rows has each after the one that it refers to.
struct CircleTests {
  private static let backup = StorageBackup(
    "all", catalog: "Circle", isEncrypted: false,
    schema:
      #"{"records":{"Folder":[[1,"id","String"],[2,"cover","String?"]],"Page":[[1,"id","String"],[2,"folder","String"]]},"types":{}}"#,
    records: { [Folder.self, Page.self] })

  private func launch() throws -> StorageRouter {
    let router = try RelaunchedApp().launch()
    try router.registerCatalog(CircleCatalog.self)
    return router
  }

  @Test(arguments: RestorePolicy.allCases) func rowsOfACircleAreRestored(_ policy: RestorePolicy) async throws {
    let (old, new) = (try launch(), try launch())
    for name in ["a", "b"] {
      try await old.records(Folder.self).save(Folder(id: name))
      try await old.records(Page.self).save(Page(id: "page of \(name)", folder: name))
      try await old.records(Folder.self).save(Folder(id: name, cover: "page of \(name)"))
    }
    try await old.records(Folder.self).save(Folder(id: "without cover"))
    let file = try await old.backups.export(Self.backup)
    for router in [new, old] {
      let restore = try await router.backups.stage(Self.backup, from: file.url)
      let plan = try await restore.plan(for: policy)
      #expect(plan.records.values.allSatisfy { $0.leftOut == 0 })
      #expect(try await restore.apply(policy) == plan)
      #expect(
        Set(try await router.records(Folder.self).fetchAll()) == [
          Folder(id: "a", cover: "page of a"), Folder(id: "b", cover: "page of b"), Folder(id: "without cover"),
        ])
      #expect(try await router.records(Page.self).count() == 2)
    }
  }
}

private struct Folder: StorageRecord, Hashable {
  typealias Database = CircleDatabase
  struct Columns: Sendable {}

  var id: String
  var cover: String?

  static var columns: Columns { Columns() }
  static let declaration = RecordDeclaration(
    "Folder", key: 1,
    [.init(1, "id", .text), .init(2, "cover", .text, isOptional: true, references: "Page", onDelete: .setNull)])
}

extension Folder {
  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    id = try row.text(0)
    cover = row.isNull(1) ? nil : try row.text(1)
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.text(id)
    if let cover { row.text(cover) } else { row.null() }
  }
}

private struct Page: StorageRecord, Hashable {
  typealias Database = CircleDatabase
  struct Columns: Sendable {}

  var id: String
  var folder: String

  static var columns: Columns { Columns() }
  static let declaration = RecordDeclaration(
    "Page", key: 1, [.init(1, "id", .text), .init(2, "folder", .text, references: "Folder", onDelete: .cascade)])
}

extension Page {
  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    id = try row.text(0)
    folder = try row.text(1)
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.text(id)
    row.text(folder)
  }
}

private enum CircleDatabase: RecordDatabase {
  static let declaration = RecordDatabaseDeclaration(
    "circle", .fileSystem(directory: .documents), records: { [Folder.declaration, Page.declaration] })
}

private enum CircleCatalog: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [] }
  static var parts: [StorageCatalogPart] { [.records(CircleDatabase.self)] }
}
