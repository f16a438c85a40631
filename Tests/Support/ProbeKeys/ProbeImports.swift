@_spi(Generated) package import LocalData
@_spi(Generated) import LocalDataImport
@_spi(Generated) package import LocalDataRecords

/// A note that an earlier release has stored with another library, in the form that the generator emits.
package struct ProbeNote: StorageRecord {
  package enum Database: RecordDatabase {
    package static let declaration = RecordDatabaseDeclaration(
      "imported", .fileSystem(directory: .documents),
      opening: .imports {
        [
          .store(
            "oldNotes", .sqlite(), ImportedPlace(.applicationSupport, ["Old", "notes.sqlite"]), isExclusive: true,
            [
              RecordImport(
                ProbeNote.self, ImportedTable("note", [.value("id", for: "id"), .value("body", for: "text")])
              ) { row, _ in try ProbeNote(id: row.value(0), text: row.value(1)) }
            ])
        ]
      }, records: { [ProbeNote.self] })
  }

  package struct Columns: Sendable {}

  package static let declaration = RecordDeclaration(
    "Note", key: 1, [.init(1, "id", .text), .init(2, "text", .text)])
  package static var columns: Columns { Columns() }

  package var id: String
  package var text: String

  package init(id: String, text: String) {
    self.id = id
    self.text = text
  }

  package init(_ row: borrowing RecordRow) throws(StorageProblem) { (id, text) = (try row.text(0), try row.text(1)) }

  package func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.text(id)
    row.text(text)
  }
}

extension StorageRouter {
  package nonisolated var notes: Records<ProbeNote> { records(ProbeNote.self) }

  /// Registers the catalog of the notes.
  package nonisolated func registerNotes() throws { try registerCatalog(ProbeRecordCatalog<ProbeNote>.self) }
}
