import Foundation
@_spi(Generated) import LocalData
@_spi(Generated) import LocalDataRecords

/// The same record in several releases of an app.
enum NoteReleases {
  /// The first release.
  struct One: StorageRecord {
    enum Database: RecordDatabase {
      static let declaration = NoteReleases.database { [One.declaration] }
    }
    struct Columns: Sendable {
      let text = RecordColumn<One, String>(1)
    }
    static let declaration = RecordDeclaration(
      "Note", key: 1, [.init(1, "id", .text), .init(2, "text", .text), .init(3, "color", .text, default: "'red'")],
      indexes: [[2]])
    static var columns: Columns { Columns() }

    var id = ""
    var text = ""
    var color = "red"
  }

  /// The text has another name, and another field has the name `text`.
  struct Two: StorageRecord {
    enum Database: RecordDatabase {
      static let declaration = NoteReleases.database { [Two.declaration, Tag.declaration] }
    }
    struct Columns: Sendable {
      let body = RecordColumn<Two, String>(1)
      let text = RecordColumn<Two, String>(3)
    }
    static let declaration = RecordDeclaration(
      "Note", key: 1,
      [
        .init(1, "id", .text), .init(2, "body", .text), .init(3, "color", .text, default: "'red'"),
        .init(4, "text", .text, default: "'none'"),
      ], indexes: [[2], [4]])
    static var columns: Columns { Columns() }

    var id = ""
    var body = ""
    var color = "red"
    var text = "none"
  }

  struct Tag: StorageRecord {
    typealias Database = Two.Database
    struct Columns: Sendable {}
    static let declaration = RecordDeclaration(
      "Tag", key: 1, [.init(1, "id", .text), .init(2, "note", .text, references: "Note", onDelete: .cascade)])
    static var columns: Columns { Columns() }

    var id = ""
    var note = ""
  }

  /// The color is gone, and so is its name.
  struct Three: StorageRecord {
    enum Database: RecordDatabase {
      static let declaration = NoteReleases.database { [Three.declaration] }
    }
    struct Columns: Sendable {}
    static let declaration = RecordDeclaration(
      "Note", key: 1, [.init(1, "id", .text), .init(2, "body", .text)], indexes: [[2]],
      reserved: [.init(3, deletesValues: true)])
    static var columns: Columns { Columns() }

    var id = ""
    var body = ""
  }

  /// The number of the text has another type, as two branches of development may declare it.
  struct Other: StorageRecord {
    enum Database: RecordDatabase {
      static let declaration = NoteReleases.database { [Other.declaration] }
    }
    struct Columns: Sendable {}
    static let declaration = RecordDeclaration("Note", key: 1, [.init(1, "id", .text), .init(2, "size", .integer)])
    static var columns: Columns { Columns() }

    var id = ""
    var size = 0
  }

  static func database(_ records: @escaping @Sendable () -> [RecordDeclaration]) -> RecordDatabaseDeclaration {
    RecordDatabaseDeclaration("notes", .fileSystem(directory: .documents), records: records)
  }

  enum Catalog<Record: StorageRecord>: StorageKeyCatalog {
    static var allKeys: [AnyStorageKey] { [] }
    static var parts: [StorageCatalogPart] { [.records(Record.Database.self)] }
  }
}

extension NoteReleases.One {
  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    (id, text, color) = (try row.text(0), try row.text(1), try row.text(2))
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.text(id)
    row.text(text)
    row.text(color)
  }
}

extension NoteReleases.Two {
  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    (id, body, color, text) = (try row.text(0), try row.text(1), try row.text(2), try row.text(3))
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.text(id)
    row.text(body)
    row.text(color)
    row.text(text)
  }
}

extension NoteReleases.Tag {
  init(_ row: borrowing RecordRow) throws(StorageProblem) { (id, note) = (try row.text(0), try row.text(1)) }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.text(id)
    row.text(note)
  }
}

extension NoteReleases.Three {
  init(_ row: borrowing RecordRow) throws(StorageProblem) { (id, body) = (try row.text(0), try row.text(1)) }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.text(id)
    row.text(body)
  }
}

extension NoteReleases.Other {
  init(_ row: borrowing RecordRow) throws(StorageProblem) { (id, size) = (try row.text(0), try row.integer(1)) }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.text(id)
    row.integer(size)
  }
}
