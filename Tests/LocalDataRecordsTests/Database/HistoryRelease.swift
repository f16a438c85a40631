@_spi(Generated) @testable import LocalDataRecords
import LocalDataFoundation
import LocalDataSystem
import LocalDataVocabulary
import TestSupport

/// A release of an app with one record, whose fields are decided at run time.
final class HistoryRelease: Sendable {
  struct Field: Sendable {
    var number: Int
    var name: String
    var kind: Kind
    var isIndexed = false
  }

  enum Kind: CaseIterable, Sendable {
    case required, optional, withDefault, sealed, blind

    var isSealed: Bool { self == .sealed || self == .blind }
  }

  static let defaultText = "none"

  let fields: [Field]
  let declaration: RecordDeclaration

  init(_ fields: [Field], reserved: [RecordDeclaration.ReservedNumber]) {
    self.fields = fields
    let sealed = fields.filter(\.kind.isSealed)
    declaration = RecordDeclaration(
      "Row", key: 1,
      [.init(1, "id", .integer)] + fields.compactMap(Self.column)
        + (sealed.isEmpty ? [] : [.init(0, "sealed", .sealed)]),
      sealed: sealed.map { .init($0.number, "String") },
      indexes: fields.filter { $0.isIndexed && $0.kind != .sealed }.map { [$0.number] }, reserved: reserved)
  }

  private static func column(_ field: Field) -> RecordDeclaration.Column? {
    switch field.kind {
    case .required: .init(field.number, field.name, .text)
    case .optional: .init(field.number, field.name, .text, isOptional: true)
    case .withDefault: .init(field.number, field.name, .text, default: "'\(defaultText)'")
    case .blind: .init(field.number, field.name + ".blind", .blindIndex)
    case .sealed: nil
    }
  }

  /// The fields with a column, in the order of the columns after the key.
  var columns: [Field] { fields.filter { $0.kind != .sealed } }

  var hasSealedPart: Bool { !declaration.sealed.isEmpty }

  /// Returns what this release reads of a row.
  func read(_ values: [Int: String]) -> [Int: String] {
    var read: [Int: String] = [:]
    for field in fields {
      read[field.number] = values[field.number] ?? (field.kind == .withDefault ? Self.defaultText : nil)
    }
    return read
  }
}

extension HistoryRelease {
  /// Returns the releases of an app, each of which adds, renames, reserves and indexes fields of the one before.
  static func all(_ random: inout SeededRandom) -> [HistoryRelease] {
    var fields = Kind.allCases.enumerated().map { Field(number: $0 + 2, name: "a\($0)", kind: $1) }
    var reserved: [RecordDeclaration.ReservedNumber] = []
    var last = fields.count + 1
    var releases = [HistoryRelease(fields, reserved: [])]
    for _ in 0..<Int.random(in: 2...4, using: &random) {
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        // Names are used again, numbers never.
        let name = (0..<8).map { "a\($0)" }.filter { name in !fields.contains { $0.name == name } }
          .randomElement(using: &random)
        let index = fields.indices.randomElement(using: &random)
        switch (Int.random(in: 0..<9, using: &random), index) {
        case (0, let index?): fields[index].name = name ?? fields[index].name
        case (1, let index?):
          reserved.append(.init(fields.remove(at: index).number, deletesValues: Bool.random(using: &random)))
        case (2, let index?): fields[index].isIndexed.toggle()
        case (3, _):
          // The release has no encrypted part any more.
          reserved += fields.filter(\.kind.isSealed).map { .init($0.number) }
          fields.removeAll(where: \.kind.isSealed)
        default:
          last += 1
          // Rows of earlier releases have no value of a field that is required.
          let kinds = Kind.allCases.filter { $0 != .required }
          if let name, let kind = kinds.randomElement(using: &random) {
            fields.append(Field(number: last, name: name, kind: kind))
          }
        }
      }
      releases.append(HistoryRelease(fields, reserved: reserved))
    }
    return releases
  }
}

/// A record with the fields of the current release, in the form that the generator emits.
struct HistoryRow: StorageRecord {
  enum Database: RecordDatabase {
    static var declaration: RecordDatabaseDeclaration { HistoryRow.database(HistoryRow.release) }
  }
  struct Columns: Sendable {}

  @TaskLocal static var release = HistoryRelease([], reserved: [])
  static var declaration: RecordDeclaration { release.declaration }
  static var columns: Columns { Columns() }

  var id: Int
  /// The values by the numbers of their fields.
  var values: [Int: String]
  private var unknownFields = RecordUnknownFields()

  init(id: Int, values: [Int: String]) { (self.id, self.values) = (id, values) }

  static func database(_ release: HistoryRelease) -> RecordDatabaseDeclaration {
    RecordDatabaseDeclaration("history", .fileSystem(directory: .documents), records: { [release.declaration] })
  }

  init(_ row: borrowing RecordRow) throws(StorageProblem) {
    let release = Self.release
    self.init(id: try row.integer(0), values: [:])
    for (position, field) in release.columns.enumerated() {
      switch field.kind {
      case .required, .withDefault: values[field.number] = try row.text(Int32(position) + 1)
      case .optional: values[field.number] = row.isNull(Int32(position) + 1) ? nil : try row.text(Int32(position) + 1)
      case .sealed, .blind: break
      }
    }
    let sealed = Set(release.fields.filter(\.kind.isSealed).map(\.number))
    guard !sealed.isEmpty else { return }
    try row.sealed(Int32(release.columns.count) + 1, release.declaration, key: id) { (reader) throws(StorageProblem) in
      while let field = try reader.next() {
        let number = Int(field.tag >> 3)
        if sealed.contains(number) {
          values[number] = try reader.text()
        } else {
          try unknownFields.keep(field, &reader)
        }
      }
    }
  }

  func write(to row: inout RecordWriter) throws(StorageProblem) {
    let release = Self.release
    row.integer(id)
    for field in release.columns {
      if field.kind == .blind {
        row.blind(values[field.number], field.number, release.declaration)
      } else {
        row.text(values[field.number])
      }
    }
    let sealed = release.fields.filter(\.kind.isSealed)
    guard !sealed.isEmpty else { return }
    try row.sealed(release.declaration, key: id, unknownFields) { writer in
      for field in sealed { writer.text(values[field.number], field.number) }
    }
  }
}
