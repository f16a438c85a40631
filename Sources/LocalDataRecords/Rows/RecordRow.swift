public import LocalDataFoundation
package import LocalDataSQLite
public import LocalDataSystem

/// A row that is read. Each function reads the column at a position.
///
/// A column without a value, or with one that is not of the type, is ``StorageProblem/corrupted``; an optional value may be missing.
public struct RecordRow: ~Copyable {
  private let row: SQLiteRow
  private let sealer: RecordSealer?

  /// - Parameter sealer: The record keys of the database, or nil if it has none.
  package init(_ row: SQLiteRow, sealer: RecordSealer? = nil) {
    self.row = row
    self.sealer = sealer
  }

  private borrowing func require(_ column: Int32, _ form: SQLiteRow.Form) throws(StorageProblem) {
    guard row.has(form, column) else { throw .corrupted }
  }

  /// Returns true if a column has no value.
  @_spi(Generated) public borrowing func isNull(_ column: Int32) -> Bool { row.isNull(column) }

  /// Returns the encrypted fields of the row.
  ///
  /// - Parameters:
  ///   - column: The position of the sealed part.
  ///   - key: The canonical bytes of the row's key.
  /// - Throws: ``StorageProblem/authenticationFailed`` also if a blind index is not that of its field.
  borrowing func opened(_ column: Int32, _ declaration: RecordDeclaration, key: Data) throws(StorageProblem) -> Data {
    let stored = declaration.blindIndexes.map { $0.stored(in: row) }
    guard let sealer else { throw .keyMaterialMissing }
    // Nothing proves what the fields of a row without a sealed part were.
    try require(column, .blob)
    return try sealer.open(
      row.blob(column), record: declaration.name, key: key, declaration.blindIndexes, stored)
  }

  /// Reads the integer of a column.
  @usableFromInline borrowing func int64(_ column: Int32) throws(StorageProblem) -> Int64 {
    guard let number = row.exactInteger(column) else { throw .corrupted }
    return number
  }
}

@_spi(Generated) extension RecordRow {
  /// Reads text.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the column contains anything else.
  public borrowing func text(_ column: Int32) throws(StorageProblem) -> String {
    guard let text = row.validText(column) else { throw .corrupted }
    return text
  }

  /// Reads a Bool.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the column contains anything else.
  public borrowing func bool(_ column: Int32) throws(StorageProblem) -> Bool {
    switch try int64(column) {
    case 0: false
    case 1: true
    default: throw .corrupted
    }
  }

  // Inlined into the app, because the compiler does not specialize it there otherwise.
  /// Reads a whole number.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the column contains anything else.
  @inlinable public borrowing func integer<Value: FixedWidthInteger>(_ column: Int32) throws(StorageProblem) -> Value {
    guard let value = Value(exactly: try int64(column)) else { throw .corrupted }
    return value
  }

  /// Reads a number.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the column contains anything else.
  public borrowing func real(_ column: Int32) throws(StorageProblem) -> Double {
    guard let number = row.exactReal(column) else { throw .corrupted }
    return number
  }

  /// Reads a Float.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the column contains anything else.
  public borrowing func float(_ column: Int32) throws(StorageProblem) -> Float {
    guard let value = Float(exactly: try real(column)) else { throw .corrupted }
    return value
  }

  /// Reads a date.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the column contains anything else.
  public borrowing func date(_ column: Int32) throws(StorageProblem) -> Date {
    Date(timeIntervalSinceReferenceDate: try real(column))
  }

  /// Reads bytes.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the column contains anything else.
  public borrowing func data(_ column: Int32) throws(StorageProblem) -> Data {
    try require(column, .blob)
    return row.blob(column)
  }

  /// Reads a UUID.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the column contains anything else.
  public borrowing func uuid(_ column: Int32) throws(StorageProblem) -> UUID {
    guard let uuid = row.uuid(column) else { throw .corrupted }
    return uuid
  }

