import LocalData
public import LocalDataFoundation

/// A row of another library's store that is not imported. It contains no value.
public struct LeftOutRow: Sendable, Hashable, Codable {
  /// The reason for which a row is left out.
  public enum Reason: String, Sendable, Hashable, Codable {
    /// A value that the record needs is missing.
    case missing
    /// A value is not of the declared type.
    case wrongType
    /// An enum has no case for a value.
    case unknownCase
    /// A transform has thrown an error.
    case transformFailed
    /// A file in which Core Data has stored a value is missing.
    case missingFile
    /// A row before it has the same key, or the same value of a unique index.
    case duplicate
    /// A record to which it refers is missing.
    case missingReference
    /// The record is larger than the catalog allows.
    case tooLarge
    /// A value has no stored form, or is not one that `valid` of its field allows.
    case cannotEncode
  }

  /// The number of the row in its table, or the position of the element in its list.
  public let row: Int64
  /// The field of the record; nil if the reason is not about one field.
  public let field: String?
  public let reason: Reason

  /// Creates a row for tests of an app.
  ///
  /// - Parameters:
  ///   - row: The number of the row, or the position of the element.
  ///   - field: The field of the record.
  ///   - reason: The reason for which the row is left out.
  public init(row: Int64, field: String?, reason: Reason) {
    self.row = row
    self.field = field
    self.reason = reason
  }
}

/// The result of the import of one record.
public struct ImportReport: Sendable, Hashable {
  /// The name of the source in the catalog.
  public let source: String
  /// The stored name of the record.
  public let record: String
  /// The number of imported rows.
  public let imported: Int
  /// The number of rows whose key was stored already. The stored records were not changed.
  public let kept: Int
  /// The number of rows that could not be imported.
  public let leftOut: Int
  /// The first 1,000 of the rows that could not be imported.
  public let leftOutRows: [LeftOutRow]
  /// The time of the import.
  public let time: Date
  /// A Boolean value that indicates whether the source is still there. It is nil if this cannot be found out now.
  public let isSourcePresent: Bool?
}

/// The progress of an import.
public struct ImportProgress: Sendable, Hashable {
  /// The stored name of the record whose rows are imported.
  public let record: String
  /// The number of rows that were read.
  public let completed: Int
  /// The number of all rows of the record.
  public let total: Int
}

/// The note of a database on the import of a record, in `local_data`.
struct ImportMark: Sendable, Codable {
  static let longestList = 1_000

  var source: String
  var imported = 0
  var kept = 0
  var leftOut = 0
  var rows: [LeftOutRow] = []
  var time: Double
  /// The sizes and times of the store and its log at the import; nil for a list.
  var stamps: [String]?
  /// True if all rows of the database were removed before their import, or since.
  var isRemoved = false
  /// True until the exclusive sources of the removed rows are removed too.
  var isRemovalPending: Bool?

  static func name(of record: String) -> String { "import.\(record)" }

  /// The text that the database notes.
  var text: String {
    do { return String(decoding: try Serializer<Self>.json.encode(self), as: UTF8.self) } catch { return "" }
  }

  mutating func leaveOut(_ row: LeftOutRow) {
    leftOut += 1
    if rows.count < Self.longestList { rows.append(row) }
  }

  /// Adds the result of a later import.
  mutating func add(_ later: ImportMark) {
    imported += later.imported
    kept = later.kept
    // The later import finds a record with the key of a duplicate, but the duplicate has never been stored.
    let duplicates = rows.filter { $0.reason == .duplicate && !later.rows.contains($0) }
    leftOut = later.leftOut + duplicates.count
    rows = Array((later.rows + duplicates).prefix(Self.longestList))
    time = later.time
    stamps = later.stamps
    isRemoved = false
    isRemovalPending = nil
  }
}

extension ImportMark {
  /// Returns true if no row was written since the import. A file that is missing has been removed with its rows.
  func isUnchanged(_ now: [String]) -> Bool {
    guard let stamps else { return true }
    return zip(now, stamps).allSatisfy { now, then in now.isEmpty || now == then }
  }

  init?(_ text: String) {
    do { self = try Serializer<Self>.json.decode(Data(text.utf8)) } catch { return nil }
  }
}
