public import LocalDataFoundation
import LocalDataSQLite
public import LocalDataSystem

/// A row that is written. Each function writes the next column.
public struct RecordWriter: ~Copyable {
  private var bindings: SQLiteBindings
  private let sealer: RecordSealer?
  /// The bytes of all values.
  private var size = 0
  /// The first problem of a function that does not throw.
  private var fault: StorageProblem?
  /// The encrypted fields that this release does not know.
  private var unknownFields = RecordUnknownFields()

  private init(_ bindings: consuming SQLiteBindings, _ sealer: RecordSealer?) {
    self.bindings = bindings
    self.sealer = sealer
  }

  /// Binds the columns of a record, in their order.
  ///
  /// - Parameter sealer: The record keys of the database, or nil if the record has no encrypted fields.
  /// - Returns: The encrypted fields that this release does not know.
  /// - Throws: ``StorageProblem/cannotEncode`` if a value has no stored form, and ``StorageProblem/valueTooLarge(limit:)`` if the
  ///   values are larger than the record allows.
  @discardableResult
  static func bind<Record: StorageRecord>(
    _ record: Record, to bindings: inout SQLiteBindings, sealer: RecordSealer? = nil
  ) throws(StorageProblem) -> RecordUnknownFields {
    var writer = RecordWriter(bindings.lent(), sealer)
    try record.write(to: &writer)
    let unknownFields = writer.unknownFields
    try writer.finish(Record.declaration, &bindings)
    return unknownFields
  }

  /// Binds the column that `write` writes.
  static func bind(
    _ declaration: RecordDeclaration, to bindings: inout SQLiteBindings,
    _ write: (inout RecordWriter) throws(StorageProblem) -> Void
  ) throws(StorageProblem) {
    var writer = RecordWriter(bindings.lent(), nil)
    try write(&writer)
    try writer.finish(declaration, &bindings)
  }

  private consuming func finish(
    _ declaration: RecordDeclaration, _ bindings: inout SQLiteBindings
  ) throws(StorageProblem) {
    if let fault { throw fault }
    guard size <= declaration.maxSize else { throw .valueTooLarge(limit: declaration.maxSize) }
    bindings = self.bindings
  }

  /// Returns the problem of a field whose value cannot be saved.
  @_spi(Generated) public borrowing func invalid(_ rule: String, _ field: String) -> StorageProblem {
    .invalidValue(rule, in: field)
  }

  private mutating func blob(_ bytes: UnsafeRawBufferPointer) {
    size += bytes.count
    bindings.append(bytes)
  }

  @usableFromInline mutating func column(_ number: Int64) {
    size += 8
    bindings.append(number)
  }

  private mutating func message(_ write: (inout WireWriter) -> Void) {
    var writer = WireWriter()
    write(&writer)
    fault = fault ?? writer.fault
    writer.bytes.withUnsafeBytes { blob($0) }
  }
}

@_spi(Generated) extension RecordWriter {
  public mutating func null() { bindings.appendNull() }

  public mutating func text(_ value: String) {
    size += value.utf8.count
    bindings.append(value)
  }

  public mutating func bool(_ value: Bool) { column(value ? 1 : 0) }

  // Inlined into the app, because the compiler does not specialize it there otherwise.
  @inlinable public mutating func integer(_ value: some FixedWidthInteger) { column(Int64(clamping: value)) }

  /// Writes a number.
  ///
  /// - Throws: ``StorageProblem/cannotEncode`` if it is no number: SQLite stores NULL for NaN.
  public mutating func real(_ value: Double) throws(StorageProblem) {
    guard !value.isNaN else { throw .cannotEncode }
    size += 8
    bindings.append(value)
  }

  /// Writes a Float.
  ///
  /// - Throws: ``StorageProblem/cannotEncode`` if it is no number: SQLite stores NULL for NaN.
  public mutating func float(_ value: Float) throws(StorageProblem) { try real(Double(value)) }

  /// Writes a date.
  ///
  /// - Throws: ``StorageProblem/cannotEncode`` if an encrypted field could not contain it, for example because it is infinite.
  public mutating func date(_ value: Date) throws(StorageProblem) { try date(value, isWhole: false) }

  /// Writes a date that has whole seconds, as one in the wire format has.
  ///
  /// - Throws: ``StorageProblem/cannotEncode`` if it has a fraction, or if an encrypted field could not contain it.
  public mutating func seconds(_ value: Date) throws(StorageProblem) { try date(value, isWhole: true) }

  private mutating func date(_ value: Date, isWhole: Bool) throws(StorageProblem) {
    guard let time = value.sinceUnixEpoch, !isWhole || time.nanoseconds == 0 else { throw .cannotEncode }
    try real(value.timeIntervalSinceReferenceDate)
  }

  public mutating func data(_ value: Data) { value.withUnsafeBytes { blob($0) } }

  public mutating func uuid(_ value: UUID) { withUnsafeBytes(of: value.uuid) { blob($0) } }

  public mutating func url(_ value: URL) { text(value.absoluteString) }

  public mutating func decimal(_ value: Decimal) { text(value.recordText) }

  public mutating func enumeration(_ value: some RawRepresentable<String>) { text(value.rawValue) }

  public mutating func enumeration(_ value: some RawRepresentable<Int>) { integer(value.rawValue) }

  /// Writes a value in JSON.
  ///
  /// - Throws: ``StorageProblem/cannotEncode`` if the type does not encode it.
  public mutating func json(_ value: some Codable & Sendable) throws(StorageProblem) {
    text(String(decoding: try RecordJSON.bytes(of: value), as: UTF8.self))
  }

  // MARK: The wire format

  /// Writes a message.
  public mutating func message<Value>(_ value: Value, _ write: (Value, inout WireWriter) -> Void) {
    message { write(value, &$0) }
  }

  /// Writes a list of messages as fields with one number.
  public mutating func list<Element>(
    _ values: [Element], _ number: Int, _ write: (Element, inout WireWriter) -> Void
  ) {
    message { $0.list(values, number, write) }
  }

  /// Writes fields.
  public mutating func wire(_ write: (inout WireWriter) -> Void) { message(write) }

  // MARK: Encryption

  /// Writes the blind index of an encrypted field, by which queries find equal values.
  public mutating func blind(_ value: some RecordValue, _ number: Int, _ declaration: RecordDeclaration) {
    guard let sealer else { return fault = fault ?? .keyMaterialMissing }
    do throws(StorageProblem) {
      let index = try sealer.blindIndex(of: value.recordLiteral.value, record: declaration.name, field: number)
      if let index { column(index) } else { null() }
    } catch {
      fault = fault ?? error
    }
  }

  /// Writes the encrypted fields as the sealed part.
  ///
  /// - Parameters:
  ///   - key: The key of the row. The part opens in no other row.
  ///   - unknownFields: The encrypted fields that a newer release has written.
  /// - Throws: ``StorageProblem/keyMaterialMissing`` if there is no record key, and ``StorageProblem/cannotEncode`` if a field
  ///   cannot be encoded.
  public mutating func sealed(
    _ declaration: RecordDeclaration, key: some RecordKey, _ unknownFields: RecordUnknownFields,
    _ write: (inout WireWriter) -> Void
  ) throws(StorageProblem) {
    var writer = WireWriter()
    write(&writer)
    writer.unknown(unknownFields)
    if let fault = writer.fault { throw fault }
    guard let sealer else { throw .keyMaterialMissing }
    self.unknownFields = unknownFields
    let part = try sealer.seal(writer.bytes, record: declaration.name, key: key.canonicalBytes)
    part.withUnsafeBytes { blob($0) }
  }
}
