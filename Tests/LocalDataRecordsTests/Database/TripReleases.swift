import Foundation
@_spi(Generated) import LocalData
@_spi(Generated) @testable import LocalDataRecords

/// A release of an app that stores the length of a trip in its own way.
protocol TripRelease: Sendable {
  static var declaration: RecordDeclaration { get }
  static func read(_ row: borrowing RecordRow, _ id: String) throws(StorageProblem) -> String
  static func write(_ length: String, _ id: String, to row: inout RecordWriter) throws(StorageProblem)
}

/// A trip. All releases have one table.
nonisolated struct Trip<Release: TripRelease>: StorageRecord {
  enum Database: RecordDatabase {
    static var declaration: RecordDatabaseDeclaration {
      RecordDatabaseDeclaration(
        "trips", .fileSystem(directory: .documents), records: { [Release.declaration, TripNote.declaration] })
    }
  }
  struct Columns: Sendable {
    let length = BlindColumn<Trip, String>(1, 5)
  }
  static var columns: Columns { Columns() }
  static var declaration: RecordDeclaration { Release.declaration }

  var id: String
  var length: String

  init(_ id: String, _ length: String) { (self.id, self.length) = (id, length) }

  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    id = try row.text(0)
    length = try Release.read(row, id)
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.text(id)
    try Release.write(length, id, to: &row)
  }
}

/// A record that no release changes, in the same database.
nonisolated struct TripNote: StorageRecord {
  typealias Database = Trip<TextTrip>.Database
  struct Columns: Sendable {}
  static let declaration = RecordDeclaration("TripNote", key: 1, [.init(1, "id", .text)])
  static var columns: Columns { Columns() }
  var id: String

  init(_ row: borrowing RecordRow) throws(StorageProblem) { id = try row.text(0) }
  func write(to row: inout RecordWriter) throws(StorageProblem) { row.text(id) }
}

enum TripCatalog<Release: TripRelease>: StorageKeyCatalog {
  static var allKeys: [AnyStorageKey] { [] }
  static var parts: [StorageCatalogPart] { [.records(Trip<Release>.Database.self)] }
}

struct NotANumber: Error {}

/// The transforms of an app.
enum Trips {
  static func seconds(_ text: String) throws -> Int {
    guard let number = Int(text) else { throw NotANumber() }
    return number
  }
}

/// The first release: a text.
enum TextTrip: TripRelease {
  static let declaration = RecordDeclaration(
    "Trip", key: 1, [.init(1, "id", .text), .init(2, "length", .text)], indexes: [[2]])

  static func read(_ row: borrowing RecordRow, _ id: String) throws(StorageProblem) -> String { try row.text(1) }
  static func write(_ length: String, _ id: String, to row: inout RecordWriter) { row.text(length) }
}

/// The second release: a whole number.
enum NumberTrip: TripRelease {
  static let declaration = RecordDeclaration(
    "Trip", key: 1, [.init(1, "id", .text), .init(3, "length", .integer)], reserved: [.init(2, deletesValues: true)],
    transforms: [
      .init(3, from: [.init(2, .text)]) { row, reader, column in column.integer(try Trips.seconds(row.text(0))) }
    ])

  static func read(_ row: borrowing RecordRow, _ id: String) throws(StorageProblem) -> String {
    let number: Int = try row.integer(1)
    return "\(number)"
  }
  static func write(_ length: String, _ id: String, to row: inout RecordWriter) { row.integer(Int(length) ?? 0) }
}

/// The third release: an encrypted text with an index.
enum SealedTrip: TripRelease {
  static let declaration = RecordDeclaration(
    "Trip", key: 1, [.init(1, "id", .text), .init(5, "length.blind", .blindIndex), .init(0, "sealed", .sealed)],
    sealed: [.init(5, "String", isRequired: true)], indexes: [[5]], reserved: [.init(2), .init(3)],
    transforms: [
      .sealed(5, from: [.init(3, .integer)]) { row, reader, writer in
        let number: Int = try row.integer(0)
        writer.text("\(number) s", 5)
        return "\(number) s".recordLiteral
      },
      .sealed(5, from: [.init(2, .text)]) { row, reader, writer in
        let text = try "\(Trips.seconds(row.text(0))) s"
        writer.text(text, 5)
        return text.recordLiteral
      },
    ])

