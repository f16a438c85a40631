import LocalDataRecords
import LocalDataFoundation
import LocalDataSQLite
import LocalDataStores
import LocalDataSystem
public import LocalDataVocabulary

/// The form of another library's store.
@_spi(Generated) public enum ImportedForm: Sendable {
  case coreData
  case sqlite(dates: DateForm = .iso8601)
}

/// The problem of a store that cannot be imported. It names tables and columns, and contains no value.
public enum ImportProblem: Error, Sendable, Hashable {
  /// The file is no SQLite database, or all of it is encrypted.
  case noDatabase
  /// The store has no such table or entity.
  case missingTable(String)
  /// The table has no such column.
  case missingColumn(String)
  /// Several tables or columns could be that of a relationship.
  case ambiguousRelationship(String)
  /// No row of the record can be imported. The reason is that of the first row that does not only refer to a missing record, or
  /// have a key that is taken.
  case noRow(LeftOutRow)
}

/// A store of another library, opened for reading only.
final class ImportedStore {
  let name: String
  let form: ImportedForm
  let dates: DateForm
  let connection: SQLiteConnection
  private let file: FileLocation
  /// A Boolean value that indicates whether texts are stored in UTF-16.
  let isUTF16: Bool

  init(_ name: String, _ form: ImportedForm, _ file: FileLocation) throws(StorageProblem) {
    self.name = name
    self.form = form
    self.file = file
    dates = if case .sqlite(let dates) = form { dates } else { .secondsSince2001 }
    connection = try SQLiteConnection(
      path: file.path, isDurable: false, until: CallDeadline.end(of: CallDeadline.ordinaryPatience), kind: .foreign)
    isUTF16 = try connection.first("PRAGMA encoding") { $0.text(0) } != "UTF-8"
  }

  /// Returns bytes that Core Data has stored in the row, or in a file that the row names.
  func external(_ stored: Data) throws -> Data {
    let rest = stored.dropFirst()
    if stored.first == 1 { return Data(rest) }
    let name = String(decoding: rest.prefix { $0 != 0 }, as: UTF8.self)
    guard stored.first == 2, let id = UUID(uuidString: name) else { throw BadValue.wrongType }
    var folder = Self.support(of: file)
    folder.parts.append(Self.externalFolder)
    let location = FileLocation(folder: folder, name: id.uuidString)
    guard let bytes = try location.read(upTo: 1 << 26) else { throw BadValue(reason: .missingFile) }
    return bytes
  }

  static let externalFolder = "_EXTERNAL_DATA"

  /// The folder in which Core Data stores large values.
  static func support(of file: FileLocation) -> FolderLocation {
    var folder = file.folder
    let stem = file.name.split(separator: ".").dropLast().joined(separator: ".")
    folder.parts.append(".\(stem.isEmpty ? file.name : stem)_SUPPORT")
    return folder
  }

  /// Returns the names that a statement about the tables finds.
  func names(_ sql: String, _ values: String...) throws(StorageProblem) -> [String] {
    var names: [String] = []
    try connection.rows(sql, values.map { .text($0) }) { row in
      names.append(row.text(0) ?? "")
      return true
    }
    return names
  }
}

extension FileLocation {
  /// Returns the sizes and times of a store and of its log, which change when rows are written. That of a file without bytes is
  /// empty. A restored backup may have whole seconds alone.
  func storeStamps() throws(StorageProblem) -> [String] {
    guard let folder = try folder.open(creating: false) else { return [] }
    var stamps: [String] = []
    for suffix in ["", "-wal"] {
      let status = try folder.status(of: name + suffix)
      guard let status, status.st_size > 0 else {
        stamps.append("")
        continue
      }
      stamps.append("\(status.st_size) \(Int64(status.modification.timeIntervalSince1970.rounded(.down)))")
    }
    return stamps
  }
}

/// The rows of a table, with what their columns need: the names for reports, and the rows that refer to them.
final class ImportReader {
  let store: ImportedStore
  let table: ImportedTable
  let statement: ImportedStatement
  /// The positions of the columns that contain the number of a row, from which a key is made.
  let isRowNumber: [Bool]
  /// The rows that refer to a row, by the positions of columns.
  private(set) var children: [Int: (reader: ImportReader, sql: String)] = [:]
  /// The column that was read last.
  var column = 0

  init(_ table: ImportedTable, in store: ImportedStore) throws {
    self.store = store
    self.table = table
    isRowNumber = table.columns.map { column in
      switch column.content {
      case .rowNumber, .parent(_, in: _, column: nil): true
      default: false
      }
    }
    let layout = ImportLayout(store)
    statement = try layout.statement(table)
    for (index, column) in table.columns.enumerated() {
      guard case .children(let relationship) = column.content else { continue }
      let reader = try ImportReader(relationship.table, in: store)
      children[index] = (reader, try layout.children(relationship, reader.statement))
    }
  }

  /// The field of the column that was read last.
  var field: String { table.columns[column].field }

  /// The reason for which a row is left out whose last column has no value.
  var absence: LeftOutRow.Reason {
    if case .parent = table.columns[column].content { .missingReference } else { .missing }
  }

  func isExternal(_ column: Int) -> Bool { if case .external = table.columns[column].content { true } else { false } }

  /// Calls `visit` with each row of a statement.
  func visit(
    _ sql: String, _ values: [SQLiteValue] = [], _ visit: (borrowing ImportedRow) throws -> Void
  ) throws {
    var thrown: (any Error)?
    try store.connection.rows(sql, values) { (row) throws(StorageProblem) in
      do { try visit(ImportedRow(row: row, reader: self)) } catch { thrown = error }
      return thrown == nil
    }
    if let thrown { throw thrown }
  }

  /// Returns the key of a row: it depends on the source, the table and the number alone.
  func key(ofRow number: Int64, _ column: Int) -> UUID {
    var name = table.name
    if case .parent(_, let parent, _) = table.columns[column].content { name = parent }
    var bytes = [UInt8](Data([store.name, name, "\(number)"].joined(separator: "\0").utf8).sha256.prefix(16))
    bytes[6] = bytes[6] & 0x0f | 0x80
    bytes[8] = bytes[8] & 0x3f | 0x80
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
