import Foundation
@_spi(Generated) import LocalData
@_spi(Generated) import LocalDataRecords
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

/// The observers of a record, when a deletion of the row that its rows refer to changes them.
struct DeletedParentTests {
  @Test(.timeLimit(.minutes(15)), arguments: DeletionPolicy.allCases)
  func observersSeeWhatADeletionChanges(_ policy: DeletionPolicy) async throws {
    switch policy {
    case .restrict: try await observe(Restricted.self, after: nil)
    case .cascade: try await observe(Cascading.self, after: [])
    case .setNull: try await observe(Emptied.self, after: [Loan(id: "l", book: nil)])
    }
  }

  private func observe<Release: LoanRelease>(_ release: Release.Type, after: [Loan<Release>]?) async throws {
    let router = StorageRouter.inMemory()
    try router.registerCatalog(LoanCatalog<Release>.self)
    let (books, loans) = (router.records(Book<Release>.self), router.records(Loan<Release>.self))
    try await books.insert(Book(id: "b"))
    try await loans.insert(Loan(id: "l", book: "b"))
    var values = loans.values().makeAsyncIterator()
    #expect(try await values.next() == [Loan(id: "l", book: "b")])
    guard let after else {
      let error = await storageError { try await books.delete(id: "b") }
      #expect(error?.code == .stillReferenced)
      return
    }
    try await books.delete(id: "b")
    #expect(try await values.next() == after)
  }
}

/// What becomes of the loans of a book that is deleted.
private protocol LoanRelease: Sendable {
  static var book: RecordDeclaration { get }
  static var loan: RecordDeclaration { get }
  static var database: RecordDatabaseDeclaration { get }
}

extension LoanRelease {
  static func makeLoan(_ policy: DeletionPolicy) -> RecordDeclaration {
    RecordDeclaration(
      "Loan", key: 1,
      [.init(1, "id", .text), .init(2, "book", .text, isOptional: true, references: "Book", onDelete: policy)])
  }
}

private enum Restricted: LoanRelease {
  static let book = RecordDeclaration("Book", key: 1, [.init(1, "id", .text)])
  static let loan = makeLoan(.restrict)
  static let database = RecordDatabaseDeclaration(
    "loans", .fileSystem(directory: .documents), records: { [book, loan] })
}

private enum Cascading: LoanRelease {
  static let book = RecordDeclaration("Book", key: 1, [.init(1, "id", .text)])
  static let loan = makeLoan(.cascade)
  static let database = RecordDatabaseDeclaration(
    "loans", .fileSystem(directory: .documents), records: { [book, loan] })
}

private enum Emptied: LoanRelease {
  static let book = RecordDeclaration("Book", key: 1, [.init(1, "id", .text)])
  static let loan = makeLoan(.setNull)
  static let database = RecordDatabaseDeclaration(
    "loans", .fileSystem(directory: .documents), records: { [book, loan] })
}

private struct Book<Release: LoanRelease>: StorageRecord {
  typealias Database = LoanDatabase<Release>
  struct Columns: Sendable {}

  var id: String

  static var columns: Columns { Columns() }
  static var declaration: RecordDeclaration { Release.book }
}

extension Book {
  init(_ row: borrowing RecordRow) throws(StorageProblem) { id = try row.text(0) }

  func write(to row: inout RecordWriter) throws(StorageProblem) { row.text(id) }
}

private struct Loan<Release: LoanRelease>: StorageRecord {
  typealias Database = LoanDatabase<Release>
  struct Columns: Sendable {}

  var id: String
  var book: String?

  static var columns: Columns { Columns() }
  static var declaration: RecordDeclaration { Release.loan }
}

extension Loan {
  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    id = try row.text(0)
    book = row.isNull(1) ? nil : try row.text(1)
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.text(id)
    row.text(book)
  }
}

private enum LoanDatabase<Release: LoanRelease>: RecordDatabase {
  static var declaration: RecordDatabaseDeclaration { Release.database }
}

private enum LoanCatalog<Release: LoanRelease>: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [] }
  static var parts: [StorageCatalogPart] { [.records(LoanDatabase<Release>.self)] }
}
