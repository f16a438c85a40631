import LocalDataRecords
import LocalDataShapes
import LocalDataFoundation
import LocalDataSystem

/// The first line of a document.
struct BackupHeader {
  var backup: String
  var catalog: String
  var application: String
  var version: String?
  var created: String
  var shape: RecordShape
  var schema: BackupSchema
  /// The numbers of rows by the stored names of the records, and the number of keys.
  var counts: [String: Int]
  var values: Int

  /// Returns the line for the texts of a shape and a schema.
  static func line(
    _ backup: StorageBackup, application: String, version: String?, created: Date, shape: String,
    counts: [String: Int], values: Int
  ) -> [UInt8] {
    var line = beginning(backup, "backup", application, version, created)
    line.append(",\"shape\":\(shape),\"schema\":\(backup.schema),\"counts\":{")
    var isFirst = true
    for name in counts.keys.sorted() {
      line.appendName(name, &isFirst)
      line.append(String(counts[name] ?? 0))
    }
    line.append("},\"values\":\(values),")
    return line
  }

  /// Returns the beginning of a line, which says what the document is.
  static func beginning(
    _ backup: StorageBackup, _ kind: String, _ application: String, _ version: String?, _ created: Date
  ) -> [UInt8] {
    var line = Array("{\"localdata\":\"\(kind)\",\"format\":1".utf8)
    var isFirst = false
    let created = BackupDate.text(Date(timeIntervalSince1970: created.timeIntervalSince1970.rounded(.down))) ?? ""
    for (name, text) in [
      ("backup", backup.name), ("catalog", backup.catalog), ("application", application), ("version", version),
      ("created", String(created.prefix(19)) + "Z"),
    ] {
      guard let text else { continue }
      line.appendName(name, &isFirst)
      line.appendJSON(text)
    }
    return line
  }

  /// Reads the line.
  init(_ line: ArraySlice<UInt8>) throws(BackupError) {
    guard line.last == UInt8(ascii: ","),
      let json = BackupJSONReader.value(of: line.dropLast() + [UInt8(ascii: "}")]), json["localdata"]?.text == "backup"
    else { throw BackupError(.notABackup) }
    guard json["format"]?.number(Int.self) == 1 else { throw BackupError(.unknownFormat) }
    guard let backup = json["backup"]?.text, let catalog = json["catalog"]?.text,
      let application = json["application"]?.text, let created = json["created"]?.text,
      let shape = Self.shape(line), let schema = BackupSchema(json["schema"]), let counts = json["counts"]?.members,
      let values: Int = json["values"]?.number()
    else { throw BackupError(.invalidLayout, line: 1) }
    self.backup = backup
    self.catalog = catalog
    self.application = application
    self.created = created
    version = json["version"]?.text
    self.shape = shape
    self.schema = schema
    self.values = values
    self.counts = [:]
    for (name, count) in counts { self.counts[name] = count.number() ?? -1 }
    guard self.counts.values.allSatisfy({ $0 >= 0 }), self.counts.keys.sorted() == shape.records.keys.sorted(),
      schema.fits(shape)
    else {
      throw BackupError(.invalidLayout, line: 1)
    }
  }

  /// Leaves out records that the app no longer has. What referred to them is a value as any other.
  mutating func leaveOut(_ ended: Set<String>) {
    shape.records = shape.records.filter { !ended.contains($0.key) }
    counts = counts.filter { !ended.contains($0.key) }
    for name in shape.records.keys {
      guard let references = shape.records[name]?.references else { continue }
      shape.records[name]?.references = references.filter { !ended.contains($0.value.record) }
    }
  }

  private struct Shape: Decodable { var shape: RecordShape }

  private static func shape(_ line: ArraySlice<UInt8>) -> RecordShape? {
    // The texts of a column become a part of statements, which `RecordShape(json:)` examines.
    do {
      let shape = try JSONDecoder().decode(Shape.self, from: Data(line.dropLast()) + Data("}".utf8)).shape
      return try RecordShape(json: shape.json)
    } catch { return nil }
  }
}

extension BackupSchema {
  /// Returns true if each record of a shape has its fields here.
  fileprivate func fits(_ shape: RecordShape) -> Bool {
    shape.records.allSatisfy { name, record in
      guard let fields = records[name] else { return false }
      let numbers = Set(fields.map(\.number))
      return numbers.contains(record.key)
        && numbers == Set(record.columns.keys).union(record.sealed.keys).subtracting([0])
        && record.references.values.allSatisfy { shape.records[$0.record] != nil }
    }
  }
}

/// Reads a document line by line.
struct BackupDocumentReader {
  let input: BackupInput
  let header: BackupHeader

