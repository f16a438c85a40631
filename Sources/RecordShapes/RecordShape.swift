/// The tables of a database, by the numbers of their fields. The database records its shape as JSON.
///
/// A field is found by its number. The file keeps the column name that the field had when the column was created.
package struct RecordShape: Sendable, Hashable, Codable {
  /// The version of this format.
  package static let currentFormat = 1

  package var format = RecordShape.currentFormat
  /// The tables, by the stored names of their records.
  package var records: [String: Record]

  package init(records: [String: Record] = [:]) { self.records = records }
}

extension RecordShape {
  package struct Record: Sendable, Hashable, Codable {
    /// The number of the field that identifies a row.
    package var key: Int
    /// The columns. An encrypted field with an index for queries has a column with its number; the sealed part has the number 0.
    package var columns: [Int: Column]
    /// The Swift types of the encrypted fields.
    package var sealed: [Int: String] = [:]
    /// The Swift types of the fields in the wire format.
    package var wire: [Int: String] = [:]
    /// The fields that are neither optional nor have a default, in ascending order.
    package var required: [Int] = []
    /// The fields whose values are gone, or that newer releases no longer write, in ascending order. A release that declares
    /// one of them cannot use the file.
    package var retired: [Int] = []
    /// The numbers that no field may use again.
    package var reserved: [Int: Cleanup] = [:]
    package var indexes: [[Int]] = []
    package var unique: [[Int]] = []
    package var references: [Int: Reference] = [:]

    package init(key: Int, columns: [Int: Column]) { (self.key, self.columns) = (key, columns) }

    /// The numbers of the columns in the order of the table: the key, the fields, the sealed part.
    package var order: [Int] {
      [key] + columns.keys.filter { $0 != key && $0 != 0 }.sorted() + (columns[0] == nil ? [] : [0])
    }
  }

  /// A column. Its JSON is a list: name, type, and default if there is one.
  package struct Column: Sendable, Hashable {
    package var name: String
    /// `TEXT`, `INTEGER`, `REAL` or `BLOB`.
    package var type: String
    /// A literal of SQL.
    package var defaultValue: String?

    package init(_ name: String, _ type: String, default: String? = nil) {
      (self.name, self.type, defaultValue) = (name, type, `default`)
    }
  }

  /// A reference to the key of a record. Its JSON is a list: record, effect of deleting it.
  package struct Reference: Sendable, Hashable {
    package var record: String
    package var onDelete: OnDelete

    package init(_ record: String, _ onDelete: OnDelete) { (self.record, self.onDelete) = (record, onDelete) }
  }

  package enum OnDelete: String, Sendable, Hashable, Codable, CaseIterable {
    case restrict, cascade, setNull
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
    self.init(try list.decode(String.self), try list.decode(RecordShape.OnDelete.self))
  }

  package func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    try list.encode(record)
    try list.encode(onDelete)
  }
}
