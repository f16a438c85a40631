@_spi(Generated) import LocalData
@_spi(Generated) import LocalDataRecords
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

/// The release before ``Pass`` had an issuer.
nonisolated struct OldPass: StorageRecord {
  enum Database: RecordDatabase {
    static let declaration = RecordDatabaseDeclaration(
      "passes", .fileSystem(directory: .applicationSupport), records: { [OldPass.declaration] })
  }

  struct Columns: Sendable {}
  static var columns: Columns { Columns() }
  static let declaration = RecordDeclaration(
    "Pass", key: 1, [.init(1, "id", .text), .init(0, "sealed", .sealed)], sealed: [.init(3, "String")])

  var id: String
  var secret: String
  var unknownFields = RecordUnknownFields()

  init(id: String, secret: String) { (self.id, self.secret) = (id, secret) }

  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    let id = try row.text(0)
    var (secret, unknown) = ("", RecordUnknownFields())
    try row.sealed(1, Self.declaration, key: id) { (reader) throws(StorageProblem) in
      while let field = try reader.next() {
        switch field.tag {
        case 26: secret = try reader.text()
        default: try unknown.keep(field, &reader)
        }
      }
    }
    self.init(id: id, secret: secret)
    unknownFields = unknown
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.text(id)
    try row.sealed(Self.declaration, key: id, unknownFields) { $0.text(secret, 3) }
  }
}

enum OldPassCatalog: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [] }
  static var parts: [StorageCatalogPart] { [.records(OldPass.Database.self)] }
}

/// A blind index in a file that an older release writes too.
struct BlindIndexReleaseTests {
  private let app: RelaunchedApp
  private let pass = Pass(id: "a", issuer: "city library", secret: "open sesame")

  init() throws { app = try RelaunchedApp() }

  private func launch(_ catalog: any StorageKeyCatalog.Type) throws -> StorageRouter {
    let router = app.launch()
    try router.registerCatalog(catalog)
    return router
  }

  @Test func anOlderReleaseKeepsABlindIndexWithItsField() async throws {
    try await launch(PassCatalog.self).records(Pass.self).save(pass)
    let old = try launch(OldPassCatalog.self).records(OldPass.self)
    try await old.update(id: "a") { $0.secret = "u" }
    let query = try launch(PassCatalog.self).records(Pass.self).where { $0.issuer == "city library" }
    #expect(try await query.fetchAll() == [Pass(id: "a", issuer: "city library", secret: "u")])
    try await old.save(OldPass(id: "a", secret: "t"))
    #expect(try await query.fetchAll() == [])
  }

  /// A release that has reserved all encrypted fields writes rows without them.
  @Test func aReleaseThatNeedsReservedFieldsIsRefused() async throws {
    try await launch(PassCatalog.self).records(Pass.self).save(pass)
    try await launch(BarePassCatalog.self).records(BarePass.self).save(BarePass(id: "a", note: "n"))
    let passes = try launch(PassCatalog.self).records(Pass.self)
    #expect(await storageError { try await passes.fetchAll() }?.code == .newerSchema)
    #expect(try await launch(BarePassCatalog.self).records(BarePass.self).fetchAll().map(\.note) == ["n"])
  }
}

/// A release after ``Pass`` that has reserved both encrypted fields.
nonisolated struct BarePass: StorageRecord {
  enum Database: RecordDatabase {
    static let declaration = RecordDatabaseDeclaration(
      "passes", .fileSystem(directory: .applicationSupport), records: { [BarePass.declaration] })
  }

  struct Columns: Sendable {}
  static var columns: Columns { Columns() }
  static let declaration = RecordDeclaration(
    "Pass", key: 1, [.init(1, "id", .text), .init(4, "note", .text, default: "''")], reserved: [.init(2), .init(3)])

  var id: String
  var note = ""
}

nonisolated extension BarePass {
  init(_ row: borrowing RecordRow) throws(StorageProblem) { (id, note) = (try row.text(0), try row.text(1)) }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.text(id)
    row.text(note)
  }
}

enum BarePassCatalog: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [] }
  static var parts: [StorageCatalogPart] { [.records(BarePass.Database.self)] }
}
