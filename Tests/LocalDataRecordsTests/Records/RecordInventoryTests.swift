import Foundation
@_spi(Generated) import LocalData
import LocalDataMaintenance
@_spi(Generated) import LocalDataRecords
import ProbeKeys
import RuntimeTestSupport
import LocalDataSQLite
import LocalDataVocabulary
import Testing

@testable import LocalDataRecords

/// What maintenance finds in databases of records, in two releases of an app.
struct RecordInventoryTests {
  private typealias First = ProbeRecordCatalog<ProbeFolder>
  private typealias Second = ProbeRecordCatalog<ProbeLabelledFolder>

  private let app: RelaunchedApp

  init() throws { app = try RelaunchedApp() }

  private func launch<Catalog: StorageKeyCatalog>(_ catalog: Catalog.Type) throws -> StorageRouter {
    let router = app.launch()
    try router.registerCatalog(catalog)
    return router
  }

  /// Saves two folders, and three pages with an encrypted field.
  private func fill() async throws {
    let router = try launch(First.self)
    for id in ["a", "b"] { try await router.folders.save(ProbeFolder(id: id, text: "plain text")) }
    for id in 1...3 { try await router.pages.save(ProbePage(id: id, folder: "a", secret: "open sesame")) }
  }

  /// Damages the text of a folder, and exchanges the encrypted fields of two pages.
  private func damage() throws {
    let path = app.fixture.path("data/documents/.records/probe.db")
    let file = try SQLiteConnection(path: path, isDurable: true, until: .now + .seconds(60), kind: .draft)
    try file.execute("UPDATE Folder SET text = NULL WHERE id = 'b'")
    try file.execute("UPDATE Page SET sealed = (SELECT sealed FROM Page WHERE id = 3) WHERE id = 2")
  }

  private func problem(_ record: String) -> StorageError.Subject { .init(key: record, domain: .fileSystem) }

  @Test func eachRecordHasTheNumberOfItsRows() async throws {
    try await fill()
    let found = await (try launch(First.self)).maintenance.databases()
    let database = try #require(found.first)
    #expect(found.count == 1 && database.name == "probe")
    #expect(database.domain == .fileSystem(directory: .documents))
    #expect(
      database.records == [
        .init(name: "Folder", count: 2, damaged: 0), .init(name: "Page", count: 3, damaged: 0),
      ])
    #expect(try #require(database.size) >= 8_192)
    #expect(database.problem == nil && !database.hasUndeclaredFields)
  }

  /// Each kind of addition alone is noted by the first release.
  @Test(arguments: ItemAddition.allCases) func anAdditionIsNoted(_ addition: ItemAddition) async throws {
    switch addition {
    case .nothing: try await expectNote(of: FirstItems.self, false)
    case .plainField: try await expectNote(of: ItemsWithPlainField.self, true)
    case .encryptedField: try await expectNote(of: ItemsWithEncryptedField.self, true)
    case .record: try await expectNote(of: ItemsWithRecord.self, true)
    }
  }

  private func expectNote<Later: ItemRelease>(of later: Later.Type, _ isNoted: Bool) async throws {
    let first = try launch(ItemCatalog<FirstItems>.self)
    #expect(await first.maintenance.databases().first?.hasUndeclaredFields == false)
    try await first.records(Item<FirstItems>.self).save(Item(id: "a"))
    let second = try launch(ItemCatalog<Later>.self)
    #expect(try await second.records(Item<Later>.self).fetchAll().map(\.id) == ["a"])
    #expect(await second.maintenance.databases().first?.hasUndeclaredFields == false)
    #expect(await first.maintenance.databases().first?.hasUndeclaredFields == isNoted)
  }

  /// The second release adds a record and a field, which the first one does not know.
  @Test func theFieldsOfALaterReleaseAreNoted() async throws {
    try await fill()
    let second = await (try launch(Second.self)).maintenance.databases()
    #expect(second.first?.records.map(\.name) == ["Folder", "Page", "Label"])
    #expect(second.first?.records.map(\.count) == [2, 3, 0])
    #expect(second.first?.hasUndeclaredFields == false)
    let first = await (try launch(First.self)).maintenance.databases()
    #expect(first.first?.records.map(\.count) == [2, 3])
    #expect(first.first?.hasUndeclaredFields == true)
  }

  @Test func damagedRowsAreListedWithoutTheirValues() async throws {
    try await fill()
    try damage()
    for router in [try launch(First.self), try launch(Second.self)] {
      let damaged = await router.maintenance.damagedRecords()
      #expect(
        damaged.values == [
          .init(record: problem("Folder"), row: 2, problem: StorageError(.corrupted, problem("Folder"))),
          .init(record: problem("Page"), row: 2, problem: StorageError(.authenticationFailed, problem("Page"))),
        ])
      #expect(damaged.failures == [])
      let databases = await router.maintenance.databases()
      #expect(databases.first?.records.prefix(2).map(\.damaged) == [1, 1])
      for text in ["plain", "sesame"] { #expect(!"\(damaged) \(databases)".contains(text)) }
    }
    // The row is whole again when its record is saved.
    let router = try launch(First.self)
    try await router.folders.save(ProbeFolder(id: "b", text: "new"))
    try await router.pages.save(ProbePage(id: 2, folder: "a", secret: "new"))
    #expect(await router.maintenance.damagedRecords() == .init())
  }

  /// The rows are counted, but whether they are damaged is not known.
  @Test func aMissingKeyIsAProblemAndNoDamage() async throws {
    try await fill()
    for name in StoreFixture.keystoreFiles {
      let path = app.fixture.path("data/" + name)
      if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    }
    let router = try launch(First.self)
    let database = try #require(await router.maintenance.databases().first)
    #expect(database.problem == StorageError(.keyMaterialMissing, problem("probe")))
    #expect(database.records == [.init(name: "Folder", count: 2), .init(name: "Page", count: 3)])
    let damaged = await router.maintenance.damagedRecords()
    #expect(damaged.values == [] && damaged.failures == [StorageError(.keyMaterialMissing, problem("probe"))])
  }

  @Test func aDatabaseThatDoesNotExistIsNotCreated() async throws {
    let router = try launch(First.self)
    let database = try #require(await router.maintenance.databases().first)
    #expect(database.size == nil && database.problem == nil)
    #expect(database.records.map(\.count) == [0, 0])
    #expect(await router.maintenance.damagedRecords() == .init())
    #expect(!FileManager.default.fileExists(atPath: app.fixture.path("data/documents/.records")))
  }
}

