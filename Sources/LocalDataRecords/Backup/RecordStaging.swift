package import LocalData
package import LocalDataShapes
import LocalDataFoundation
package import LocalDataSQLite
import LocalDataStores
package import LocalDataSystem

/// The rows of a document that is restored, in a database beside the live one.
///
/// The database has the tables of the document until its first reader merges today's tables into it, as it would merge those of an
/// earlier release. Encrypted fields are sealed with a record key that is only in memory: under a key of the live database, parts of
/// a discarded document would open in live rows.
package final class RecordStaging: Sendable {
  private let declaration: RecordDatabaseDeclaration
  private let shape: RecordShape
  private let file: RecordFile
  private let sealer: RecordSealer?
  private let location: FileLocation?
  /// Shows other processes that the file is in use. A database in memory has none.
  private let use: FileInUse?

  /// The beginning of the names of staging files, after the name of the live file. A UUID follows.
  private static let infix = ".staged-"

  fileprivate init(
    _ declaration: RecordDatabaseDeclaration, _ shape: RecordShape, beside live: RecordFile
  ) throws(StorageProblem) {
    self.declaration = declaration
    self.shape = shape
    location = live.creation.map { creation in
      let name = ".\(creation.location.name)\(Self.infix)\(UUID().uuidString)"
      return FileLocation(folder: creation.location.folder, name: name)
    }
    var use: FileInUse?
    if let location {
      use = try FileInUse(creating: FileLocation(folder: location.folder, name: Self.useName(location.name)))
    }
    self.use = use
    file = try RecordFile(
      declaration, at: location, recorded: shape, patience: CallDeadline.ordinaryPatience, clock: live.clock)
    sealer = RecordSealer(
      database: declaration.name, keys: [1: Randomness.system.secret(Keyset.Key.count)], algorithm: .aes256GCM)
  }

  /// Runs `body`, which adds the rows of the document, in one transaction.
  package func fill(_ body: (RecordStagingWriter) throws(StorageProblem) -> Void) throws(StorageProblem) {
    try file.transaction { (connection) throws(StorageProblem) in
      // A row may come before the one that it refers to, if both are of one record.
      try connection.execute("PRAGMA defer_foreign_keys = ON")
      try body(RecordStagingWriter(connection, shape, sealer))
      try connection.run("INSERT INTO local_data VALUES ('staged', '1')", [])
    }
  }

  /// Runs `body` with the rows as this release declares them.
  package func read(_ body: (RecordSession) throws(StorageProblem) -> Void) throws(StorageError) {
    let call = RecordCall(subject: .init(key: declaration.name, domain: declaration.domain.kind), usesKeys: true)
    let obstacle: RecordObstacle?
    do throws(StorageProblem) {
      obstacle = try file.read(sealer) { (session) throws(StorageProblem) in
        // A file that was removed reads as an empty one.
        let isStaged = try session.use().first("SELECT 1 FROM local_data WHERE name = 'staged'", []) { _ in true }
        guard isStaged == true else { throw .notFound }
        try body(session)
      }
    } catch { throw error.recordError(call, .read) }
    if let obstacle { throw obstacle.error(call, declaration) }
  }

  /// The reason for which no release could have declared the tables of the document.
  fileprivate var obstacle: RecordObstacle? { file.refusal.map(RecordObstacle.refused) }

  /// Removes the file.
  package func discard() throws(StorageProblem) {
    guard let location, let folder = try location.folder.open(creating: false) else { return }
    let name = location.name
    for name in [name, "\(name)-wal", "\(name)-shm", FileLock.lockName(name), ".\(name).gate", ".\(name).new"] {
      try folder.unlink(name)
    }
    use?.remove()
  }

  private static func useName(_ name: String) -> String { name + ".use" }

  /// Removes the staging files of a database.
  ///
  /// - Parameter isSignOut: True if all are removed, false if those are that a killed process has left.
  fileprivate static func remove(beside location: FileLocation, isSignOut: Bool) throws(StorageProblem) {
    guard let folder = try location.folder.open(creating: false) else { return }
    let beginning = "\(location.name)\(infix)"
    for name in try folder.names() {
      let text = name.drop { $0 == "." }
      guard name.hasPrefix("."), text.hasPrefix(beginning) else { continue }
      let use = useName("." + text.prefix(beginning.count + 36))
      if !isSignOut, try !FileInUse.removeAbandoned(use, in: folder) { continue }
      // Another process may have created it again.
      if isSignOut || name != use { try folder.unlink(name) }
    }
  }
}

extension RecordStore {
  /// Returns an empty staging database with the tables of a document.
  ///
  /// - Throws: ``StorageProblem/Code/newerSchema`` if the tables are none that a release could have declared.
  package func staging(_ shape: RecordShape) throws(StorageError) -> RecordStaging {
    let call = RecordCall(subject: .init(key: declaration.name, domain: declaration.domain.kind), usesKeys: false)
    let staging: RecordStaging
    do throws(StorageProblem) {
      staging = try RecordStaging(declaration, shape, beside: file)
    } catch { throw StorageError(error, call.subject) }
    guard let obstacle = staging.obstacle else { return staging }
    do throws(StorageProblem) { try staging.discard() } catch {}
    throw obstacle.error(call, declaration)
  }

