import Foundation
@_spi(Generated) import LocalData
@_spi(Generated) import LocalDataRecords
import RuntimeTestSupport
import Testing

/// The rows of one account of two, and rows that a sign-out leaves.
struct AccountRowsTests {
  private let app: RelaunchedApp
  private let first = UUID()
  private let second = UUID()

  init() throws { app = try RelaunchedApp() }

  private func launch() throws -> StorageRouter {
    let router = app.launch()
    try router.registerCatalog(AccountCatalog.self)
    return router
  }

  private func fill() async throws {
    let router = try launch()
    for (index, user) in [first, second].enumerated() {
      let id = 10 * index
      try await router.records(AccountNote.self).save(AccountNote(id: id, user: user, text: "secret \(index)"))
      try await router.records(AccountPage.self).save(AccountPage(id: id, note: id, parent: nil))
      try await router.records(AccountPage.self).save(AccountPage(id: id + 1, note: id, parent: id))
    }
    try await router.records(AccountWord.self).save(AccountWord(id: 1, text: "kept"))
  }

  private func isInFiles(_ text: String) throws -> Bool {
    try FileManager.default.subpathsOfDirectory(atPath: app.fixture.folder.path).contains { name in
      FileManager.default.contents(atPath: app.fixture.path(name))?.range(of: Data(text.utf8)) != nil
    }
  }

  @Test func theRowsOfOneAccountAreRemoved() async throws {
    try await fill()
    try await launch().removeAll(where: ["userID": first])
    #expect(try await launch().records(AccountNote.self).fetchAll().map(\.user) == [second])
    #expect(try await launch().records(AccountPage.self).count() == 2)
    #expect(try await launch().records(AccountWord.self).count() == 1)
    #expect(try !isInFiles("secret 0"))
    #expect(try isInFiles("secret 1"))
    // Other parameters are about no row.
    try await launch().removeAll(where: ["userID": second, "number": 1])
    try await launch().removeAll(where: ["account": second])
    #expect(try await launch().records(AccountNote.self).count() == 1)
  }

  @Test func keptRowsStayUntilAllIsErased() async throws {
    try await fill()
    try await launch().removeAll(in: AccountCatalog.self)
    #expect(try await launch().records(AccountNote.self).count() == 0)
    #expect(try await launch().records(AccountPage.self).count() == 0)
    #expect(try await launch().records(AccountWord.self).fetchAll().map(\.text) == ["kept"])
    #expect(try !isInFiles("secret"))
    // The tables serve the next user.
    try await fill()
    #expect(try await launch().records(AccountPage.self).count() == 4)
    try await launch().removeAll(in: AccountDatabase.self, includingKept: true)
    #expect(try await launch().records(AccountWord.self).count() == 0)
    #expect(try await launch().records(AccountNote.self).count() == 0)
  }

  /// The later release has another record, which the earlier one does not declare.
  @Test func rowsOfALaterReleaseAreRemovedByAnEarlierOne() async throws {
    try await fill()
    let later = app.launch()
    try later.registerCatalog(LaterCatalog.self)
    try await later.records(LaterTag.self).save(LaterTag(id: 7))
    try await launch().removeAll(in: AccountCatalog.self)
    let again = app.launch()
    try again.registerCatalog(LaterCatalog.self)
    #expect(try await again.records(LaterTag.self).count() == 0)
    #expect(try await launch().records(AccountWord.self).count() == 1)
  }

  @Test func nothingStoredIsNothingRemoved() async throws {
    try await launch().removeAll(where: ["userID": first])
    try await launch().removeAll(in: AccountCatalog.self)
    let files = try FileManager.default.subpathsOfDirectory(atPath: app.fixture.folder.path)
    #expect(!files.contains { $0.hasSuffix("accounts.db") })
  }
}

private enum AccountDatabase: RecordDatabase {
  static let declaration = RecordDatabaseDeclaration(
    "accounts", .fileSystem(directory: .applicationSupport),
    records: { [AccountNote.declaration, AccountPage.declaration, AccountWord.declaration] })
}

private enum LaterDatabase: RecordDatabase {
  static let declaration = RecordDatabaseDeclaration(
    "accounts", .fileSystem(directory: .applicationSupport), records: { [LaterTag.declaration] })
}

private enum AccountCatalog: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [] }
  static var parts: [StorageCatalogPart] { [.records(AccountDatabase.self)] }
}

private enum LaterCatalog: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [] }
  static var parts: [StorageCatalogPart] { [.records(LaterDatabase.self)] }
}

/// A note of an account.
nonisolated private struct AccountNote: StorageRecord {
  typealias Database = AccountDatabase

  var id: Int
  var user: UUID
  var text: String

  struct Columns: Sendable { let id = RecordColumn<AccountNote, Int>(0) }
  static var columns: Columns { Columns() }

  static let declaration = RecordDeclaration(
    "Note", key: 1, [.init(1, "id", .integer), .init(2, "userID", .blob), .init(3, "text", .text)],
    signOut: .by("userID", 2))

  init(id: Int, user: UUID, text: String) {
    self.id = id
    self.user = user
    self.text = text
  }

  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    id = try row.integer(0)
    user = try row.uuid(1)
    text = try row.text(2)
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.integer(id)
    row.uuid(user)
    row.text(text)
  }
}

/// A page of a note, which is deleted with it. A page keeps its parent from being deleted.
nonisolated private struct AccountPage: StorageRecord {
  typealias Database = AccountDatabase

  var id: Int
  var note: Int
  var parent: Int?

  struct Columns: Sendable { let id = RecordColumn<AccountPage, Int>(0) }
  static var columns: Columns { Columns() }

  static let declaration = RecordDeclaration(
    "Page", key: 1,
    [
      .init(1, "id", .integer), .init(2, "note", .integer, references: "Note", onDelete: .cascade),
      .init(3, "parent", .integer, isOptional: true, references: "Page", onDelete: .cascade),
    ])

  init(id: Int, note: Int, parent: Int?) {
    self.id = id
    self.note = note
    self.parent = parent
  }

  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    id = try row.integer(0)
    note = try row.integer(1)
    parent = row.isNull(2) ? nil : try row.integer(2)
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.integer(id)
    row.integer(note)
    row.integer(parent)
  }
}

/// A word that every account uses.
nonisolated private struct AccountWord: StorageRecord {
  typealias Database = AccountDatabase

  var id: Int
  var text: String

  struct Columns: Sendable { let id = RecordColumn<AccountWord, Int>(0) }
  static var columns: Columns { Columns() }

  static let declaration = RecordDeclaration(
    "Word", key: 1, [.init(1, "id", .integer), .init(2, "text", .text)], signOut: .keep)

  init(id: Int, text: String) {
    self.id = id
    self.text = text
  }

  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    id = try row.integer(0)
    text = try row.text(1)
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.integer(id)
    row.text(text)
  }
}

/// A record that only a later release has.
nonisolated private struct LaterTag: StorageRecord {
  typealias Database = LaterDatabase

  var id: Int

  struct Columns: Sendable { let id = RecordColumn<LaterTag, Int>(0) }
  static var columns: Columns { Columns() }

  static let declaration = RecordDeclaration("Tag", key: 1, [.init(1, "id", .integer)])

  init(id: Int) { self.id = id }

  init(_ row: borrowing RecordRow) throws(StorageProblem) { id = try row.integer(0) }

  func write(to row: inout RecordWriter) throws(StorageProblem) { row.integer(id) }
}
