@_spi(Generated) import LocalDataRecords
import LocalDataFoundation
import LocalDataSQLite
import LocalDataSystem

/// Writes the fields of rows as members of an object in JSON.
struct BackupValueWriter {
  let schema: BackupSchema
  var bytes: [UInt8] = []

  /// Appends the members of a row.
  ///
  /// - Parameter column: Returns the position of a plain field's column.
  mutating func append(
    _ fields: [BackupSchema.Field], _ row: SQLiteRow, _ message: Data?, _ column: (Int) -> Int32?,
    isFirst: inout Bool
  ) throws(StorageProblem) {
    for field in fields {
      guard let column = column(field.number), !row.isNull(column) else { continue }
      bytes.appendName(field.name, &isFirst)
      try append(row, column, field)
    }
    guard let message else { return }
    let sealed = fields.filter { column($0.number) == nil }
    var first = isFirst
    try read(message) { (writer, reader) throws(StorageProblem) in
      try writer.appendMembers(sealed, &reader, isFirst: &first)
    }
    isFirst = first
  }

  private mutating func read(
    _ bytes: some ContiguousBytes,
    _ body: (inout BackupValueWriter, inout WireReader) throws(StorageProblem) -> Void
  ) throws(StorageProblem) {
    try WireReader.read(bytes) { (reader) throws(StorageProblem) in try body(&self, &reader) }
  }

  // MARK: Columns

  private mutating func append(
    _ row: SQLiteRow, _ column: Int32, _ field: BackupSchema.Field
  ) throws(StorageProblem) {
    guard case .single(let element) = field.type else {
      return try read(row.blob(column)) { (writer, reader) throws(StorageProblem) in
        let found = try writer.collected([field], &reader)
        writer.append(found.values[field.number] ?? Array("[]".utf8), of: field.type)
      }
    }
    switch element {
    case .text: bytes.appendJSON(row.text(column) ?? "")
    case .bool: bytes.append(row.integer(column) == 0 ? "false" : "true")
    case .integer, .unsigned: bytes.append(String(row.integer(column)))
    case .real, .float: append(row.real(column))
    case .date, .seconds: append(Date(timeIntervalSinceReferenceDate: row.real(column)))
    case .data: bytes.appendJSON(row.blob(column).base64EncodedString())
    case .uuid:
      guard let uuid = row.uuid(column) else { throw .corrupted }
      bytes.appendJSON(uuid.uuidString)
    case .structure(let name):
      try read(row.blob(column)) { (writer, reader) throws(StorageProblem) in try writer.append(struct: name, &reader) }
    }
  }

  private mutating func append(_ number: some BinaryFloatingPoint & CustomStringConvertible) {
    if number.isFinite { bytes.append(number.description) } else { bytes.appendJSON(number.description) }
  }

  private mutating func append(_ date: Date) {
    if let text = BackupDate.text(date) {
      bytes.appendJSON(text)
    } else {
      append(date.timeIntervalSinceReferenceDate)
    }
  }

  // MARK: The wire format

  private mutating func append(struct name: String, _ reader: inout WireReader) throws(StorageProblem) {
    bytes.append(UInt8(ascii: "{"))
    var isFirst = true
    try appendMembers(schema.structs[name] ?? [], &reader, isFirst: &isFirst)
    bytes.append(UInt8(ascii: "}"))
  }

  /// Appends the members of a message in the order of the fields, and what the schema does not know as `"?"`.
  private mutating func appendMembers(
    _ fields: [BackupSchema.Field], _ reader: inout WireReader, isFirst: inout Bool
  ) throws(StorageProblem) {
    let found = try collected(fields, &reader)
    for field in fields {
      guard let value = found.values[field.number] else { continue }
      bytes.appendName(field.name, &isFirst)
      append(value, of: field.type)
    }
    if !found.unknown.isEmpty, !schema.isPartial {
      bytes.appendName("?", &isFirst)
      bytes.appendJSON(Data(found.unknown).base64EncodedString())
    }
  }

  private mutating func append(_ value: [UInt8], of type: BackupType) {
    if case .single = type { return bytes += value }
    bytes.append(UInt8(ascii: "["))
    bytes += value.first == UInt8(ascii: ",") ? Array(value.dropFirst()) : []
    bytes.append(UInt8(ascii: "]"))
  }

  /// Returns the JSON of the values in a message by their numbers. That of a collection has a comma before each element.
  private func collected(
    _ fields: [BackupSchema.Field], _ reader: inout WireReader
  ) throws(StorageProblem) -> (values: [Int: [UInt8]], unknown: [UInt8]) {
    var values: [Int: [UInt8]] = [:]
    var unknown = RecordUnknownFields()
    while let field = try reader.next() {
      let number = Int(field.tag >> 3)
      let wireType = field.tag & 7
      guard let known = fields.first(where: { $0.number == number && $0.type.has(wireType) }) else {
        try unknown.keep(field, &reader)
        continue
      }
      var writer = BackupValueWriter(schema: schema)
      switch known.type {
      case .single(let element):
        try writer.append(element, &reader)
        values[number] = writer.bytes
        continue
      case .list(let element): try writer.appendElements(element, wireType, &reader)
      case .map(let key, let value):
        writer.bytes.append(UInt8(ascii: ","))
        try writer.append(entry: key, value, &reader)
      }
      values[number, default: []] += writer.bytes
    }
    return (values, unknown.bytes)
  }

