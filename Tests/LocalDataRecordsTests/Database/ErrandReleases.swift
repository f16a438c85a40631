import Foundation
@_spi(Generated) import LocalData
@_spi(Generated) @testable import LocalDataRecords

/// A release of an app that stores errands in its own way.
protocol ErrandRelease: Sendable {
  static var declaration: RecordDeclaration { get }
  static var home: RecordDatabaseDeclaration { get }
  static func read(_ row: borrowing RecordRow, _ id: Int) throws(StorageProblem) -> (note: String?, isOpen: Bool)
  static func write(
    _ note: String?, _ isOpen: Bool, _ id: Int, to row: inout RecordWriter) throws(StorageProblem)
}

extension ErrandRelease {
  static var home: RecordDatabaseDeclaration { errands("errands") }

  static func errands(
    _ name: String, movedFrom: [RecordDatabaseDeclaration.Address] = []
  ) -> RecordDatabaseDeclaration {
    RecordDatabaseDeclaration(
      name, .fileSystem(directory: .documents), movedFrom: movedFrom, records: { [Errand<Self>.self] })
  }

  fileprivate static func columns(_ others: [RecordDeclaration.Column]) -> [RecordDeclaration.Column] {
    [
      .init(1, "id", .integer),
      .init(2, "parent", .integer, isOptional: true, references: "Errand", onDelete: .setNull),
    ] + others
  }
}

/// An errand, which may refer to another one. All releases have one table.
nonisolated struct Errand<Release: ErrandRelease>: StorageRecord, Equatable {
  enum Database: RecordDatabase {
    static var declaration: RecordDatabaseDeclaration { Release.home }
  }
  struct Columns: Sendable {}
  static var columns: Columns { Columns() }
  static var declaration: RecordDeclaration { Release.declaration }

  var id: Int
  var parent: Int?
  var note: String?
  var isOpen: Bool

  init(_ id: Int, parent: Int? = nil, note: String? = nil, isOpen: Bool = true) {
    self.id = id
    self.parent = parent
    self.note = note
    self.isOpen = isOpen
  }

  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    id = try row.integer(0)
    parent = row.isNull(1) ? nil : try row.integer(1)
    (note, isOpen) = try Release.read(row, id)
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.integer(id)
    row.integer(parent)
    try Release.write(note, isOpen, id, to: &row)
  }
}

enum ErrandCatalog<Release: ErrandRelease>: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [] }
  static var parts: [StorageCatalogPart] { [.records(Errand<Release>.Database.self)] }
}

/// The encrypted fields: a flag that is true if it is absent, and a text.
private func sealed(
  _ row: borrowing RecordRow, _ column: Int32, _ declaration: RecordDeclaration, _ id: Int
) throws(StorageProblem) -> (note: String?, isOpen: Bool) {
  var (note, isOpen) = (String?.none, true)
  try row.sealed(column, declaration, key: id) { (reader) throws(StorageProblem) in
    while let field = try reader.next() {
      switch field.tag {
      case 4 << 3: isOpen = try reader.bool()
      case 5 << 3 | 2: note = try reader.text()
      default: try reader.skip(field)
      }
    }
  }
  return (note, isOpen)
}

/// The first release has no encrypted field.
enum PlainErrand: ErrandRelease {
  static let declaration = RecordDeclaration("Errand", key: 1, columns([.init(3, "note", .text, isOptional: true)]))

  static func read(_ row: borrowing RecordRow, _ id: Int) throws(StorageProblem) -> (note: String?, isOpen: Bool) {
    (row.isNull(2) ? nil : try row.text(2), true)
  }
  static func write(_ note: String?, _ isOpen: Bool, _ id: Int, to row: inout RecordWriter) { row.text(note) }
}

/// The second release adds an encrypted field.
enum FlaggedErrand: ErrandRelease {
  static let declaration = RecordDeclaration(
    "Errand", key: 1, columns([.init(3, "note", .text, isOptional: true), .init(0, "sealed", .sealed)]),
    sealed: [.init(4, "Bool")])

  static func read(_ row: borrowing RecordRow, _ id: Int) throws(StorageProblem) -> (note: String?, isOpen: Bool) {
    (row.isNull(2) ? nil : try row.text(2), try sealed(row, 3, declaration, id).isOpen)
  }
  static func write(
    _ note: String?, _ isOpen: Bool, _ id: Int, to row: inout RecordWriter
  ) throws(StorageProblem) {
    row.text(note)
    try row.sealed(declaration, key: id, RecordUnknownFields()) { if !isOpen { $0.bool(Optional(isOpen), 4) } }
  }
}

/// The third release encrypts the note.
enum SecretErrand: ErrandRelease {
  static let declaration = RecordDeclaration(
    "Errand", key: 1, columns([.init(0, "sealed", .sealed)]), sealed: [.init(4, "Bool"), .init(5, "String")],
    reserved: [.init(3)],
    transforms: [
      .sealed(5, from: [.init(3, .text, isOptional: true)]) { row, reader, writer in
        let note = row.isNull(0) ? nil : try row.text(0)
        writer.text(note, 5)
        return note?.recordLiteral
      }
    ])

  static func read(_ row: borrowing RecordRow, _ id: Int) throws(StorageProblem) -> (note: String?, isOpen: Bool) {
    try sealed(row, 2, declaration, id)
  }
  static func write(
    _ note: String?, _ isOpen: Bool, _ id: Int, to row: inout RecordWriter
  ) throws(StorageProblem) {
    try row.sealed(declaration, key: id, RecordUnknownFields()) { writer in
      if !isOpen { writer.bool(Optional(isOpen), 4) }
      writer.text(note, 5)
    }
  }
}

/// The fourth release has the database elsewhere.
enum MovedErrand: ErrandRelease {
  static let declaration = SecretErrand.declaration
  static var home: RecordDatabaseDeclaration {
    errands("trips", movedFrom: [.init("errands", .fileSystem(directory: .documents))])
  }

  static func read(_ row: borrowing RecordRow, _ id: Int) throws(StorageProblem) -> (note: String?, isOpen: Bool) {
    try SecretErrand.read(row, id)
  }
  static func write(
    _ note: String?, _ isOpen: Bool, _ id: Int, to row: inout RecordWriter
  ) throws(StorageProblem) { try SecretErrand.write(note, isOpen, id, to: &row) }
}

/// The fifth release has given all encrypted fields up.
enum OpenErrand: ErrandRelease {
  static let declaration = RecordDeclaration("Errand", key: 1, columns([]), reserved: [.init(3), .init(4), .init(5)])

  static func read(_ row: borrowing RecordRow, _ id: Int) -> (note: String?, isOpen: Bool) { (nil, true) }
  static func write(_ note: String?, _ isOpen: Bool, _ id: Int, to row: inout RecordWriter) {}
}
