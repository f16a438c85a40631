import Foundation
@_spi(Generated) import LocalData
@_spi(Generated) @testable import LocalDataRecords

/// A row of EverySealed as a program that knows no Swift finds it: the message of its opened sealed part.
nonisolated struct OpenedPart: StorageRecord {
  typealias Database = EveryDatabase

  static var declaration: RecordDeclaration { EverySealed.declaration }
  static var columns: EverySealed.Columns { EverySealed.columns }

  var id: UUID
  private var fields = RecordUnknownFields()

  var message: Data { Data(fields.bytes) }

  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    id = try row.uuid(0)
    var fields = RecordUnknownFields()
    try row.sealed(2, Self.declaration, key: id) { (reader) throws(StorageProblem) in
      while let field = try reader.next() { try fields.keep(field, &reader) }
    }
    self.fields = fields
  }

  /// Is not called: the rows are saved as EverySealed.
  func write(to row: inout RecordWriter) throws(StorageProblem) {}
}
