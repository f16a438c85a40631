import LocalData
import RecordShapes
import SmallFoundation
import StorageSQLite
import StorageStores
import StorageSystem
import StorageVocabulary

/// The keys of the encrypted fields of a database. They are in memory from their first use until ``lock()``.
final class RecordSealing: Sendable {
  private let file: RecordFile
  private let keys: RecordKeys
  private let known = Lock<RecordSealer?>(nil)

  /// Returns nil if no record of the database has encrypted fields.
  init?(
    _ declaration: RecordDatabaseDeclaration, _ file: RecordFile, _ address: StorageAddress,
    _ services: StorageServices,
    clock: any StorageClock
  ) {
    guard case .encrypted(let policy) = declaration.sealing,
      declaration.records().contains(where: { !$0.sealed.isEmpty })
    else { return nil }
    self.file = file
    keys = RecordKeys(
      services.encryption, policy, domain: declaration.domain.kind, container: address.container,
      database: declaration.name, clock: clock)
  }

  func lock() { known.withLock { $0 = nil } }

  /// The sealer, if it is in memory.
  var knownSealer: RecordSealer? { known.withLock { $0 } }

  /// Returns the sealer, or nil if the database has no key.
  ///
  /// - Parameter isForWriting: True if a key is created if there is none.
  func sealer(isForWriting: Bool) async throws(RecordProblem) -> RecordSealer? {
    if let known = knownSealer { return known }
    // Another process may store its key first, or change the keys that seal a new one.
    for _ in 0..<8 {
      let stored = try await BlockingExecutor.shared.run { [file] () throws(RecordProblem) in
        try file.read(mayWait: true) { (session) throws(StorageFault) in try RecordKeys.stored(on: session.use()) }
      }
      if let sealer = try await opened(stored) { return sealer }
      guard isForWriting else { return nil }
      let new: RecordKeys.New
      do throws(StorageFault) { new = try await keys.newKey() } catch { throw .fault(error) }
      if let sealer = try await BlockingExecutor.shared.run({ [self] () throws(RecordProblem) in try add(new) }) {
        known.withLock { $0 = sealer }
        return sealer
      }
    }
    throw .fault(.busy)
  }

  private func opened(_ stored: [RecordKeys.Stored]) async throws(RecordProblem) -> RecordSealer? {
    do throws(StorageFault) {
      guard let sealer = try await keys.sealer(with: stored) else { return nil }
      known.withLock { $0 = sealer }
      return sealer
    } catch { throw .fault(error) }
  }

  /// Stores a new key. Returns nil if the database has one, or if the key that has sealed the new one may not seal any more.
  private func add(_ new: RecordKeys.New) throws(RecordProblem) -> RecordSealer? {
    var problem: RecordProblem?
    do throws(StorageFault) {
      return try keys.storing(new) { [file, keys] () throws(StorageFault) -> RecordSealer? in
        do throws(RecordProblem) {
          return try file.write { (session) throws(StorageFault) in
            let connection = try session.use(changing: true)
            let rows = RecordKeys.Rows(
              stored: { () throws(StorageFault) in try RecordKeys.stored(on: connection) },
              isAnyRowSealed: { () throws(StorageFault) in try session.tables.hasSealedRow(connection) },
              insert: { (row) throws(StorageFault) in
                try connection.writeRow(
                  "INSERT INTO local_data_keys VALUES (?, ?, 0)", [.integer(Int64(row.number)), .blob(row.envelope)])
              })
            return try keys.add(new, to: rows)
          }
        } catch {
          problem = error
          throw .busy
        }
      }
    } catch {
      if problem == nil, error == .busy { return nil }
      throw problem ?? .fault(error)
    }
  }
}

extension RecordKeys {
  /// Returns the rows of `local_data_keys`.
  static func stored(on connection: SQLiteConnection) throws(StorageFault) -> [Stored] {
    var stored: [Stored] = []
    try connection.rows("SELECT number, sealed FROM local_data_keys ORDER BY number") { (row) throws(StorageFault) in
      guard let number = UInt32(exactly: row.integer(0)) else { throw .databaseDamaged }
      stored.append(.init(number: number, envelope: row.blob(1)))
      return true
    }
    return stored
  }
}

extension RecordTables {
  /// Returns true if a row of any table has a sealed part.
  func hasSealedRow(_ connection: SQLiteConnection) throws(StorageFault) -> Bool {
    for (name, record) in shape.records {
      guard let column = record.columns[0]?.name.quotedAsName else { continue }
      let sql = "SELECT 1 FROM \(name.quotedAsName) WHERE \(column) IS NOT NULL LIMIT 1"
      if try connection.first(sql, [], { _ in true }) != nil { return true }
    }
    return false
  }
}
