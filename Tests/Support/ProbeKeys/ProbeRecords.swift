@_spi(Generated) package import LocalData
@_spi(Generated) package import LocalDataRecords

// Records in the form that the generator emits, the same in every process, in two releases of one database.

/// A folder with pages. The second release adds a label, an index and another record.
package struct ProbeFolder: StorageRecord {
  package enum Database: RecordDatabase {
    package static let declaration = RecordDatabaseDeclaration(
      "probe", .fileSystem(directory: .documents), records: { [ProbeFolder.self, ProbePage.self] })
  }

  package struct Columns: Sendable {
    package let text = RecordColumn<ProbeFolder, String>(1)
  }

  package static let declaration = RecordDeclaration(
    "Folder", key: 1, [.init(1, "id", .text), .init(2, "text", .text), .init(3, "count", .integer, default: "0")])
  package static var columns: Columns { Columns() }

  package var id: String
  package var text: String
  package var count: Int

  package init(id: String, text: String, count: Int = 0) { (self.id, self.text, self.count) = (id, text, count) }

  package init(_ row: borrowing RecordRow) throws(StorageProblem) {
    (id, text, count) = (try row.text(0), try row.text(1), try row.integer(2))
  }

  package func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.text(id)
    row.text(text)
    row.integer(count)
  }
}

/// A page of a folder, with an encrypted field. It is deleted with its folder.
package struct ProbePage: StorageRecord {
  package typealias Database = ProbeFolder.Database

  package struct Columns: Sendable {
    package let folder = RecordColumn<ProbePage, String>(1)
  }

  package static let declaration = RecordDeclaration(
    "Page", key: 1,
    [
      .init(1, "id", .integer), .init(2, "folder", .text, references: "Folder", onDelete: .cascade),
      .init(0, "sealed", .sealed),
    ], sealed: [.init(3, "String")], indexes: [[2]])
  package static var columns: Columns { Columns() }

  package var id: Int
  package var folder: String
  package var secret: String

  package init(id: Int, folder: String, secret: String) {
    (self.id, self.folder, self.secret) = (id, folder, secret)
  }

  package init(_ row: borrowing RecordRow) throws(StorageProblem) {
    (id, folder, secret) = (try row.integer(0), try row.text(1), "")
    try row.sealed(2, Self.declaration, key: id) { (reader) throws(StorageProblem) in
      while let field = try reader.next() {
        if field.tag == 26 { secret = try reader.text() } else { try reader.skip(field) }
      }
    }
  }

  package func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.integer(id)
    row.text(folder)
    try row.sealed(Self.declaration, key: id, RecordUnknownFields()) { writer in writer.text(secret, 3) }
  }
}

/// The folder of the second release.
package struct ProbeLabelledFolder: StorageRecord {
  package enum Database: RecordDatabase {
    package static let declaration = RecordDatabaseDeclaration(
      "probe", .fileSystem(directory: .documents),
      records: { [ProbeLabelledFolder.self, ProbePage.self, ProbeLabel.self] })
  }

  package struct Columns: Sendable {
    package let label = RecordColumn<ProbeLabelledFolder, String>(3)
  }

  package static let declaration = RecordDeclaration(
    "Folder", key: 1,
    [
      .init(1, "id", .text), .init(2, "text", .text), .init(3, "count", .integer, default: "0"),
      .init(4, "label", .text, default: "'none'"),
    ], indexes: [[4]])
  package static var columns: Columns { Columns() }

  package var id: String
  package var text: String
  package var count: Int
  package var label: String

  package init(_ row: borrowing RecordRow) throws(StorageProblem) {
    (id, text, count, label) = (try row.text(0), try row.text(1), try row.integer(2), try row.text(3))
  }

  package func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.text(id)
    row.text(text)
    row.integer(count)
    row.text(label)
  }
}

/// A record that the second release adds.
package struct ProbeLabel: StorageRecord {
  package typealias Database = ProbeLabelledFolder.Database
  package struct Columns: Sendable {}

  package static let declaration = RecordDeclaration("Label", key: 1, [.init(1, "id", .text)])
  package static var columns: Columns { Columns() }

  package var id: String

  package init(_ row: borrowing RecordRow) throws(StorageProblem) { id = try row.text(0) }

  package func write(to row: inout RecordWriter) throws(StorageProblem) { row.text(id) }
}

/// The catalog of a release, by its record.
package enum ProbeRecordCatalog<Record: StorageRecord>: StorageKeyCatalog {
  package static var allKeys: [AnyStorageKey] { [] }
  package static var parts: [StorageCatalogPart] { [.records(Record.Database.self)] }
}

extension StorageRouter {
  package nonisolated var folders: Records<ProbeFolder> { records(ProbeFolder.self) }
  package nonisolated var pages: Records<ProbePage> { records(ProbePage.self) }
}

extension RecordTransaction<ProbeFolder.Database> {
  package var folders: TransactionRecords<ProbeFolder> { records(ProbeFolder.self) }
  package var pages: TransactionRecords<ProbePage> { records(ProbePage.self) }
}
