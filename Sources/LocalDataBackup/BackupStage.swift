@_spi(Generated) import LocalDataRecords
import LocalData
import RecordShapes
import SmallFoundation
import StorageSQLite
import StorageStores
import StorageSystem

/// Reads a file into a staging database, and checks it.
struct BackupStage: Sendable {
  let backup: StorageBackup
  let store: RecordStore?
  let application: String
  let launch: UUID
  let isPlainAccepted: Bool
  let allowsOtherApplication: Bool
  let isSalvaging: Bool
  let progress: @Sendable (BackupProgress) -> Void

  struct Staged: Sendable {
    let header: BackupHeader
    let staging: RecordStaging?
    let values: [RestoredKeys.Value]
    var lost: [String: Int] = [:]
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
    guard let store else {
      var values: [RestoredKeys.Value] = []
      try read(reader) { (entry, line) throws(BackupError) in values.append(try value(entry, line)) }
      return Staged(
        header: reader.header, staging: nil, values: values, lostChunks: input.lostChunks, isWhole: isWhole(input))
    }
    let staging: RecordStaging
    do throws(StorageError) { staging = try store.staging(reader.header.shape, launch: launch) } catch {
      throw BackupError(error.code == .newerSchema ? .newerRelease : .storage(error))
    }
    do throws(BackupError) {
      let (values, firstLines, lost) = try fill(staging, reader)
      try upgrade(staging, firstLines)
      return Staged(
        header: reader.header, staging: staging, values: values, lost: lost, lostChunks: input.lostChunks,
        isWhole: isWhole(input))
    } catch {
      do throws(StorageProblem) { try staging.discard() } catch {}
      throw error
    }
  }

  /// Nothing shows which lines a salvaged plain document lacks.
  private func isWhole(_ input: BackupInput) -> Bool { !isSalvaging || input.isSealed && input.lostChunks.isEmpty }

  private func read(
    _ reader: BackupDocumentReader,
    _ visit: (BackupDocumentReader.Entry, _ line: Int) throws(BackupError) -> Void
  ) throws(BackupError) {
    if isSalvaging { try reader.salvage(visit) } else { _ = try reader.read(visit) }
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
    let known = Set(backup.records().map { $0.declaration.name })
    for name in header.shape.records.keys.sorted() where !known.contains(name) {
      throw BackupError(.newerRelease, name, line: 1)
    }
  }

  private func value(_ entry: BackupDocumentReader.Entry, _ line: Int) throws(BackupError) -> RestoredKeys.Value {
    guard case .key(let name, let json) = entry else { throw BackupError(.invalidLayout, line: line) }
    guard let key = backup.keys().first(where: { $0.name == name }) else {
      throw BackupError(.unknownName, name, line: line)
    }
    guard key.isValue(json) else { throw BackupError(.invalidValue, name, line: line) }
    return RestoredKeys.Value(name: name, json: json)
  }

  // MARK: Rows

  /// Adds the rows to the staging database, and returns the values of the keys, the line of each record's first row, and the numbers
  /// of lost rows.
  private func fill(
    _ staging: RecordStaging, _ reader: BackupDocumentReader
  ) throws(BackupError) -> (values: [RestoredKeys.Value], firstLines: [String: Int], lost: [String: Int]) {
    var (problem, values, firstLines): (BackupError?, [RestoredKeys.Value], [String: Int]) = (nil, [], [:])
    var lost: [String: Int] = [:]
    do throws(StorageProblem) {
      try staging.fill { (writer) throws(StorageProblem) in
        var rows = StagedRows(reader.header)
        do throws(BackupError) {
          try read(reader) { (entry, line) throws(BackupError) in
            guard case .row(let record, let json) = entry else { return values.append(try value(entry, line)) }
            if firstLines[record] == nil { firstLines[record] = line }
            try rows.add(json, of: record, line, to: writer)
            if rows.count & 0x3ff == 0 { progress(BackupProgress(completed: rows.count, total: rows.total)) }
          }
        } catch {
          problem = error
          throw .corrupted
        }
        lost = rows.missing
        if isSalvaging { lost.merge(try writer.removeOrphans(), uniquingKeysWith: +) }
        if let (record, position) = try writer.orphan() {
          problem = BackupError(.missingReference, record, line: firstLines[record].map { $0 + position })
          throw .corrupted
        }
      }
    } catch { throw problem ?? BackupError(error, of: backup.name) }
    return (values, firstLines, lost)
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
