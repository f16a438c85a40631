import LocalDataRecordKeys
import LocalDataFoundation
import LocalDataSQLite
import LocalDataStores
import LocalDataSystem

/// The record keys of a database as the values of a store, so that a rotation of the master key finds and replaces them.
///
/// The database need not be declared by this release. It is not created.
struct RecordKeyValues: RecordKeyStore {
  let database: RecordDatabaseFile
  private var location: FileLocation { database.location }

  init(_ database: RecordDatabaseFile) { self.database = database }

  var removesAtNextLaunch: Bool { false }

  // MARK: Reading

  func read(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Data? {
    let number = try database.number(ofKey: address)
    guard let connection = try connection() else { return nil }
    return try Self.stored(number, connection)
  }

  func exists(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Bool {
    try read(address, attributes) != nil
  }

  func names(
    in container: StorageContainer, _ visit: (_ name: String) throws(StorageProblem) -> Bool
  ) throws(StorageProblem) {
    try connection()?.rows("SELECT number FROM local_data_keys") { (row) throws(StorageProblem) in
      guard let number = UInt32(exactly: row.integer(0)) else { throw .databaseDamaged }
      return try visit(database.address(ofKey: number).name)
    }
  }

  // MARK: Writing

  func write(_ bytes: Data, to address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {
    try update(address, attributes) { _ in .write(bytes) }
  }

  func remove(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {
    try update(address, attributes) { _ in .remove }
  }

  func update(
    _ address: StorageAddress, _ attributes: StorageAttributes,
    _ change: (Data?) throws(StorageProblem) -> StorageChange
  ) throws(StorageProblem) {
    let number = try database.number(ofKey: address)
    try alone { (connection) throws(StorageProblem) in
      switch try change(try Self.stored(number, connection)) {
      case .keep: break
      case .write(let bytes):
        try connection.writeRow(
          "INSERT INTO local_data_keys VALUES (?, ?, 0) ON CONFLICT DO UPDATE SET sealed = excluded.sealed",
          [.integer(Int64(number)), .blob(bytes)])
      case .remove: try connection.run("DELETE FROM local_data_keys WHERE number = ?", [.integer(Int64(number))])
      }
    }
  }

  /// Does nothing, because each change is durable.
  func makeDurable(_ container: StorageContainer) throws(StorageProblem) {}

  /// Copies the log into the file and empties it.
  func purge(_ container: StorageContainer) throws(StorageProblem) {
    _ = try locked { (connection) throws(StorageProblem) in try connection.checkpoint(truncating: true) }
  }

  // MARK: The database

  private static func stored(_ number: UInt32, _ connection: SQLiteConnection) throws(StorageProblem) -> Data? {
    try connection.first("SELECT sealed FROM local_data_keys WHERE number = ?", [.integer(Int64(number))]) {
      $0.blob(0)
    }
  }

  /// Opens the database. Returns `nil` if it was moved, and the file only marks that.
  ///
  /// The connections of ``RecordFile`` are not used: their file depends on a declaration.
  func connection() throws(StorageProblem) -> SQLiteConnection? {
    let format = SQLiteFormat(protection: try FileProtection(ofFileAt: location.path))
    let connection = try SQLiteConnection(
      path: location.path, isDurable: true, until: CallDeadline.end(of: CallDeadline.ordinaryPatience), format: format)
    if try SQLiteMove.isMarker(connection) { return nil }
    try SQLiteCreation(location: location, schema: RecordFile.schema, format: format).check(connection)
    return connection
  }

  /// Runs `body` in a transaction that excludes all other writers, and commits unless `body` throws. Returns `nil` if the database
  /// was moved.
  @discardableResult
  func alone<Result>(_ body: (SQLiteConnection) throws(StorageProblem) -> Result) throws(StorageProblem) -> Result? {
    try locked { (connection) throws(StorageProblem) in
      let result = try connection.transaction("BEGIN IMMEDIATE", body)
      try connection.flushLog()
      return result
    }
  }

  /// Runs `body` with the lock that the writers of all processes share.
  private func locked<Result>(
    _ body: (SQLiteConnection) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result? {
    guard let connection = try connection() else { return nil }
    return try location.locked(database.lockName, patience: CallDeadline.ordinaryPatience) { _ throws(StorageProblem) in
      if connection.hasMoved { throw .busy }
      return try body(connection)
    }
  }
}
