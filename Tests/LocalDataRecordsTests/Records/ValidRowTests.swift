import Foundation
@_spi(Generated) import LocalData
import LocalDataMaintenance
import LocalDataRecords
@_spi(Generated) import LocalDataRecords
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

/// Records of whose fields only some values can be saved.
struct ValidRowTests {
  private let app: RelaunchedApp
  private static let field = StorageError.Subject(key: "Label.word", domain: .fileSystem)
  private static let record = StorageError.Subject(key: "Label", domain: .fileSystem)

  init() throws { app = try RelaunchedApp() }

  private func launch<Release: LabelRelease>(_ release: Release.Type) throws -> StorageRouter {
    let router = app.launch()
    try router.registerCatalog(LabelCatalog<Release>.self)
    return router
  }

  @Test func otherValuesAreNotSaved() async throws {
    let router = try launch(BoundLabels.self)
    let labels = router.records(Label<BoundLabels>.self)
    try await labels.save(Label(id: "a", word: "Rock"))
    let error = StorageError(.invalidValue("count 1...4"), Self.field)
    #expect(await storageError { try await labels.save(Label(id: "a", word: "Blues")) } == error)
    #expect(await storageError { try await labels.save(Label(id: "b", word: "")) } == error)
    #expect(await storageError { try await labels.update(id: "a") { $0.word = "Blues" } } == error)
    let inTransaction = await storageError {
      try await router.transaction(in: Label<BoundLabels>.Database.self) {
        try $0.records(Label<BoundLabels>.self).save(Label(id: "c", word: "Folk"))
        try $0.records(Label<BoundLabels>.self).save(Label(id: "d", word: "Blues"))
      }
    }
    #expect(inTransaction == error)
    #expect(try await labels.fetchAll() == [Label(id: "a", word: "Rock")])
    #expect(error.validValues == "count 1...4" && error.description.contains("'Label.word'"))
    #expect(error.description.contains("count 1...4") && !error.description.contains("Blues"))
  }

  /// The release before had no bounds. Its rows stay, and it reads them after the update is undone.
  @Test func rowsWithOtherValuesStay() async throws {
    let all = [Label<FreeLabels>(id: "a", word: "Rock"), .init(id: "b", word: "Blues")]
    for label in all { try await launch(FreeLabels.self).records(Label<FreeLabels>.self).save(label) }
    let router = try launch(BoundLabels.self)
    let labels = router.records(Label<BoundLabels>.self)
    let error = StorageError(.newerValue, Self.record)
    #expect(await storageError { try await labels.fetch(id: "b") } == error)
    #expect(await storageError { try await labels.fetchAll() } == error)
    #expect(try await labels.fetch(id: "a") == Label(id: "a", word: "Rock"))
    #expect(await router.maintenance.damagedRecords().values == [])
    let skipping = try launch(SkippingLabels.self).records(Label<SkippingLabels>.self)
    #expect(try await skipping.fetchAll() == [Label(id: "a", word: "Rock")])
    #expect(try await launch(FreeLabels.self).records(Label<FreeLabels>.self).fetchAll() == all)
    // A save replaces the row.
    try await launch(BoundLabels.self).records(Label<BoundLabels>.self).save(Label(id: "b", word: "Jazz"))
    #expect(
      try await launch(BoundLabels.self).records(Label<BoundLabels>.self).fetchAll().map(\.word) == ["Rock", "Jazz"])
  }
}

/// A release of an app with labels.
private protocol LabelRelease: Sendable {
  static var counts: ClosedRange<Int> { get }
  static var label: RecordDeclaration { get }
}

private enum FreeLabels: LabelRelease {
  static let counts = 0...Int.max
  static let label = declaration()
}

private enum BoundLabels: LabelRelease {
  static let counts = 1...4
  static let label = declaration()
}

private enum SkippingLabels: LabelRelease {
  static let counts = 1...4
  static let label = declaration(skipsDamaged: true)
}

extension LabelRelease {
  fileprivate static func declaration(skipsDamaged: Bool = false) -> RecordDeclaration {
    RecordDeclaration("Label", key: 1, [.init(1, "id", .text), .init(2, "word", .text)], skipsDamaged: skipsDamaged)
  }
}

private nonisolated struct Label<Release: LabelRelease>: StorageRecord {
  enum Database: RecordDatabase {
    static var declaration: RecordDatabaseDeclaration {
      RecordDatabaseDeclaration("labels", .fileSystem(directory: .documents), records: { [Label.self] })
    }
  }
  struct Columns: Sendable {}

  var id: String
  var word: String

  static var columns: Columns { Columns() }
  static var declaration: RecordDeclaration { Release.label }
}

nonisolated extension Label {
  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    self.init(id: try row.text(0), word: try row.text(1))
    if !(Release.counts.contains(word.count)) { throw .newerValue }
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    if !(Release.counts.contains(word.count)) { throw row.invalid("count 1...4", "word") }
    row.text(id)
    row.text(word)
  }
}

private enum LabelCatalog<Release: LabelRelease>: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [] }
  static var parts: [StorageCatalogPart] { [.records(Label<Release>.Database.self)] }
}
