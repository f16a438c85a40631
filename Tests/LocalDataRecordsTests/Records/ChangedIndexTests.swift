import Foundation
@_spi(Generated) import LocalData
@_spi(Generated) import LocalDataRecords
import RuntimeTestSupport
import LocalDataSQLite
import LocalDataVocabulary
import Testing

/// A blind index that someone has copied from another row, or removed.
struct ChangedIndexTests {
  private let app: RelaunchedApp
  private let pass = Pass(id: "a", issuer: "city library", secret: "open sesame")
  private let refusal = StorageError(.authenticationFailed, .init(key: "Pass", domain: .fileSystem))

  init() throws { app = try RelaunchedApp() }

  enum Verb: CaseIterable {
    case fetchAll, first, count, exists, delete, deleteOfSome, countInTransaction, deleteInTransaction
  }

  private func launch(_ catalog: any StorageKeyCatalog.Type = PassCatalog.self) throws -> StorageRouter {
    let router = app.launch()
    try router.registerCatalog(catalog)
    return router
  }

  private func execute(_ sql: String) throws {
    let folder = try app.fixture.locations.folder(of: .directory(.applicationSupport)).path
    let connection = try SQLiteConnection(
      path: folder + "/.records/passes.db", isDurable: true, until: .now + .seconds(60), kind: .draft)
    try connection.execute(sql)
  }

  /// Gives the pass the index of another issuer, the bank.
  private func copyIndex() async throws {
    let records = try launch().records(Pass.self)
    try await records.save(pass)
    try await records.save(Pass(id: "b", issuer: "bank", secret: "1234"))
    try execute(
      """
      UPDATE Pass SET "issuer.blind" = (SELECT "issuer.blind" FROM Pass WHERE id = 'b') WHERE id = 'a';
      DELETE FROM Pass WHERE id = 'b'
      """)
  }

  private func restoreIndex() async throws {
    // The key alone finds the row, and the index is that of the saved record.
    try await launch().records(Pass.self).save(pass)
    #expect(try await launch().records(Pass.self).fetchAll() == [pass])
  }

  @Test(arguments: Verb.allCases) func aCopiedIndexFindsNothing(_ verb: Verb) async throws {
    try await copyIndex()
    let router = try launch()
    let query = router.records(Pass.self).where { $0.issuer == "bank" }
    let error = await storageError {
      switch verb {
      case .fetchAll: _ = try await query.fetchAll()
      case .first: _ = try await query.first()
      case .count: _ = try await query.count()
      case .exists: _ = try await query.exists()
      case .delete: try await query.delete()
      case .deleteOfSome: try await query.limit(1).delete()
      case .countInTransaction:
        _ = try await router.read(Pass.Database.self) {
          try $0.records(Pass.self).where { $0.issuer == "bank" }.count()
        }
      case .deleteInTransaction:
        _ = try await router.transaction(in: Pass.Database.self) {
          try $0.records(Pass.self).where { $0.issuer == "bank" }.delete()
        }
      }
    }
    #expect(error == refusal)
    #expect(try await launch().records(Pass.self).count() == 1)
    try await restoreIndex()
  }

  @Test(arguments: ["NULL", "17"]) func aChangedIndexIsFoundByEveryRead(_ index: String) async throws {
    try await launch().records(Pass.self).save(pass)
    try execute("UPDATE Pass SET \"issuer.blind\" = \(index)")
    let records = try launch().records(Pass.self)
    #expect(await storageError { try await records.fetch(id: "a") } == refusal)
    #expect(await storageError { try await records.fetchAll() } == refusal)
    #expect(await storageError { try await records.where { $0.issuer != "bank" }.delete() } == refusal)
    // The threat model says so: the row is hidden.
    #expect(try await records.where { $0.issuer == "city library" }.fetchAll() == [])
    try await restoreIndex()
  }

  @Test func listsThatSkipDamageLeaveTheRowOut() async throws {
    try await copyIndex()
    let records = try launch(SkippingPass.Catalog.self).records(SkippingPass.self)
    let query = records.where { $0.issuer == "bank" }
    #expect(try await query.fetchAll().isEmpty)
    #expect(try await query.count() == 0)
    #expect(try await query.exists() == false)
    #expect(try await query.delete() == 0)
    #expect(try await records.count() == 1, "the row stays")
    try await restoreIndex()
  }

  @Test func deletionsByAnIndexDeleteTheirRows() async throws {
    let records = try launch().records(Pass.self)
    for id in ["a", "b", "c"] { try await records.save(Pass(id: id, issuer: id == "b" ? "bank" : "i", secret: "s")) }
    #expect(try await records.where { $0.issuer == "i" }.limit(1).delete() == 1)
    #expect(try await records.where { $0.issuer == "i" }.delete() == 1)
    #expect(try await records.fetchAll().map(\.id) == ["b"])
    #expect(try await records.where { $0.issuer == "i" }.delete() == 0)
  }

  /// A row that is older than the field has no index, and an empty value is not in the sealed part.
  @Test func oldAndEmptyRowsAreRead() async throws {
    try await launch(OldPassCatalog.self).records(OldPass.self).save(OldPass(id: "o", secret: "s"))
    let records = try launch().records(Pass.self)
    try await records.save(Pass(id: "e", issuer: "", secret: ""))
    #expect(try await records.fetchAll().map(\.issuer) == ["", ""])
    #expect(try await records.where { $0.issuer == "" }.fetchAll().map(\.id) == ["e"])
    let later = try launch(SkippingPass.Catalog.self).records(SkippingPass.self)
    #expect(try await later.fetchAll().map(\.id).sorted() == ["e", "o"], "the field became optional")
  }
}

/// A pass of a later release, whose issuer is optional and whose lists leave damaged rows out.
nonisolated private struct SkippingPass: StorageRecord {
  enum Database: RecordDatabase {
    static let declaration = RecordDatabaseDeclaration(
      "passes", .fileSystem(directory: .applicationSupport), records: { [SkippingPass.declaration] })
  }

  enum Catalog: StorageKeyCatalog {
    static var allKeys: [AnyStorageKey] { [] }
    static var parts: [StorageCatalogPart] { [.records(Database.self)] }
  }

  struct Columns: Sendable {
    let issuer = BlindColumn<SkippingPass, String>(1, 2)
  }

  static var columns: Columns { Columns() }
  static let declaration = RecordDeclaration(
    "Pass", key: 1,
    [
      .init(1, "id", .text), .init(2, "issuer.blind", .blindIndex, isOptional: true), .init(0, "sealed", .sealed),
    ],
    sealed: [.init(2, "String"), .init(3, "String")], indexes: [[2]], skipsDamaged: true)

  var id: String

  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    let id = try row.text(0)
    try row.sealed(2, Self.declaration, key: id) { (reader) throws(StorageProblem) in
      while let field = try reader.next() { try reader.skip(field) }
    }
    self.id = id
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) { row.text(id) }
}
