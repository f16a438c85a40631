import Foundation
@_spi(Generated) package import LocalData
@_spi(Generated) package import LocalDataRecords

/// Two releases of the records of a probe. The second one's merge changes the tables in every way.
package enum ProbeTrip {
  /// A trip with a text in plain, and the key of a guide.
  package struct Before: StorageRecord {
    package enum Database: RecordDatabase {
      package static let declaration = ProbeTrip.database { [Guide<Before>.declaration, Before.declaration] }
    }
    package struct Columns: Sendable {}
    package static let declaration = RecordDeclaration(
      "Trip", key: 1,
      [.init(1, "id", .text), .init(2, "length", .text), .init(3, "note", .text), .init(4, "guide", .text)],
      indexes: [[4]])
    package static var columns: Columns { Columns() }

    package var id, length, note, guide: String

    package init(id: String, length: String, note: String, guide: String) {
      (self.id, self.length, self.note, self.guide) = (id, length, note, guide)
    }

    package init(_ row: borrowing RecordRow) throws(StorageProblem) {
      (id, length, note, guide) = (try row.text(0), try row.text(1), try row.text(2), try row.text(3))
    }

    package func write(to row: inout RecordWriter) throws(StorageProblem) {
      for text in [id, length, note, guide] { row.text(text) }
    }
  }

  /// A trip with a number, an encrypted note, and a reference. No two trips have the same number.
  package struct After: StorageRecord {
    package enum Database: RecordDatabase {
      package static let declaration = ProbeTrip.database { [Guide<After>.declaration, After.declaration] }
    }
    package struct Columns: Sendable {}
    package static let declaration = RecordDeclaration(
      "Trip", key: 1,
      [
        .init(1, "id", .text), .init(4, "guide", .text, references: "Guide", onDelete: .cascade),
        .init(5, "length", .integer), .init(0, "sealed", .sealed),
      ],
      sealed: [.init(6, "String")], indexes: [[4]], unique: [[5]], keepLast: [[5]], reserved: [.init(2), .init(3)],
      transforms: [
        .init(5, from: [.init(2, .text)]) { row, reader, column in column.integer(try row.text(0).utf8.count) },
        .sealed(6, from: [.init(3, .text)]) { row, reader, writer in
          writer.text(try row.text(0).uppercased(), 6)
          return nil
        },
      ])
    package static var columns: Columns { Columns() }

    package var id: String
    package var guide: String
    package var length: Int
    package var note: String

    package init(id: String, guide: String, length: Int, note: String) {
      (self.id, self.guide, self.length, self.note) = (id, guide, length, note)
    }

    package init(_ row: borrowing RecordRow) throws(StorageProblem) {
      let id = try row.text(0)
      var note = ""
      try row.sealed(3, Self.declaration, key: id) { (reader) throws(StorageProblem) in
        while let field = try reader.next() {
          if field.tag == 50 { note = try reader.text() } else { try reader.skip(field) }
        }
      }
      self.init(id: id, guide: try row.text(1), length: try row.integer(2), note: note)
    }

    package func write(to row: inout RecordWriter) throws(StorageProblem) {
      row.text(id)
      row.text(guide)
      row.integer(length)
      try row.sealed(Self.declaration, key: id, RecordUnknownFields()) { $0.text(note, 6) }
    }
  }

  /// A guide, which both releases have.
  package struct Guide<Trip: StorageRecord>: StorageRecord {
    package typealias Database = Trip.Database
    package struct Columns: Sendable {}
    package static var declaration: RecordDeclaration { ProbeTrip.guide }
    package static var columns: Columns { Columns() }
    package var id: String

    package init(id: String) { self.id = id }
    package init(_ row: borrowing RecordRow) throws(StorageProblem) { id = try row.text(0) }
    package func write(to row: inout RecordWriter) throws(StorageProblem) { row.text(id) }
  }

  fileprivate static let guide = RecordDeclaration("Guide", key: 1, [.init(1, "id", .text)])

  private static func database(
    _ records: @escaping @Sendable () -> [RecordDeclaration]
  ) -> RecordDatabaseDeclaration {
    RecordDatabaseDeclaration("trips", .fileSystem(directory: .documents), records: records)
  }

  /// The catalog of a release.
  package enum Catalog<Trip: StorageRecord>: StorageKeyCatalog {
    package static var allKeys: [AnyStorageKey] { [] }
    package static var parts: [StorageCatalogPart] { [.records(Trip.Database.self)] }
  }

  /// Returns a router for a release whose folders are all in one.
  package static func router<Trip: StorageRecord>(in folder: String, _ trip: Trip.Type) throws -> StorageRouter {
    let router = StorageRouter(
      configuration: StorageConfiguration(
        applicationName: "Probe", roots: StorageRoots(below: URL(fileURLWithPath: folder)), timeout: .seconds(60)))
    try router.registerCatalog(Catalog<Trip>.self)
    return router
  }

  /// The trips of the first release. Two have lengths of one size, and one has a guide who does not exist.
  package static let old = [
    Before(id: "a", length: "four", note: "secret", guide: "g"), Before(id: "b", length: "five", note: "", guide: "g"),
    Before(id: "c", length: "seven", note: "c", guide: "lost"), Before(id: "d", length: "", note: "d", guide: "g"),
  ]

  /// The same trips in the second release.
  package static let new = [
    After(id: "b", guide: "g", length: 4, note: ""), After(id: "d", guide: "g", length: 0, note: "D"),
  ]
}
