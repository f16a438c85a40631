@_spi(Generated) @testable import LocalDataRecords
import LocalDataFoundation
import LocalDataSystem
import LocalDataVocabulary

/// A record with encrypted fields, as the generator emits it.
struct Secret: StorageRecord {
  typealias Database = NoteDatabase

  var id: String
  var token: String
  var issuer: String?
  var kind: Note.Kind
  private var unknownFields = RecordUnknownFields()

  init(id: String, token: String, issuer: String? = nil, kind: Note.Kind = .draft) {
    self.id = id
    self.token = token
    self.issuer = issuer
    self.kind = kind
  }

  struct Columns {
    let id = RecordColumn<Secret, String>(0)
    let issuer = BlindColumn<Secret, String?>(1, 6)
  }

  static var columns: Columns { Columns() }

  static let declaration = RecordDeclaration(
    "Secret", key: 1, [.init(1, "id", .text), .init(6, "issuer.blind", .blindIndex), .init(0, "sealed", .sealed)],
    sealed: [.init(3, "String"), .init(6, "String"), .init(2, "Kind", isRequired: true)])

  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    let id = try row.text(0)
    var token = ""
    var issuer: String?
    var kind: Note.Kind?
    var unknownFields = RecordUnknownFields()
    try row.sealed(2, Self.declaration, key: id) { (reader) throws(StorageProblem) in
      while let field = try reader.next() {
        switch field.tag {
        case 18: kind = try reader.textEnumeration()
        case 26: token = try reader.text()
        case 50: issuer = try reader.text()
        default: try unknownFields.keep(field, &reader)
        }
      }
    }
    guard let kind else { throw .corrupted }
    self.init(id: id, token: token, issuer: issuer, kind: kind)
    self.unknownFields = unknownFields
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.text(id)
    row.blind(issuer, 6, Self.declaration)
    try row.sealed(Self.declaration, key: id, unknownFields) { writer in
      writer.textEnumeration(kind, 2)
      writer.text(token, 3)
      writer.text(issuer, 6)
    }
  }
}

extension RecordSealer {
  func seal(_ message: Data, record: String, key: Data) throws(StorageProblem) -> Data {
    Data(try seal(Array(message), record: record, key: key))
  }
}
