@_spi(Generated) import LocalDataRecords
import LocalDataFoundation
import LocalDataSQLite
import LocalDataSystem

/// Reads the values of a document in JSON. A value that is not one of its field's type is ``BackupError/Problem/invalidValue``, with
/// the name of the field.
struct BackupValueReader {
  let schema: BackupSchema

  /// Returns the value of a plain field's column.
  func column(_ json: BackupJSON, _ field: BackupSchema.Field) throws(BackupError) -> SQLiteValue {
    guard case .single(let element) = field.type else {
      return .blob(Data(try message { (writer) throws(BackupError) in try write(json, field, &writer) }))
    }
    let value: SQLiteValue? =
      switch element {
      case .text: json.text.map { .text($0) }
      case .bool: json.bool.map { .integer($0 ? 1 : 0) }
      case .integer, .unsigned: json.number(Int64.self).map { .integer($0) }
      case .real, .float: json.real.map { .real($0) }
      case .date, .seconds: json.date.map { .real($0.timeIntervalSinceReferenceDate) }
      case .data: json.data.map { .blob($0) }
      case .uuid: json.uuid.map { .uuid($0) }
      case .structure(let name):
        .blob(Data(try message { (writer) throws(BackupError) in try write(json, struct: name, &writer) }))
      }
    guard let value else { throw BackupError(.invalidValue, field: field.name) }
    return value
  }

  /// Writes a field to a message.
  func write(
    _ json: BackupJSON, _ field: BackupSchema.Field, _ writer: inout WireWriter
  ) throws(BackupError) {
    let isWritten: Bool
    switch field.type {
    case .single(let element): isWritten = try write(json, element, field.number, &writer)
    case .list(let element): isWritten = try write(list: json, element, field.number, &writer)
    case .map(let key, let value): isWritten = try write(map: json, key, value, field.number, &writer)
    }
    guard isWritten else { throw BackupError(.invalidValue, field: field.name) }
  }

  /// Writes the fields that the exporting release did not know.
  func write(unknown json: BackupJSON, _ writer: inout WireWriter) throws(BackupError) {
    guard let bytes = json.data else { throw BackupError(.invalidValue, field: "?") }
    do throws(StorageProblem) {
      var unknown = RecordUnknownFields()
      try WireReader.read(bytes) { (reader) throws(StorageProblem) in
        while let field = try reader.next() { try unknown.keep(field, &reader) }
      }
      writer.unknown(unknown)
    } catch { throw BackupError(.invalidValue, field: "?") }
  }

  /// Returns the bytes of a message.
  private func message(
    _ write: (inout WireWriter) throws(BackupError) -> Void
  ) throws(BackupError) -> [UInt8] {
    var writer = WireWriter()
    try write(&writer)
    return writer.bytes
  }

  private func write(
    _ json: BackupJSON, struct name: String, _ writer: inout WireWriter
  ) throws(BackupError) {
    guard let members = json.members, let fields = schema.structs[name] else { throw BackupError(.invalidValue) }
    for (name, value) in members {
      if name == "?" {
        try write(unknown: value, &writer)
      } else if let field = fields.first(where: { $0.name == name }) {
        try write(value, field, &writer)
      } else {
        throw BackupError(.unknownName, field: name)
      }
    }
  }

  private func write(
    list json: BackupJSON, _ element: BackupType.Element, _ number: Int, _ writer: inout WireWriter
  ) throws(BackupError) -> Bool {
    guard let list = json.list else { return false }
    for value in list {
      guard try write(value, element, number, &writer) else { return false }
    }
    return true
  }

  private func write(
    map json: BackupJSON, _ key: BackupType.Element, _ value: BackupType.Element, _ number: Int,
    _ writer: inout WireWriter
  ) throws(BackupError) -> Bool {
    guard let list = json.list else { return false }
    for entry in list {
      guard let parts = entry.list, parts.count == 2 else { return false }
      let bytes = try message { (writer) throws(BackupError) in
        guard try write(parts[0], key, 1, &writer), try write(parts[1], value, 2, &writer) else {
          throw BackupError(.invalidValue)
        }
      }
      writer.message(number) { $0.append(bytes) }
    }
    return true
  }

  /// Writes a value, also if it is zero. Returns false if it is not one of the type.
  private func write(
    _ json: BackupJSON, _ element: BackupType.Element, _ number: Int, _ writer: inout WireWriter
  ) throws(BackupError) -> Bool {
    func put<Value>(_ value: Value?, _ write: (Value?) -> Void) -> Bool {
      write(value)
      return value != nil
    }
    let isWritten =
      switch element {
      case .text: put(json.text) { writer.text($0, number) }
      case .bool: put(json.bool) { writer.bool($0, number) }
      case .integer: put(json.number(Int64.self)) { writer.integer($0, number) }
      case .unsigned: put(json.number(UInt64.self)) { writer.unsigned($0, number) }
      case .real: put(json.real) { writer.real($0, number) }
      case .float: put(json.float) { writer.float($0, number) }
      case .date: put(json.date) { writer.date($0, number) }
      case .seconds: put(json.date) { writer.seconds($0, number) }
      case .data: put(json.data) { writer.data($0, number) }
      case .uuid: put(json.uuid) { writer.uuid($0, number) }
      case .structure(let name):
        put(try message { (writer) throws(BackupError) in try write(json, struct: name, &writer) }) { bytes in
          writer.message(number) { $0.append(bytes ?? []) }
        }
      }
    return isWritten && writer.fault == nil
  }
}

extension BackupJSON {
  var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  fileprivate var real: Double? {
    if case .text(let text) = self { Self.special[text] } else { number() }
  }

  fileprivate var float: Float? {
    if case .text(let text) = self { Self.special[text].map { Float($0) } } else { number() }
  }

  private static let special: [String: Double] = ["inf": .infinity, "-inf": -.infinity, "nan": .nan, "-nan": -.nan]

  fileprivate var date: Date? {
    if case .text(let text) = self, Self.special[text] == nil { return BackupDate.date(text) }
    return real.map { Date(timeIntervalSinceReferenceDate: $0) }
  }

  var data: Data? {
    guard case .text(let text) = self, let data = Data(base64Encoded: text), data.base64EncodedString() == text else {
      return nil
    }
    return data
  }

  fileprivate var uuid: UUID? { text.flatMap { UUID(uuidString: $0) } }
}
