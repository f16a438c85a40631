import LocalData
@_spi(Generated) import LocalDataRecords
public import LocalDataFoundation
import LocalDataStores
import LocalDataSystem

/// A file that an export has written.
public struct BackupFile: Sendable, Hashable {
  /// The address of the file, in the caches. The app moves or shares it. The next export removes it.
  public var url: URL
  /// The numbers of rows by the stored names of the records.
  public var counts: [String: Int]
  /// The number of keys that have a value.
  public var keys: Int
  /// The number of damaged rows that are left out, because their records are declared `onCorruption: skip`.
  public var damaged: Int
  /// The number of rows that are left out because their retention has ended.
  public var ended: Int
}

/// One export: it writes a document, and then proves that its file opens and has what was written.
struct BackupExport: Sendable {
  let backup: StorageBackup
  let place: BackupPlace
  let application: String
  let version: String?
  let created: Date
  let stretching: KeyStretching
  let progress: @Sendable (BackupProgress) -> Void

  /// A value of a key.
  struct Value: Sendable {
    var name: String
    var json: Data
  }

  /// Writes the file and proves it. Runs on a thread that may block.
  ///
  /// - Parameter session: A transaction that reads, or nil if the backup has no records.
  func run(
    _ session: RecordSession?, _ values: [Value], _ passphrase: SecretBytes?
  ) throws(BackupError) -> BackupFile {
    let draft: BackupDraft
    do throws(StorageProblem) { draft = try place.draft(backup) } catch {
      throw BackupError(error, of: backup.name, .write)
    }
    do throws(BackupError) { return try run(draft, session, values, passphrase) } catch {
      draft.file.remove()
      throw error
    }
  }

  private func run(
    _ draft: BackupDraft, _ session: RecordSession?, _ values: [Value], _ passphrase: SecretBytes?
  ) throws(BackupError) -> BackupFile {
    var (file, digest): (BackupFile, Data)
    do throws(StorageProblem) { (file, digest) = try write(draft, session, values, passphrase) } catch {
      throw BackupError(error, of: backup.name, .write)
    }
    try prove(draft, file, digest, passphrase)
    do throws(StorageProblem) { file.url = try draft.finish() } catch {
      throw BackupError(error, of: backup.name, .write)
    }
    return file
  }

  private func write(
    _ draft: BackupDraft, _ session: RecordSession?, _ values: [Value], _ passphrase: SecretBytes?
  ) throws(StorageProblem) -> (BackupFile, Data) {
    var cipher: BackupCipher?
    if let passphrase {
      cipher = try BackupCipher(passphrase, iterations: backup.iterations, stretching: stretching)
    }
    let output = try BackupOutput(try draft.create(), cipher)
    var file = BackupFile(url: URL(fileURLWithPath: "/"), counts: [:], keys: values.count, damaged: 0, ended: 0)
    let types = backup.parentsFirst
    if let session { for type in types { try count(type, session, &file) } }
    let header = BackupHeader.line(
      backup, application: application, version: version, created: created, shape: try backup.shape.json,
      counts: file.counts, values: values.count)
    try output.add(header)
    try output.add(Array("\"records\":{".utf8))
    var done = 0
    if let session {
      guard let schema = BackupSchema(BackupJSONReader.value(of: Array(backup.schema.utf8)[...])) else {
        throw .cannotEncode
      }
      for (index, type) in types.enumerated() {
        try write(type, session, schema, file, &done, to: output)
        try output.add(Array((index + 1 < types.count ? "]," : "]").utf8))
      }
    }
    try output.add(Array("},".utf8))
    try write(values, to: output)
    return (file, try output.finish())
  }

  func count<Record: StorageRecord>(
    _ type: Record.Type, _ session: RecordSession, _ file: inout BackupFile
  ) throws(StorageProblem) {
    var position = 0
    let counts = try session.copy(type, position: &position) { (_, _, _) throws(StorageProblem) in }
    file.counts[type.declaration.name] = counts.rows
    file.damaged += counts.damaged
    file.ended += counts.ended
  }

  func write<Record: StorageRecord>(
    _ type: Record.Type, _ session: RecordSession, _ schema: BackupSchema, _ file: BackupFile, _ done: inout Int,
    to output: BackupOutput
  ) throws(StorageProblem) {
    let declaration = Record.declaration
    let name = declaration.name
    let total = file.counts.values.reduce(0, +)
    var columns: [Int: Int32] = [:]
    for (position, column) in declaration.columns.enumerated() where column.storage.isOfField {
      columns[column.number] = Int32(position)
    }
    guard let fields = schema.records[name] else { throw .cannotEncode }
    var head: [UInt8] = []
    head.appendJSON(name)
    try output.add(head + Array(":[".utf8))
    var rest = file.counts[name] ?? 0
    var position = 0
    var writer = BackupValueWriter(schema: schema)
    _ = try session.copy(type, position: &position) { (_, row, message) throws(StorageProblem) in
      guard rest > 0 else { throw .busy }
      rest -= 1
      writer.bytes.removeAll(keepingCapacity: true)
      writer.bytes.append("{\"#\":")
      writer.bytes.appendJSON(name)
      var isFirst = false
      try writer.append(fields, row, message, { columns[$0] }, isFirst: &isFirst)
      writer.bytes.append(rest > 0 ? "}," : "}")
      try output.add(writer.bytes)
      done += 1
      if done & 0x3ff == 0 { progress(BackupProgress(completed: done, total: total)) }
    }
    guard rest == 0 else { throw .busy }
  }

  /// Writes the values of keys.
  ///
  /// - Parameter end: The line after them.
  func write(_ values: [Value], to output: BackupOutput, end: String = "},") throws(StorageProblem) {
    try output.add(Array("\"keys\":{".utf8))
    for (index, value) in values.enumerated() {
      var line: [UInt8] = []
      var isFirst: Bool = true
      line.appendName(value.name, &isFirst)
      line += value.json
      if index + 1 < values.count { line.append(UInt8(ascii: ",")) }
      try output.add(line)
    }
    try output.add(Array(end.utf8))
  }

  /// Opens the file with the passphrase, and compares the digest and the numbers with what was written.
  private func prove(
    _ draft: BackupDraft, _ file: BackupFile, _ digest: Data, _ passphrase: SecretBytes?
  ) throws(BackupError) {
    let input = try BackupInput(try draft.open(), passphrase, stretching)
    let reader = try BackupDocumentReader(input)
    input.longestLine = .max
    let found = try reader.read { (_, _) throws(BackupError) in }
    guard found == digest, reader.header.counts == file.counts, reader.header.values == file.keys,
      input.isSealed == backup.isEncrypted
    else { throw BackupError(.wrongDigest) }
  }
}