  /// Reads a URL.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the column contains anything else.
  public borrowing func url(_ column: Int32) throws(StorageProblem) -> URL {
    guard let url = URL(string: try text(column)) else { throw .corrupted }
    return url
  }

  /// Reads a decimal number.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the column contains anything else.
  public borrowing func decimal(_ column: Int32) throws(StorageProblem) -> Decimal {
    guard let number = Decimal(recordText: try text(column)) else { throw .corrupted }
    return number
  }

  /// Reads an enum with raw values of type String.
  ///
  /// - Throws: ``StorageProblem/newerValue`` if the enum has no such case, and ``StorageProblem/corrupted`` if the column contains
  ///   anything else.
  public borrowing func textEnumeration<Value: RawRepresentable<String>>(
    _ column: Int32
  ) throws(StorageProblem) -> Value {
    guard let value = Value(rawValue: try text(column)) else { throw .newerValue }
    return value
  }

  /// Reads an enum with raw values of type Int.
  ///
  /// - Throws: ``StorageProblem/newerValue`` if the enum has no such case, and ``StorageProblem/corrupted`` if the column contains
  ///   anything else.
  public borrowing func integerEnumeration<Value: RawRepresentable<Int>>(
    _ column: Int32
  ) throws(StorageProblem) -> Value {
    guard let value = Value(rawValue: try integer(column)) else { throw .newerValue }
    return value
  }

  /// Reads a value in JSON.
  ///
  /// - Throws: ``StorageProblem/cannotDecode`` if the type does not decode it.
  public borrowing func json<Value: Codable & Sendable>(_ column: Int32) throws(StorageProblem) -> Value {
    try require(column, .text)
    return try RecordJSON.value(of: row.blob(column))
  }

  // MARK: The wire format

  /// Reads a message.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the column contains anything else.
  public borrowing func message<Value>(
    _ column: Int32, _ read: (inout WireReader) throws(StorageProblem) -> Value
  ) throws(StorageProblem) -> Value {
    try require(column, .blob)
    return try row.withBytes(column) { (bytes) throws(StorageProblem) in
      var reader = WireReader(bytes)
      return try read(&reader)
    }
  }

  /// Reads a list of messages, which are fields with one number.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the column contains anything else.
  public borrowing func list<Element>(
    _ column: Int32, _ number: Int, _ read: (inout WireReader) throws(StorageProblem) -> Element
  ) throws(StorageProblem) -> [Element] {
    try message(column) { (reader) throws(StorageProblem) in
      var elements: [Element] = []
      while let field = try reader.next() {
        if field.tag == UInt32(number) << 3 | 2 {
          elements.append(try reader.message(read))
        } else {
          try reader.skip(field)
        }
      }
      return elements
    }
  }

  /// Reads the fields of a column.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the column contains anything else.
  public borrowing func wire(
    _ column: Int32, _ read: (inout WireReader) throws(StorageProblem) -> Void
  ) throws(StorageProblem) { try message(column, read) }

  /// Reads the fields of a column. Returns false if the column has no value.
  ///
  /// - Throws: ``StorageProblem/corrupted`` if the column contains anything else.
  public borrowing func optionalWire(
    _ column: Int32, _ read: (inout WireReader) throws(StorageProblem) -> Void
  ) throws(StorageProblem) -> Bool {
    if isNull(column) { return false }
    try message(column, read)
    return true
  }

  /// Reads the encrypted fields.
  ///
  /// - Parameters:
  ///   - column: The position of the sealed part.
  ///   - key: The key of the row.
  public borrowing func sealed(
    _ column: Int32, _ declaration: RecordDeclaration, key: some RecordKey,
    _ read: (inout WireReader) throws(StorageProblem) -> Void
  ) throws(StorageProblem) {
    try WireReader.read(opened(column, declaration, key: key.canonicalBytes), read)
  }
}
