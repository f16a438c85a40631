@_spi(Generated) import LocalDataRecords
import LocalData
import LocalDataShapes
import LocalDataFoundation
import LocalDataSQLite
import LocalDataStores
import LocalDataSystem

/// Reads a file into a staging database, and checks it.
struct BackupStage: Sendable {
  let backup: StorageBackup
  let store: RecordStore?
  let application: String
  let isPlainAccepted: Bool
  let allowsOtherApplication: Bool
  let isSalvaging: Bool
  let progress: @Sendable (BackupProgress) -> Void

  struct Staged: Sendable {
    let header: BackupHeader
    var staging: RecordStaging?
    var values: [RestoredKeys.Value] = []
    var lost: [String: Int] = [:]
    /// The numbers of rows of records that the app no longer has, and the number of such keys.
    var ended: [String: Int] = [:]
    var endedKeys = 0
    var lostChunks: [Int] = []
    /// A Boolean value that indicates whether nothing of the document can be missing.
    var isWhole = true
  }

  /// Reads the file once. Runs on a thread that may block.
  func run(_ url: URL, _ passphrase: SecretBytes?, _ stretching: KeyStretching) throws(BackupError) -> Staged {
    let input = try BackupInput(try open(url), passphrase, stretching, isSalvaging: isSalvaging)
    if !input.isSealed, !isPlainAccepted { throw BackupError(.plainDocument) }
    // A document that anyone can write must not pass for the one that the passphrase protects.
    if !input.isSealed, passphrase != nil { throw BackupError(.plainDocument) }
    let reader = try BackupDocumentReader(input)
    try check(reader.header)
    input.longestLine = longestLine
    var staged = Staged(header: reader.header)
    if let store {
      try run(reader, store, &staged)
    } else {
      try read(reader, &staged) { (_, _, line) throws(BackupError) in throw BackupError(.invalidLayout, line: line) }
    }
    staged.lostChunks = input.lostChunks
    staged.isWhole = isWhole(input)
    return staged
  }

  private func run(
    _ reader: BackupDocumentReader, _ store: RecordStore, _ staged: inout Staged
  ) throws(BackupError) {
    var header = reader.header
    header.leaveOut(backup.ended)
    let staging: RecordStaging
    do throws(StorageError) { staging = try store.staging(header.shape) } catch {
      throw BackupError(error.code == .newerSchema ? .newerRelease : .storage(error))
    }
    do throws(BackupError) {
      try upgrade(staging, try fill(staging, reader, header, &staged))
      staged.staging = staging
    } catch {
      do throws(StorageProblem) { try staging.discard() } catch {}
      throw error
    }
  }

  /// Nothing shows which lines a salvaged plain document lacks.
  private func isWhole(_ input: BackupInput) -> Bool { !isSalvaging || input.isSealed && input.lostChunks.isEmpty }

  /// Reads the values of keys, and calls `visit` with each row of a record that the app still has.
  private func read(
    _ reader: BackupDocumentReader, _ staged: inout Staged,
    rows visit: (BackupJSON, _ record: String, _ line: Int) throws(BackupError) -> Void
  ) throws(BackupError) {
    let keys = backup.keys()
    func read(_ entry: BackupDocumentReader.Entry, _ line: Int) throws(BackupError) {
      switch entry {
      case .row(let record, _) where backup.ended.contains(record): staged.ended[record, default: 0] += 1
      case .row(let record, let json): try visit(json, record, line)
      case .key(let name, let json):
        if let values = try values(name, json, line) {
          // The first value of a key is restored: that of its current name, if the document has an earlier one too.
          let isFirst = keys.contains { $0.isNamed(name) }
          staged.values.insert(contentsOf: values, at: isFirst ? 0 : staged.values.count)
        } else {
          staged.endedKeys += 1
        }
      }
    }
    if isSalvaging { try reader.salvage(read) } else { _ = try reader.read(read) }
  }

  private func open(_ url: URL) throws(BackupError) -> Descriptor {
    do throws(StorageProblem) {
      let file = try Descriptor(readingFileAt: url.path)
      guard try file.status().isRegularFile else { throw .io(errno: EINVAL) }
      return file
    } catch { throw BackupError(error, of: backup.name) }
  }

  /// Escapes and Base64 take more space than the values.
  private var longestLine: Int {
    let sizes = (store?.declaration.records().map(\.maxSize) ?? []) + backup.keys().map(\.maxSize)
    return max(1 << 22, 8 * (sizes.max() ?? 0))
  }

  private func check(_ header: BackupHeader) throws(BackupError) {
    guard header.catalog == backup.catalog else { throw BackupError(.otherCatalog) }
    guard allowsOtherApplication || header.application == application else { throw BackupError(.otherApplication) }
    guard header.backup == backup.name else { throw BackupError(.otherBackup) }
    let known = backup.ended.union(backup.records().map { $0.declaration.name })
    for name in header.shape.records.keys.sorted() where !known.contains(name) {
      throw BackupError(.newerRelease, name, line: 1)
    }
  }

  /// Returns the values of a key, which an earlier release may have stored under another name; nil if the app no longer has the key.
  private func values(_ name: String, _ json: Data, _ line: Int) throws(BackupError) -> [RestoredKeys.Value]? {
    let keys = backup.keys()
    let named = keys.first { $0.name == name } ?? keys.first { $0.isNamed(name) }
    guard let key = named ?? keys.first(where: { $0.wasNamed(name) }) else {
      if backup.endedKeys.contains(name) { return nil }
      throw BackupError(.unknownName, name, line: line)
    }
    guard let values = key.values(json, named: name) else { throw BackupError(.invalidValue, name, line: line) }
    return values
  }

  // MARK: Rows