/// An addition of a later release of the items.
enum ItemAddition: CaseIterable { case nothing, plainField, encryptedField, record }

private protocol ItemRelease: Sendable {
  static var item: RecordDeclaration { get }
  static var database: RecordDatabaseDeclaration { get }
}

extension ItemRelease {
  static func makeItem(
    _ columns: [RecordDeclaration.Column] = [], sealed: [RecordDeclaration.SealedField] = []
  ) -> RecordDeclaration {
    RecordDeclaration(
      "Item", key: 1, [.init(1, "id", .text)] + columns + [.init(0, "sealed", .sealed)],
      sealed: [.init(2, "String")] + sealed)
  }

  static func makeDatabase(_ records: @escaping @Sendable () -> [RecordDeclaration]) -> RecordDatabaseDeclaration {
    RecordDatabaseDeclaration("items", .fileSystem(directory: .documents), records: records)
  }
}

private enum FirstItems: ItemRelease {
  static let item = makeItem()
  static let database = makeDatabase { [item] }
}

private enum ItemsWithPlainField: ItemRelease {
  static let item = makeItem([.init(3, "title", .text, isOptional: true)])
  static let database = makeDatabase { [item] }
}

private enum ItemsWithEncryptedField: ItemRelease {
  static let item = makeItem(sealed: [.init(3, "Int")])
  static let database = makeDatabase { [item] }
}

private enum ItemsWithRecord: ItemRelease {
  static let item = makeItem()
  static let database = makeDatabase { [item, RecordDeclaration("Other", key: 1, [.init(1, "id", .text)])] }
}

/// An item whose other fields no test reads.
private struct Item<Release: ItemRelease>: StorageRecord {
  typealias Database = ItemDatabase<Release>
  struct Columns: Sendable {}

  var id: String

  static var columns: Columns { Columns() }
  static var declaration: RecordDeclaration { Release.item }
}

extension Item {
  init(_ row: borrowing RecordRow) throws(StorageProblem) { id = try row.text(0) }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.text(id)
    try row.sealed(Release.item, key: id, RecordUnknownFields()) { writer in writer.text("secret", 2) }
  }
}

private enum ItemDatabase<Release: ItemRelease>: RecordDatabase {
  static var declaration: RecordDatabaseDeclaration { Release.database }
}

private enum ItemCatalog<Release: ItemRelease>: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [] }
  static var parts: [StorageCatalogPart] { [.records(ItemDatabase<Release>.self)] }
}
