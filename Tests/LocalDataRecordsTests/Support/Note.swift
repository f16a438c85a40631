@_spi(Generated) import LocalDataRecords
import LocalDataFoundation
import LocalDataSystem
import LocalDataVocabulary

/// A record as the generator emits it, with columns of several types.
struct Note: StorageRecord {
  typealias Database = NoteDatabase

  enum Kind: String {
    case draft = "d"
    case letter = "l"
  }

  var id: UUID
  var text: String
  var title: String?
  var count: Int32
  var createdAt: Date
  var endsAt: Date?
  var kind: Kind

  struct Columns {
    let id = RecordColumn<Note, UUID>(0)
    let text = RecordColumn<Note, String>(1)
    let title = RecordColumn<Note, String?>(2)
    let count = RecordColumn<Note, Int32>(3)
    let createdAt = RecordColumn<Note, Date>(4)
    let endsAt = RecordColumn<Note, Date?>(5)
    let kind = RecordColumn<Note, Kind>(6)
    let owner = BlindColumn<Note, String?>(7, 9)
  }

  static var columns: Columns { Columns() }

  static let declaration = RecordDeclaration(
    "Note", key: 7,
    [
      .init(7, "id", .blob), .init(1, "text", .text), .init(2, "title", .text, isOptional: true),
      .init(3, "count", .integer), .init(4, "createdAt", .real), .init(5, "endsAt", .real, isOptional: true),
      .init(6, "kind", .text), .init(9, "owner.blind", .blindIndex),
    ])

  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    id = try row.uuid(0)
    text = try row.text(1)
    title = row.isNull(2) ? nil : try row.text(2)
    count = try row.integer(3)
    createdAt = try row.date(4)
    endsAt = row.isNull(5) ? nil : try row.date(5)
    kind = try row.textEnumeration(6)
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.uuid(id)
    row.text(text)
    row.text(title)
    row.integer(count)
    try row.date(createdAt)
    try row.date(endsAt)
    row.enumeration(kind)
    row.null()
  }
}

extension Note.Kind: RecordValue {}

enum NoteDatabase: RecordDatabase {
  static let declaration = RecordDatabaseDeclaration("notes", .fileSystem(directory: .applicationSupport)) {
    [Note.declaration]
  }
}
