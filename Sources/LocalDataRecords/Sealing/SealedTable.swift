import LocalDataShapes
import LocalDataFoundation
import LocalDataSQLite
import LocalDataSystem

/// A table whose sealed parts a merge of releases or a rotation of keys replaces, with the blind indexes that the values in them
/// give. The release need not declare the fields.
struct SealedTable: Sendable {
  struct Row {
    let key: SQLiteValue
    let part: Data?
    fileprivate let indexes: [Int64?]
  }

  private let name: String
  private let table: String
  private let key: String
  private let keyForm: SQLiteTable.ColumnType
  /// The column of the sealed part; NULL if the table has none.
  private let part: String
  private let indexes: [BlindIndex]
  /// A Boolean value that indicates whether each row has a sealed part. A row without one is damaged then.
  private let isSealed: Bool

  init(_ name: String, _ record: RecordShape.Record) {
    self.name = name
    table = "main." + RecordShape.quoted(name)
    key = RecordShape.quoted(record.columns[record.key]?.name ?? "")
    keyForm = record.columns[record.key]?.form ?? .text
    part = record.columns[0].map { RecordShape.quoted($0.name) } ?? "NULL"
    indexes = record.blindIndexes
    isSealed = record.required.contains(0)
  }

  /// Returns the first row with a larger key.
  ///
  /// - Parameter isUnsealed: True if only a row without a sealed part is wanted.
  func next(
    after last: SQLiteValue?, isUnsealed: Bool = false, on connection: SQLiteConnection
  ) throws(StorageProblem) -> Row? {
    let columns = ([key, part] + indexes.map(\.column)).joined(separator: ", ")
    let isLater = last == nil ? "TRUE" : "\(key) > ?"
    let isWanted = isUnsealed ? "\(part) IS NULL" : "TRUE"
    let sql = "SELECT \(columns) FROM \(table) WHERE \(isLater) AND \(isWanted) ORDER BY \(key) LIMIT 1"
    return try connection.first(sql, last.map { [$0] } ?? []) { (row) throws(StorageProblem) in
      guard let key = row.value(0, as: keyForm) else { throw .corrupted }
      return Row(key: key, part: row.isNull(1) ? nil : row.blob(1), indexes: indexes.map { $0.stored(in: row) })
    }
  }

  /// Returns true if another record key than the newest has sealed a row, or has made its blind indexes.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the row has no sealed part and must have one.
  func isDue(_ row: Row, _ sealer: RecordSealer) throws(StorageProblem) -> Bool {
    guard let part = row.part else {
      if isSealed { throw .corrupted }
      return row.indexes.contains { $0 != nil }
    }
    return try RecordSealer.number(of: part) != sealer.number
  }

  /// Seals the encrypted fields of a row with the newest key, and stores them with their blind indexes.
  ///
  /// - Parameters:
  ///   - message: The encrypted fields; nil for those that the row has.
  ///   - filled: The numbers of the fields that have a value since the row was read.
  func seal(
    _ message: [UInt8]? = nil, in row: Row, filled: Set<Int> = [], _ sealer: RecordSealer,
    on connection: SQLiteConnection
  ) throws(StorageProblem) {
    let bytes = row.key.canonicalBytes ?? Data()
    let message =
      if let message { message } else if let part = row.part {
        Array(try sealer.open(part, record: name, key: bytes, indexes, row.indexes))
      } else {
        Array(try sealer.checkZeros(record: name, indexes, row.indexes))
      }
    var values: [SQLiteValue] = [.blob(Data(try sealer.seal(message, record: name, key: bytes)))]
    for (index, stored) in zip(indexes, row.indexes) {
      let isZero = stored != nil || filled.contains(index.number)
      let found = try sealer.blindIndex(index, in: Data(message), record: name, isZero: isZero)
      values.append(found.map(SQLiteValue.integer) ?? .null)
    }
    let columns = ([part] + indexes.map(\.column)).map { "\($0) = ?" }.joined(separator: ", ")
    try connection.writeRow("UPDATE \(table) SET \(columns) WHERE \(key) = ?", values + [row.key])
  }
}