  /// Adds the rows to the staging database, and returns the line of each record's first row.
  ///
  /// - Parameter header: The header without the records that the app no longer has.
  private func fill(
    _ staging: RecordStaging, _ reader: BackupDocumentReader, _ header: BackupHeader, _ staged: inout Staged
  ) throws(BackupError) -> [String: Int] {
    var problem: BackupError?
    var firstLines: [String: Int] = [:]
    do throws(StorageProblem) {
      try staging.fill { (writer) throws(StorageProblem) in
        var rows = StagedRows(header)
        do throws(BackupError) {
          try read(reader, &staged) { (json, record, line) throws(BackupError) in
            if firstLines[record] == nil { firstLines[record] = line }
            try rows.add(json, of: record, line, to: writer)
            if rows.count & 0x3ff == 0 { progress(BackupProgress(completed: rows.count, total: rows.total)) }
          }
        } catch {
          problem = error
          throw .corrupted
        }
        staged.lost = rows.missing
        if isSalvaging { staged.lost.merge(try writer.removeOrphans(), uniquingKeysWith: +) }
        if let (record, position) = try writer.orphan() {
          problem = BackupError(.missingReference, record, line: firstLines[record].map { $0 + position })
          throw .corrupted
        }
      }
    } catch { throw problem ?? BackupError(error, of: backup.name) }
    return firstLines
  }

  /// Upgrades the rows to those of this release, and decodes each.
  private func upgrade(_ staging: RecordStaging, _ firstLines: [String: Int]) throws(BackupError) {
    var problem: BackupError?
    let types = backup.parentsFirst
    do throws(StorageError) {
      try staging.read { (session) throws(StorageProblem) in
        for type in types {
          var position = 0
          do throws(StorageProblem) { try decode(type, session, &position) } catch {
            let name = type.declaration.name
            guard [.corrupted, .authenticationFailed, .cannotDecode, .newerValue].contains(error.code) else {
              throw error
            }
            problem = BackupError(.invalidValue, name, line: firstLines[name].map { $0 + position })
            throw error
          }
        }
      }
    } catch { throw problem ?? BackupError(error.code == .newerSchema ? .newerRelease : .storage(error)) }
  }

  private func decode<Record: StorageRecord>(
    _ type: Record.Type, _ session: RecordSession, _ position: inout Int
  ) throws(StorageProblem) {
    let counts = try session.copy(type, position: &position) { (_, _, _) throws(StorageProblem) in }
    // Lists leave out such rows of the record, but a backup has none.
    guard counts.damaged == 0 else { throw .corrupted }
  }
}

/// Adds the rows of a document to its staging database.
struct StagedRows {
  private let header: BackupHeader
  private let reader: BackupValueReader
  private(set) var count = 0
  private var counts: [String: Int] = [:]
  let total: Int
  /// The record and the key of the last row.
  private var last: (record: String, key: SQLiteValue)?

  init(_ header: BackupHeader) {
    self.header = header
    reader = BackupValueReader(schema: header.schema)
    total = header.counts.values.reduce(0, &+)
  }

  mutating func add(
    _ json: BackupJSON, of record: String, _ line: Int, to writer: RecordStagingWriter
  ) throws(BackupError) {
    do throws(BackupError) {
      let (values, message) = try row(json, of: record)
      guard let key = header.shape.records[record].flatMap({ values[$0.key] }) else {
        throw BackupError(.invalidValue)
      }
      if let last, last.record == record, !last.key.isBefore(key) {
        throw BackupError(key.isBefore(last.key) ? .invalidLayout : .duplicateKey)
      }
      last = (record, key)
      count += 1
      counts[record, default: 0] += 1
      do throws(StorageProblem) { try writer.insert(record, values, message) } catch {
        switch error.code {
        case .alreadyStored: throw BackupError(.duplicateValue)
        case .valueTooLarge: throw BackupError(.tooLarge)
        default: throw BackupError(error, of: record, .write)
        }
      }
    } catch {
      var error = error
      if case .storage = error.problem { throw error }
      error.subject = record
      error.line = line
      throw error
    }
  }

  /// The numbers of rows that the document names and does not have.
  var missing: [String: Int] {
    var missing: [String: Int] = [:]
    for (name, count) in header.counts where count > counts[name] ?? 0 { missing[name] = count - (counts[name] ?? 0) }
    return missing
  }

  private func row(
    _ json: BackupJSON, of record: String
  ) throws(BackupError) -> (values: [Int: SQLiteValue], message: [UInt8]) {
    guard let shape = header.shape.records[record], let fields = header.schema.records[record] else {
      throw BackupError(.unknownName)
    }
    var values: [Int: SQLiteValue] = [:]
    var writer = WireWriter()
    for (name, value) in json.members ?? [] where name != "#" {
      if name == "?" {
        try reader.write(unknown: value, &writer)
        continue
      }
      guard let field = fields.first(where: { $0.name == name }) else { throw BackupError(.unknownName, field: name) }
      if shape.sealed[field.number] != nil {
        try reader.write(value, field, &writer)
      } else {
        values[field.number] = try reader.column(value, field)
      }
    }
    return (values, writer.bytes)
  }
}

extension SQLiteValue {
  /// Returns true if a key is sorted before another one, as SQLite sorts them.
  fileprivate func isBefore(_ other: SQLiteValue) -> Bool {
    switch (self, other) {
    case (.integer(let one), .integer(let two)): one < two
    case (.text(let one), .text(let two)): one.utf8.lexicographicallyPrecedes(two.utf8)
    case (.uuid(let one), .uuid(let two)): one.bytes.lexicographicallyPrecedes(two.bytes)
    case (.blob(let one), .blob(let two)): one.lexicographicallyPrecedes(two)
    default: true
    }
  }
}

extension UUID {
  fileprivate var bytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }
}