  init(_ input: BackupInput) throws(BackupError) {
    self.input = input
    guard let line = try input.next() else { throw BackupError(.notABackup) }
    header = try BackupHeader(line)
    input.hash(line)
  }

  /// A part of a document.
  enum Entry {
    /// A row of a record.
    case row(record: String, BackupJSON)
    /// The value of a key, in JSON.
    case key(name: String, Data)
  }

  /// Calls `visit` with each row and key, and compares the digest and the numbers at the end.
  ///
  /// - Returns: The digest.
  func read(_ visit: (Entry, _ line: Int) throws(BackupError) -> Void) throws(BackupError) -> Data {
    try expect("\"records\":{")
    var line = try line()
    while !isText(line, "},") {
      let record = try name(line, end: ":[")
      guard let count = header.counts[record] else { throw BackupError(.unknownName, record, line: input.line) }
      let found = try lines(until: "]", "],") { (line) throws(BackupError) in
        guard let json = BackupJSONReader.value(of: line), json["#"]?.text == record else { throw invalid }
        try visit(.row(record: record, json), input.line)
      }
      guard found == count else { throw BackupError(.wrongCount, record, line: input.line) }
      line = try self.line()
      if isText(line, "}") { throw invalid }
    }
    try expect("\"keys\":{")
    let values = try lines(until: "},") { (line) throws(BackupError) in
      guard let (name, value) = key(line) else { throw invalid }
      try visit(.key(name: name, value), input.line)
    }
    guard values == header.values else { throw BackupError(.wrongCount, line: input.line) }
    return try end()
  }

  /// Calls `visit` with each row and key of the undamaged chunks. Neither the digest nor the numbers are compared.
  func salvage(_ visit: (Entry, _ line: Int) throws(BackupError) -> Void) throws(BackupError) {
    while let line = try input.next() {
      // The rest of a line whose beginning is lost.
      if line.starts(with: BackupInput.gap) { continue }
      let text = line.last == UInt8(ascii: ",") ? line.dropLast() : line
      if let json = BackupJSONReader.value(of: text), let record = json["#"]?.text {
        guard header.counts[record] != nil else { throw BackupError(.unknownName, record, line: input.line) }
        try visit(.row(record: record, json), input.line)
      } else if let (name, value) = key(text), name != "sha256", name != "records", name != "keys" {
        try visit(.key(name: name, value), input.line)
      }
    }
  }

  /// Returns the name and the value of a key in a line, or nil if it is another line.
  private func key(_ line: ArraySlice<UInt8>) -> (name: String, value: Data)? {
    let member = BackupJSONReader.value(of: [UInt8(ascii: "{")] + line + [UInt8(ascii: "}")])?.members?.first
    guard let member else { return nil }
    var beginning: [UInt8] = []
    var isFirst = true
    beginning.appendName(member.name, &isFirst)
    return line.starts(with: beginning) ? (member.name, Data(line.dropFirst(beginning.count))) : nil
  }

  private var invalid: BackupError { BackupError(.invalidLayout, line: input.line) }

  private func line() throws(BackupError) -> ArraySlice<UInt8> {
    guard let line = try input.next() else { throw BackupError(.invalidLayout, line: input.line + 1) }
    input.hash(line)
    return line
  }

  private func expect(_ text: String) throws(BackupError) {
    guard isText(try line(), text) else { throw invalid }
  }

  private func isText(_ line: ArraySlice<UInt8>, _ text: String) -> Bool { line.elementsEqual(text.utf8) }

  /// Returns the name at the beginning of a line.
  private func name(_ line: ArraySlice<UInt8>, end: String) throws(BackupError) -> String {
    let text = line.dropLast(end.utf8.count)
    guard line.suffix(end.utf8.count).elementsEqual(end.utf8), let name = BackupJSONReader.value(of: text)?.text else {
      throw invalid
    }
    return name
  }

  /// Calls `visit` with each line up to an end, without its comma. Returns the number of lines.
  private func lines(
    until ends: String..., visit: (ArraySlice<UInt8>) throws(BackupError) -> Void
  ) throws(BackupError) -> Int {
    var count = 0
    var isLast = false
    while true {
      let line = try line()
      if ends.contains(where: { isText(line, $0) }) {
        guard isLast || count == 0 else { throw invalid }
        return count
      }
      guard !isLast else { throw invalid }
      isLast = line.last != UInt8(ascii: ",")
      try visit(isLast ? line : line.dropLast())
      count += 1
    }
  }

  private func end() throws(BackupError) -> Data {
    let digest = input.digest.value
    guard let line = try input.next(), isText(line, "\"sha256\":\"\(digest.hexadecimal)\"}") else {
      throw BackupError(.wrongDigest, line: input.line)
    }
    guard try input.next() == nil else { throw BackupError(.invalidLayout, line: input.line) }
    return digest
  }
}
