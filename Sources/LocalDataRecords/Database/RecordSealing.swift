import LocalData
import LocalDataShapes
import LocalDataFoundation
import LocalDataSQLite
import LocalDataStores
import LocalDataSystem
import LocalDataVocabulary

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
    self.file = file
    self.keys = keys
  }

  func lock() { known.withLock { $0 = nil } }

  /// The sealer, if it is in memory.
  var knownSealer: RecordSealer? { known.withLock(\.self) }

  /// Returns the sealer, or nil if the database has no key, or if the declared records cannot use the database.
  ///
  /// - Parameter isForWriting: True if a key is created if there is none that may seal.
  func sealer(isForWriting: Bool) async throws(StorageProblem) -> RecordSealer? {
    if let knownSealer, knownSealer.maySeal || !isForWriting { return knownSealer }
    // Another process may store its key first, or change the keys that seal a new one.
    for _ in 0..<8 {
      let (stored, unlisted) = try await compared()
      let maySeal = if isForWriting { try await keys.maySeal(stored.keys) } else { false }
      let sealer = try await keys.sealer(with: stored.keys, name: stored.name, shape: stored.shape, maySeal: maySeal)
      if let sealer, maySeal || !isForWriting {
        // What the last merge has sealed. The process that has made it may have been killed before it was durable.
        if !unlisted.isEmpty {
          try await BlockingExecutor.shared.run { [file, keys] () throws(StorageProblem) in
            try file.makeDurable()
            try keys.relist { $0.union(unlisted) }
          }
        }
        known.withLock { $0 = sealer }
        return sealer
      }
      guard isForWriting else { return nil }
      let new = try await keys.newKey(after: sealer, above: stored.highest)
      // It is opened again as the others are.
      let isUsable = try await BlockingExecutor.shared.run { [self] () throws(StorageProblem) in try add(new) }
      // The call itself finds out why not.
      guard isUsable else { return nil }
    }
    throw .busy
  }

  /// Returns the stored keys, after the shape was compared with the list in the keychain, and the fields that are not listed.
  private func compared() async throws(StorageProblem) -> (RecordFile.StoredKeys, Set<SealedNumber>) {
    try await BlockingExecutor.shared.run { [file, keys] () throws(StorageProblem) in
      let stored = try file.storedKeys()
      guard let text = stored.shape else { return (stored, Set<SealedNumber>()) }
      return (stored, try keys.unlisted(in: RecordShape(json: text), file.declared))
    }
  }

  /// Stores a new key, unless the database has others now, or the key that has sealed it may not seal any more.
  ///
  /// - Returns: False if the declared records cannot use the database.
  private func add(_ new: RecordSealer) throws(StorageProblem) -> Bool {
    do throws(StorageProblem) {
      return try keys.storing(new.stored) { [file] () throws(StorageProblem) in try file.addKey(new) }
    } catch {
      guard error == .busy else { throw error }
      return true
    }
  }
}

extension RecordKeys {
  /// Returns what a database stores about its record keys: the keys, the name of the database in its sealed parts or nil if it is
  /// the present name, and the highest number that a later key may not have.
  static func state(
    on connection: SQLiteConnection
  ) throws(StorageProblem) -> (keys: [Stored], name: String?, highest: UInt32) {
    let highest = try connection.first("SELECT value FROM local_data WHERE name = 'keys'") { $0.text(0) } ?? nil
    return (try stored(on: connection), try databaseName(on: connection), highest.flatMap { UInt32($0) } ?? 0)
  }

  /// Records the number of a new key. A key that is lost keeps its number, so that its rows are not those of another one.
  static func noteHighest(_ number: UInt32, on connection: SQLiteConnection) throws(StorageProblem) {
    guard try number > max(1, state(on: connection).highest) else { return }
    try connection.run("INSERT OR REPLACE INTO local_data VALUES ('keys', ?)", [.text("\(number)")])
  }

  /// Returns the name of the database in its sealed parts, or `nil` if it is the present name.
  static func databaseName(on connection: SQLiteConnection) throws(StorageProblem) -> String? {
    try connection.first("SELECT value FROM local_data WHERE name = 'database'") { $0.text(0) } ?? nil
  }

  /// Returns the rows of `local_data_keys`.
  static func stored(on connection: SQLiteConnection) throws(StorageProblem) -> [Stored] {
    var stored: [Stored] = []
    try connection.rows("SELECT number, sealed FROM local_data_keys ORDER BY number") { (row) throws(StorageProblem) in
      guard let number = UInt32(exactly: row.integer(0)) else { throw .databaseDamaged }
      stored.append(.init(number: number, envelope: row.blob(1)))
      return true
    }
    return stored
  }
}

extension RecordSealer {
  /// Stores the last key, which is new. Returns false if the database does not have the keys before it any more.
  func addKey(_ shape: RecordShape, on connection: SQLiteConnection) throws(StorageProblem) -> Bool {
    guard let new = stored.last, try RecordKeys.stored(on: connection) == Array(stored.dropLast()) else { return false }
    // All keys were lost, and a new one would hide that.
    if stored.count == 1, try shape.hasSealedRow(connection) { throw .keyMaterialMissing }
    try connection.writeRow(
      "INSERT INTO local_data_keys VALUES (?, ?, 0)", [.integer(Int64(number)), .blob(new.envelope)])
    try RecordKeys.noteHighest(number, on: connection)
    return true
  }
}

extension RecordShape {
  /// Returns true if a row of any table has a sealed part, or must have one.
  func hasSealedRow(_ connection: SQLiteConnection) throws(StorageProblem) -> Bool {
    for (name, record) in records {
      guard let column = record.columns[0].map({ RecordShape.quoted($0.name) }) else { continue }
      let isSealed = record.required.contains(0) ? "TRUE" : "\(column) IS NOT NULL"
      let sql = "SELECT 1 FROM main.\(RecordShape.quoted(name)) WHERE \(isSealed) LIMIT 1"
      if try connection.first(sql, [], { _ in true }) != nil { return true }
    }
    return false
  }
}