  static func read(_ row: borrowing RecordRow, _ id: String) throws(StorageProblem) -> String {
    var length = ""
    try row.sealed(2, declaration, key: id) { (reader) throws(StorageProblem) in
      while let field = try reader.next() {
        if field.tag == 42 { length = try reader.text() } else { try reader.skip(field) }
      }
    }
    return length
  }
  static func write(_ length: String, _ id: String, to row: inout RecordWriter) throws(StorageProblem) {
    row.blind(length, 5, declaration)
    try row.sealed(declaration, key: id, RecordUnknownFields()) { $0.text(length, 5) }
  }
}

/// The third release, which keeps trips until the app is launched again.
enum LaunchTrip: TripRelease {
  static let declaration = RecordDeclaration(
    "Trip", key: 1, SealedTrip.declaration.columns, sealed: SealedTrip.declaration.sealed, indexes: [[5]],
    reserved: SealedTrip.declaration.reserved, transforms: SealedTrip.declaration.transforms,
    retention: .untilRelaunch)

  static func read(_ row: borrowing RecordRow, _ id: String) throws(StorageProblem) -> String {
    try SealedTrip.read(row, id)
  }
  static func write(_ length: String, _ id: String, to row: inout RecordWriter) throws(StorageProblem) {
    try SealedTrip.write(length, id, to: &row)
  }
}

/// The fourth release: another encrypted field, made from the encrypted one.
enum LaterTrip: TripRelease {
  static let declaration = RecordDeclaration(
    "Trip", key: 1, [.init(1, "id", .text), .init(0, "sealed", .sealed)],
    sealed: [.init(6, "String", isRequired: true)], reserved: [.init(2), .init(3), .init(5)],
    transforms: [
      .sealed(6, from: [.init(5, sealed: "String")]) { row, reader, writer in
        writer.text(try text(&reader).uppercased(), 6)
        return nil
      },
      .sealed(6, from: [.init(3, .integer)]) { row, reader, writer in
        let number: Int = try row.integer(0)
        writer.text("\(number) S", 6)
        return nil
      },
    ])

  static func text(_ reader: inout WireReader) throws -> String {
    var text = ""
    while let field = try reader.next() {
      if field.tag == 42 { text = try reader.text() } else { try reader.skip(field) }
    }
    return text
  }

  static func read(_ row: borrowing RecordRow, _ id: String) throws(StorageProblem) -> String {
    var length = ""
    try row.sealed(1, declaration, key: id) { (reader) throws(StorageProblem) in
      while let field = try reader.next() {
        if field.tag == 50 { length = try reader.text() } else { try reader.skip(field) }
      }
    }
    return length
  }
  static func write(_ length: String, _ id: String, to row: inout RecordWriter) throws(StorageProblem) {
    try row.sealed(declaration, key: id, RecordUnknownFields()) { $0.text(length, 6) }
  }
}

/// A fifth release: a plain text, made from the encrypted one.
enum OpenTrip: TripRelease {
  static let declaration = RecordDeclaration(
    "Trip", key: 1, [.init(1, "id", .text), .init(7, "length", .text)],
    reserved: [.init(2), .init(3), .init(5), .init(6)],
    transforms: [
      .init(7, from: [.init(5, sealed: "String")]) { row, reader, column in
        column.text(try LaterTrip.text(&reader) + "!")
      }
    ])

  static func read(_ row: borrowing RecordRow, _ id: String) throws(StorageProblem) -> String { try row.text(1) }
  static func write(_ length: String, _ id: String, to row: inout RecordWriter) { row.text(length) }
}
