import LocalDataRecordKeys
import LocalDataShapes
import LocalDataFoundation
import LocalDataSQLite
import LocalDataStores
import LocalDataSystem

/// The rotation of the record keys of a database.
///
/// 1. A new record key is stored, unless the newest one may seal. Writers seal with it from then on.
/// 2. The rows of the earlier keys are sealed again, some in each transaction. Any process can read and write meanwhile.
/// 3. If no row of an earlier key is left, the earlier keys are removed. Until then each keeps its envelope, and with it the
///    retired master key.
///
/// If the process is killed, the next rotation continues.
extension RecordKeyValues {
  /// The progress in the tables, which are sealed one after the other.
  private struct Place: Sendable {
    var table = 0
    var last: SQLiteValue?
    /// The error of the first damaged row.
    var fault: StorageProblem?
    var isAtEnd = false
  }

  /// The rows of one transaction.
  private static let rowsTogether = 500

  func rotate(_ encryption: EncryptionHelper) async throws(StorageProblem) -> Bool {
    // Another process may change the record keys.
    for _ in 0..<8 {
      let (stored, name, highest) = try await BlockingExecutor.shared.run { () throws(StorageProblem) in
        try self.connection().map(RecordKeys.state) ?? ([], nil, 0)
      }
      guard let newest = stored.last else { return false }
      guard let header = try EnvelopeHeader.parse(newest.envelope).seal else { throw .authenticationFailed }
      let identity = database.identity(ofKey: newest.number)
      let keys = RecordKeys(
        encryption, header.policy, domain: identity.domain, container: identity.container, database: identity.database)
      guard var sealer = try await keys.sealer(with: stored, name: name) else { return false }
      if try await !keys.maySeal(stored) {
        let new = try await keys.newKey(after: sealer, above: highest)
        let isAdded = try await BlockingExecutor.shared.run { () throws(StorageProblem) in
          try keys.storing(new.stored) { () throws(StorageProblem) in
            try self.alone { (file) throws(StorageProblem) in try new.addKey(Self.shape(file), on: file) }
          }
        }
        guard isAdded == true else { continue }
        sealer = new
      }
      if sealer.stored.count == 1 { return false }
      var place: Place? = Place()
      while let start = place, !start.isAtEnd {
        place = try await BlockingExecutor.shared.run { [sealer] () throws(StorageProblem) in
          try self.seal(from: start, with: sealer)
        }
      }
      if let fault = place?.fault { throw fault }
      if place != nil { return true }
    }
    throw .busy
  }

  /// Returns the recorded shape.
  ///
  /// - Throws: ``StorageProblem/databaseDamaged`` if the tables have another shape: a key whose rows are not found must not be
  ///   removed.
  private static func shape(_ connection: SQLiteConnection) throws(StorageProblem) -> RecordShape {
    try RecordFile.schema.check(connection)
    let text = try connection.first("SELECT value FROM local_data WHERE name = 'shape'") { $0.text(0) } ?? nil
    return try RecordShape(json: text ?? "")
  }

  /// Seals some rows of earlier keys, and removes these keys if no row is left. Returns nil if another process has changed the keys.
  private func seal(from start: Place, with sealer: RecordSealer) throws(StorageProblem) -> Place? {
    let place: Place?? = try alone { (connection) throws(StorageProblem) in
      guard try RecordKeys.stored(on: connection) == sealer.stored else { return nil }
      let tables = try Self.shape(connection).records.sorted { $0.key < $1.key }.map { SealedTable($0.key, $0.value) }
      var place = start
      for _ in 0..<Self.rowsTogether where place.table < tables.count {
        let table = tables[place.table]
        let row = try table.next(after: place.last, on: connection)
        place.last = row?.key
        guard let row else {
          place.table += 1
          continue
        }
        do throws(StorageProblem) {
          if try table.isDue(row, sealer) { try table.seal(in: row, sealer, on: connection) }
        } catch {
          switch error {
          // A damaged row keeps its key.
          case .authenticationFailed, .corrupted, .keyMaterialMissing, .unknownFormatVersion:
            place.fault = place.fault ?? error
          default: throw error
          }
        }
      }
      place.isAtEnd = place.table == tables.count
      // Rows that others have stored since have the newest key, because the keys are the same.
      guard place.isAtEnd, place.fault == nil else { return place }
      try connection.run("DELETE FROM local_data_keys WHERE number <> ?", [.integer(Int64(sealer.number))])
      return place
    }
    return place ?? nil
  }
}
