import Foundation
@_spi(Generated) import LocalData
@_spi(Generated) import LocalDataRecords

// Records in the form that the generator emits.

/// A member of a club.
nonisolated struct Member: StorageRecord {
  typealias Database = ClubDatabase

  var id: String
  var email: String
  var points: Int32

  init(id: String, email: String, points: Int32 = 0) {
    self.id = id
    self.email = email
    self.points = points
  }

  struct Columns: Sendable {
    let id = RecordColumn<Member, String>(0)
    let email = RecordColumn<Member, String>(1)
    let points = RecordColumn<Member, Int32>(2)
  }

  static var columns: Columns { Columns() }

  static let declaration = RecordDeclaration(
    "Member", key: 1,
    [.init(1, "id", .text), .init(2, "email", .text), .init(3, "points", .integer, default: "0")], unique: [[2]])
}

nonisolated extension Member {
  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    id = try row.text(0)
    email = try row.text(1)
    points = try row.integer(2)
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.text(id)
    row.text(email)
    row.integer(points)
  }
}

/// A visit of a member. It is deleted with the member.
nonisolated struct Visit: StorageRecord {
  typealias Database = ClubDatabase

  var id: UUID
  var member: String
  var at: Date
  var note: String?

  init(id: UUID = UUID(), member: String, at: Date, note: String? = nil) {
    self.id = id
    self.member = member
    self.at = at
    self.note = note
  }

  struct Columns: Sendable {
    let id = RecordColumn<Visit, UUID>(0)
    let member = RecordColumn<Visit, String>(1)
    let at = RecordColumn<Visit, Date>(2)
    let note = RecordColumn<Visit, String?>(3)
  }

  static var columns: Columns { Columns() }

  static let declaration = RecordDeclaration(
    "Visit", key: 9,
    [
      .init(9, "id", .blob), .init(1, "member", .text, references: "Member", onDelete: .cascade),
      .init(2, "at", .real), .init(3, "note", .text, isOptional: true),
    ], indexes: [[1, 2]])
}

nonisolated extension Visit {
  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    id = try row.uuid(0)
    member = try row.text(1)
    at = try row.date(2)
    note = row.isNull(3) ? nil : try row.text(3)
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.uuid(id)
    row.text(member)
    try row.date(at)
    row.text(note)
  }
}

/// A bill of a member, who cannot be deleted meanwhile.
nonisolated struct Bill: StorageRecord {
  typealias Database = ClubDatabase

  var id: Int
  var member: String

  struct Columns: Sendable {
    let id = RecordColumn<Bill, Int>(0)
    let member = RecordColumn<Bill, String>(1)
  }

  static var columns: Columns { Columns() }

  static let declaration = RecordDeclaration(
    "Bill", key: 1, [.init(1, "id", .integer), .init(2, "member", .text, references: "Member")])
}

nonisolated extension Bill {
  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    id = try row.integer(0)
    member = try row.text(1)
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.integer(id)
    row.text(member)
  }
}

nonisolated enum ClubDatabase: RecordDatabase {
  static let declaration = RecordDatabaseDeclaration(
    "club", .fileSystem(directory: .applicationSupport),
    records: { [Member.declaration, Visit.declaration, Bill.declaration] })
}

nonisolated extension StorageRouter {
  var members: Records<Member> { records(Member.self) }
  var visits: Records<Visit> { records(Visit.self) }
  var bills: Records<Bill> { records(Bill.self) }
}

nonisolated extension RecordTransaction<ClubDatabase> {
  var members: TransactionRecords<Member> { records(Member.self) }
  var visits: TransactionRecords<Visit> { records(Visit.self) }
}

enum ClubCatalog: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [] }
  static var parts: [StorageCatalogPart] { [.records(ClubDatabase.self)] }
}
