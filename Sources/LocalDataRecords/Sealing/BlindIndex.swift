import LocalDataShapes
import LocalDataFoundation
import LocalDataSQLite
import LocalDataSystem

/// The blind index of an encrypted field.
struct BlindIndex: Sendable {
  /// The name of the column.
  let column: String
  /// The position of the column in the rows of a query.
  let position: Int
  /// The number of the field.
  let number: Int
  /// The Swift type of the field.
  let type: String?

  /// The value that the wire format leaves out: zero, or an empty text.
  var zero: SQLiteValue { type == "String" ? .text("") : .integer(0) }

  func stored(in row: SQLiteRow) -> Int64? { row.isNull(Int32(position)) ? nil : row.integer(Int32(position)) }
}

extension RecordSealer {
  /// Opens the sealed part of a row, and compares the blind indexes with the values in it.
  ///
  /// - Parameter stored: The stored values of the indexes.
  /// - Throws: What ``open(_:record:key:)`` throws, also ``StorageProblem/authenticationFailed`` if an index is not that of its value.
  func open(
    _ part: Data, record: String, key: Data, _ indexes: [BlindIndex], _ stored: [Int64?]
  ) throws(StorageProblem) -> Data {
    let message = try open(part, record: record, key: key)
    for (index, stored) in zip(indexes, stored) {
      // A row without the field has the index of zero, or NULL if the row is older than the field or the value is nil.
      let number = try Self.number(of: part)
      guard try blindIndex(index, in: message, record: record, isZero: stored != nil, key: number) == stored else {
        throw .authenticationFailed
      }
    }
    return message
  }

  /// Returns no encrypted fields, for a row without a sealed part.
  ///
  /// - Throws: ``StorageProblem/authenticationFailed`` if an index is that of another value than zero.
  func checkZeros(record: String, _ indexes: [BlindIndex], _ stored: [Int64?]) throws(StorageProblem) -> Data {
    for (index, stored) in zip(indexes, stored) {
      guard let stored else { continue }
      let zeros = try blindIndexes(of: index.zero, record: record, field: index.number)
      guard zeros.contains(stored) else { throw .authenticationFailed }
    }
    return Data()
  }

  /// Returns the blind index of the value that a field has in a message; nil if it has none.
  ///
  /// - Parameters:
  ///   - message: The encrypted fields of a row, in the wire format.
  ///   - isZero: True if a field that is not there is zero or empty, which the wire format leaves out. False if it is nil.
  ///   - number: The number of the record key, or nil for the key that seals.
  func blindIndex(
    _ index: BlindIndex, in message: Data, record: String, isZero: Bool, key number: UInt32? = nil
  ) throws(StorageProblem) -> Int64? {
    var value = try WireReader.read(message) { (reader) throws(StorageProblem) in
      try reader.canonicalBytes(of: index.number)
    }
    if value == nil, isZero { value = index.zero.canonicalBytes }
    guard let value else { return nil }
    return try blindIndex(value, record: record, field: index.number, key: number)
  }
}

extension WireReader {
  /// Returns the canonical bytes of a whole number, a text or a UUID; nil if the message does not have the field.
  fileprivate mutating func canonicalBytes(of number: Int) throws(StorageProblem) -> Data? {
    var found: Data?
    while let field = try next() {
      switch field.tag {
      case UInt32(number) << 3: found = SQLiteValue.integer(Int64(bitPattern: try varint())).canonicalBytes
      case UInt32(number) << 3 | 2: found = try data()
      default: try skip(field)
      }
    }
    return found
  }
}

extension RecordShape.Record {
  /// The blind indexes that the table has, except for those that a release has deleted. Their columns are in this order, after
  /// the key and the sealed part.
  var blindIndexes: [BlindIndex] {
    sealed.keys.inOrder.filter { columns[$0] != nil && reserved[$0] != .delete }.enumerated().map { place, number in
      let column = RecordShape.quoted(columns[number]?.name ?? "")
      return BlindIndex(column: column, position: place + 2, number: number, type: sealed[number])
    }
  }
}