  /// Appends an entry of a map as a list of its key and its value. What is left out is zero.
  private mutating func append(
    entry key: BackupType.Element, _ value: BackupType.Element, _ reader: inout WireReader
  ) throws(StorageProblem) {
    let parts = [
      BackupSchema.Field(number: 1, name: "key", type: .single(key), isOptional: false),
      BackupSchema.Field(number: 2, name: "value", type: .single(value), isOptional: false),
    ]
    let schema = schema
    let found = try reader.message { (reader) throws(StorageProblem) in
      try BackupValueWriter(schema: schema).collected(parts, &reader)
    }
    bytes.append(UInt8(ascii: "["))
    bytes += found.values[1] ?? key.zero
    bytes.append(UInt8(ascii: ","))
    bytes += found.values[2] ?? value.zero
    bytes.append(UInt8(ascii: "]"))
  }

  /// Appends the elements of one field of a list, each after a comma.
  private mutating func appendElements(
    _ element: BackupType.Element, _ wireType: UInt32, _ reader: inout WireReader
  ) throws(StorageProblem) {
    if wireType != element.wireType {
      for text in try element.packed(&reader) {
        bytes.append(UInt8(ascii: ","))
        bytes += text
      }
      return
    }
    bytes.append(UInt8(ascii: ","))
    try append(element, &reader)
  }

  private mutating func append(_ element: BackupType.Element, _ reader: inout WireReader) throws(StorageProblem) {
    switch element {
    case .text: bytes.appendJSON(try reader.text())
    case .bool: bytes.append(try reader.bool() ? "true" : "false")
    case .integer: bytes.append(String(try reader.integer() as Int64))
    case .unsigned: bytes.append(String(try reader.unsigned() as UInt64))
    case .real: append(try reader.real())
    case .float: append(try reader.float())
    case .date: append(try reader.date())
    case .seconds: append(try reader.seconds())
    case .data: bytes.appendJSON(try reader.data().base64EncodedString())
    case .uuid: bytes.appendJSON(try reader.uuid().uuidString)
    case .structure(let name):
      let schema = schema
      bytes += try reader.message { (reader) throws(StorageProblem) in
        var writer = BackupValueWriter(schema: schema)
        try writer.append(struct: name, &reader)
        return writer.bytes
      }
    }
  }
}

extension BackupType {
  /// Returns true if a field on the wire can have values of this type. A list of numbers may be packed.
  fileprivate func has(_ wireType: UInt32) -> Bool {
    switch self {
    case .single(let element): element.wireType == wireType
    case .list(let element): element.wireType == wireType || wireType == 2
    case .map: wireType == 2
    }
  }
}

extension BackupType.Element {
  /// The type of a field on the wire, as protobuf numbers them.
  var wireType: UInt32 {
    switch self {
    case .bool, .integer, .unsigned, .seconds: 0
    case .real: 1
    case .float: 5
    case .text, .date, .data, .uuid, .structure: 2
    }
  }

  /// The JSON of the value that the wire format leaves out.
  fileprivate var zero: [UInt8] {
    switch self {
    case .bool: Array("false".utf8)
    case .integer, .unsigned: Array("0".utf8)
    case .real, .float: Array("0.0".utf8)
    case .seconds: Array("\"1970-01-01T00:00:00.000000000Z\"".utf8)
    case .text, .data: Array("\"\"".utf8)
    case .date, .uuid, .structure: Array("null".utf8)
    }
  }

  /// Returns the JSON of the elements of a packed list.
  fileprivate func packed(_ reader: inout WireReader) throws(StorageProblem) -> [[UInt8]] {
    func texts<Value>(_ values: [Value], _ text: (Value) -> String) -> [[UInt8]] { values.map { Array(text($0).utf8) } }
    switch self {
    case .bool:
      var values: [Bool] = []
      try reader.packedBools(into: &values)
      return texts(values) { $0 ? "true" : "false" }
    case .unsigned:
      var values: [UInt64] = []
      try reader.packedIntegers(into: &values)
      return texts(values) { String($0) }
    case .real:
      var values: [Double] = []
      try reader.packedReals(into: &values)
      return texts(values) { $0.isFinite ? "\($0)" : "\"\($0)\"" }
    case .float:
      var values: [Float] = []
      try reader.packedFloats(into: &values)
      return texts(values) { $0.isFinite ? "\($0)" : "\"\($0)\"" }
    default:
      var values: [Int64] = []
      try reader.packedIntegers(into: &values)
      return texts(values) { String($0) }
    }
  }
}
