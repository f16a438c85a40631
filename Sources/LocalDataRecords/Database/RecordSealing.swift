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

  /// Returns nil if no record of the database has encrypted fields, or had them in an earlier release.
  init?(_ declaration: RecordDatabaseDeclaration, _ file: RecordFile, _ keys: RecordKeys?) {
    guard let keys,
      declaration.records().contains(where: { !$0.sealed.isEmpty || $0.transforms.contains(where: \.usesKeys) })
    else { return nil }
    (self.file, self.keys) = (file, keys)
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
      if let sealer = try await opened() { return sealer }
      guard isForWriting else { return nil }
      let new: RecordKeys.New
      do throws(StorageFault) { new = try await keys.newKey() } catch { throw .fault(error) }
      _ = try await BlockingExecutor.shared.run { [self] () throws(RecordProblem) in try add(new) }
    }
    throw .fault(.busy)
  }

  /// Opens the stored keys, after the shape was compared with the list in the keychain. Then what the shape has is listed.
  private func opened() async throws(RecordProblem) -> RecordSealer? {
    do throws(StorageFault) {
      let (stored, unlisted) = try await BlockingExecutor.shared.run { [file, keys] () throws(StorageFault) in
        let stored = try file.storedKeys()
        guard let text = stored.shape else { return (stored, Set<SealedNumber>()) }
        return (stored, try keys.unlisted(in: RecordShape(json: text), file.declared))
      }
      guard let sealer = try await keys.sealer(with: stored.keys, name: stored.name, shape: stored.shape) else {
        return nil
      }
      if !unlisted.isEmpty {
        try await BlockingExecutor.shared.run { [keys] () throws(StorageFault) in
          try keys.relist { $0.union(unlisted) }
        }
      }
      known.withLock { $0 = sealer }
      return sealer
    } catch { throw .fault(error) }
  }

  /// Stores a new key. Returns nil if the database has one, or if the key that has sealed the new one may not seal any more.
  private func add(_ new: RecordKeys.New) throws(RecordProblem) -> RecordSealer? {
    var problem: RecordProblem?
    do throws(StorageFault) {
      return try keys.storing(new) { [file] () throws(StorageFault) -> RecordSealer? in
        do throws(RecordProblem) {
          return try file.addKey { (connection, shape) throws(StorageFault) in
            guard try RecordKeys.stored(on: connection).isEmpty else { return nil }
            // Its key was lost, and a new one would hide that.
            guard try !shape.hasSealedRow(connection) else { throw .keyMaterialMissing }
            let values: [SQLiteValue] = [.integer(Int64(new.stored.number)), .blob(new.stored.envelope)]
            try connection.writeRow("INSERT INTO local_data_keys VALUES (?, ?, 0)", values)
            return new.sealer
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
  /// Returns the name of the database in its sealed parts, or `nil` if it is the present name.
  static func databaseName(on connection: SQLiteConnection) throws(StorageFault) -> String? {
    try connection.first("SELECT value FROM local_data WHERE name = 'database'") { $0.text(0) } ?? nil
  }

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

extension RecordShape {
  /// Returns true if a row of any table has a sealed part, or must have one.
  func hasSealedRow(_ connection: SQLiteConnection) throws(StorageFault) -> Bool {
    for (name, record) in records {
      guard let column = record.columns[0].map({ RecordShape.quoted($0.name) }) else { continue }
      let isSealed = record.required.contains(0) ? "TRUE" : "\(column) IS NOT NULL"
      let sql = "SELECT 1 FROM main.\(RecordShape.quoted(name)) WHERE \(isSealed) LIMIT 1"
      if try connection.first(sql, [], { _ in true }) != nil { return true }
    }
    return false
  }
}
