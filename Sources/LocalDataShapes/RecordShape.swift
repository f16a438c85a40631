package import LocalDataVocabulary

/// The tables of a database, by the numbers of their fields. The database records its shape as JSON.
///
/// A field is found by its number. The file keeps the column name that the field had when the column was created.
package struct RecordShape: Sendable, Equatable, Codable {
  /// The version of this format.
  package static let currentFormat = 1

  package var format = RecordShape.currentFormat
  /// The tables, by the stored names of their records.
  package var records: [String: Record]

  package init(records: [String: Record] = [:]) { self.records = records }
}

extension RecordShape {
  package struct Record: Sendable, Equatable, Codable {
    /// The number of the field that identifies a row.
    package var key: Int
    /// The columns. An encrypted field with an index for queries has a column with its number; the sealed part has the number 0.
    package var columns: [Int: Column]
    /// The Swift types of the encrypted fields.
    package var sealed: [Int: String] = [:]
    /// The Swift types of the fields in the wire format.
    package var wire: [Int: String] = [:]
    /// The fields that are neither optional nor have a default, in ascending order. The number 0 is among them if every row has a
    /// sealed part: then a row without one is damaged.
    package var required: [Int] = []
    /// The fields whose values are gone, or that newer releases no longer write, in ascending order. A release that declares
    /// one of them cannot use the file.
    package var retired: [Int] = []
    /// The numbers that no field may use again.
    package var reserved: [Int: Cleanup] = [:]
    package var indexes: [[Int]] = []
    package var unique: [[Int]] = []
    package var references: [Int: Reference] = [:]
    /// For each new field that is made from earlier ones, the fields that a transform reads; the newest first. A release
    /// declares them, and a database does not record them.
    package var sources: [Int: [[Source]]] = [:]
    /// The row that a new unique index keeps of several with equal values. A database does not record it.
    package var existing: [[Int]: Existing] = [:]

    private enum CodingKeys: CodingKey {
      case key, columns, sealed, wire, required, retired, reserved, indexes, unique, references
    }

    package init(key: Int, columns: [Int: Column]) {
      self.key = key
      self.columns = columns
    }

    /// The numbers of the columns in the order of the table: the key, the fields, the sealed part.
    package var order: [Int] {
      [key] + columns.keys.filter { $0 != key && $0 != 0 }.inOrder + (columns[0] == nil ? [] : [0])
    }
  }

  /// A column. Its JSON is a list: name, type, and default if there is one.
  package struct Column: Sendable, Equatable {
    package var name: String
    /// `TEXT`, `INTEGER`, `REAL` or `BLOB`.
    package var type: String
    /// A literal of SQL.
    package var defaultValue: String?

    package init(_ name: String, _ type: String, default: String? = nil) {
      self.name = name
      self.type = type
      defaultValue = `default`
    }
  }

  /// A reference to the key of a record. Its JSON is a list: record, effect of deleting it.
  package struct Reference: Sendable, Hashable {
    package var record: String
    package var onDelete: DeletionPolicy

    package init(_ record: String, _ onDelete: DeletionPolicy) {
      self.record = record
      self.onDelete = onDelete
    }
  }

  /// A field of an earlier release, from which a new field is made.
  package struct Source: Sendable, Equatable {
    package var number: Int
    /// The type of its column in SQL, or nil if the field is encrypted.
    package var column: String?
    /// The Swift type of an encrypted field, or of one in the wire format.
    package var type: String?
    /// A Boolean value that indicates whether the transform takes nil for a missing value.
    package var isOptional: Bool

    package init(_ number: Int, column: String?, type: String? = nil, isOptional: Bool = false) {
      self.number = number
      self.column = column
      self.type = type
      self.isOptional = isOptional
    }
  }

  /// The row that stays if several have equal values of a new unique index: the one that was inserted first, or last.
  package struct Existing: Sendable, Hashable {
    package static let keepFirst = Existing(keepsLast: false)
    package static let keepLast = Existing(keepsLast: true)

    package var keepsLast: Bool
    /// A Boolean value that indicates whether the rows that refer to a removed one are deleted. Otherwise they refer to the one
    /// that stays.
    package var cascades = false
  }

  /// The treatment of the values of a reserved number.
  package enum Cleanup: String, Sendable, Hashable, Codable, CaseIterable {
    case keep, delete
  }
}

extension RecordShape.Column: Codable {
  package init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    self.init(try list.decode(String.self), try list.decode(String.self))
    defaultValue = list.isAtEnd ? nil : try list.decode(String.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    try list.encode(name)
    try list.encode(type)
    if let defaultValue { try list.encode(defaultValue) }
  }
}

extension RecordShape.Reference: Codable {
  package init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    self.init(try list.decode(String.self), try list.decode(DeletionPolicy.self))
  }

  package func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    try list.encode(record)
    try list.encode(onDelete)
  }
}