  /// Waits until no other restore changes the database, also one of another process.
  ///
  /// - Returns: The turn, to be ended; nil if the database is in memory.
  /// - Throws: ``StorageProblem/busy`` if another restore does not end in time.
  package func takeTurn() throws(StorageProblem) -> RestoreTurn? {
    guard let location = file.creation?.location else { return nil }
    let name = "\(location.name).restore"
    let folder = try location.folder.openForWriting(lock: name)
    return try RestoreTurn(try FileLock(in: folder, named: name))
  }

  /// Removes staging files.
  ///
  /// - Parameter isSignOut: True if all are removed, false if those are that killed processes have left.
  package func removeStaged(isSignOut: Bool) throws(StorageProblem) {
    guard let location = file.creation?.location else { return }
    try RecordStaging.remove(beside: location, isSignOut: isSignOut)
  }
}

/// The turn of a restore. The system ends it with the process.
package final class RestoreTurn: Sendable {
  private let lock: FileLock
  private let activity: ExpiringActivity?

  fileprivate init(_ lock: consuming FileLock) throws(StorageProblem) {
    activity = try lock.take(until: CallDeadline.end(of: FileLock.patience))
    self.lock = lock
  }

  package func end() { lock.release(activity) }
}

/// Adds rows to a staging database. Only the thread that runs its transaction may use it.
package struct RecordStagingWriter {
  private let connection: SQLiteConnection
  private let tables: [String: StagedTable]
  private let sealer: RecordSealer?

  fileprivate init(_ connection: SQLiteConnection, _ shape: RecordShape, _ sealer: RecordSealer?) {
    self.connection = connection
    self.sealer = sealer
    var tables: [String: StagedTable] = [:]
    for (name, record) in shape.records { tables[name] = StagedTable(name, record) }
    self.tables = tables
  }

  /// Adds a row.
  ///
  /// - Parameters:
  ///   - values: The plain fields by their numbers.
  ///   - message: The encrypted fields, in the wire format.
  /// - Throws: ``StorageProblem/alreadyStored(column:)`` if another row has its key, or its value in a unique field.
  package func insert(
    _ record: String, _ values: [Int: SQLiteValue], _ message: [UInt8]
  ) throws(StorageProblem) {
    guard let table = tables[record], let sealer else { throw .corrupted }
    try connection.writeRow(table.insert, table.row(values, message, sealer))
  }

  /// Returns a row that refers to nothing: its record and its position among the rows of the record, from 0. Returns nil if there is
  /// none.
  package func orphan() throws(StorageProblem) -> (record: String, position: Int)? {
    let found = try connection.first("PRAGMA foreign_key_check", []) { ($0.text(0) ?? "", $0.integer(1)) }
    guard let (record, number) = found, let table = tables[record] else { return nil }
    let sql =
      "SELECT count(*) FROM \(table.name) WHERE \(table.key) < (SELECT \(table.key) FROM \(table.name) WHERE \(table.rowNumber) = ?)"
    let position = try connection.first(sql, [.integer(number)]) { $0.integer(0) } ?? 0
    return (record, Int(position))
  }

  /// Removes the rows that refer to nothing, and those that refer to them. Returns their numbers by the names of their records.
  package func removeOrphans() throws(StorageProblem) -> [String: Int] {
    var removed: [String: Int] = [:]
    while true {
      var orphans: Set<Orphan> = []
      try connection.rows("PRAGMA foreign_key_check", []) { (row) throws(StorageProblem) in
        orphans.insert(Orphan(record: row.text(0) ?? "", row: row.integer(1)))
        return true
      }
      if orphans.isEmpty { return removed }
      for orphan in orphans {
        guard let table = tables[orphan.record] else { throw .corrupted }
        let sql = "DELETE FROM \(table.name) WHERE \(table.rowNumber) = ?"
        removed[orphan.record, default: 0] += try connection.run(sql, [.integer(orphan.row)])
      }
    }
  }

  private struct Orphan: Hashable {
    var record: String
    var row: Int64
  }
}

/// A table of a document.
private struct StagedTable {
  let name: String
  let key: String
  let rowNumber: String
  let insert: String
  private let stored: String
  private let record: RecordShape.Record
  private let indexes: [Int: BlindIndex]

  init(_ name: String, _ record: RecordShape.Record) {
    self.name = "main." + RecordShape.quoted(name)
    stored = name
    self.record = record
    key = record.quotedName(record.key)
    rowNumber = record.rowNumber
    let columns = record.order.map { record.quotedName($0) }
    insert =
      "INSERT INTO \(self.name) (\(columns.joined(separator: ", "))) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
    var indexes: [Int: BlindIndex] = [:]
    for index in record.blindIndexes { indexes[index.number] = index }
    self.indexes = indexes
  }

  /// Returns the values of the columns in their order.
  func row(
    _ values: [Int: SQLiteValue], _ message: [UInt8], _ sealer: RecordSealer
  ) throws(StorageProblem) -> [SQLiteValue] {
    let key = values[record.key]?.canonicalBytes ?? Data()
    var row: [SQLiteValue] = []
    for number in record.order {
      if number == 0 {
        row.append(.blob(Data(try sealer.seal(message, record: stored, key: key))))
      } else if let index = indexes[number] {
        let isRequired = record.required.contains(number)
        let found = try sealer.blindIndex(index, in: Data(message), record: stored, isZero: isRequired)
        row.append(found.map(SQLiteValue.integer) ?? .null)
      } else {
        row.append(values[number] ?? .null)
      }
    }
    return row
  }
}
