import LocalDataFoundation
package import LocalDataSystem

/// Creates a database file completely, or not at all.
///
/// The file is created under another name, with the lock that writers share held. It is renamed when its tables are on the
/// disk. Processes that open it for the first time together therefore find it missing or complete.
package struct SQLiteCreation: Sendable {
  package let location: FileLocation
  let schema: SQLiteSchema
  package let format: SQLiteFormat
  /// Adds to the tables of a new database, in the transaction that creates them.
  private let complete: @Sendable (SQLiteConnection) throws(StorageProblem) -> Void

  package init(
    location: FileLocation, schema: SQLiteSchema, format: SQLiteFormat = .values,
    complete: @escaping @Sendable (SQLiteConnection) throws(StorageProblem) -> Void = { _ throws(StorageProblem) in }
  ) {
    self.location = location
    self.schema = schema
    self.format = format
    self.complete = complete
  }

  /// Returns true if the file exists. It is looked up by name, because closing a descriptor of it would drop SQLite's
  /// locks.
  func isComplete() throws(StorageProblem) -> Bool {
    guard let folder = try location.folder.open(creating: false) else { return false }
    return try isComplete(in: folder)
  }

  private func isComplete(in folder: borrowing Folder) throws(StorageProblem) -> Bool {
    guard let status = try folder.status(of: location.name) else { return false }
    if status.isLink { throw .io(errno: ELOOP) }
    guard status.isRegularFile else { throw .io(errno: status.isFolder ? EISDIR : EINVAL) }
    guard status.st_size > 0 else { throw .databaseDamaged }
    return true
  }

  func run(patience: Duration) throws(StorageProblem) {
    try location.locked(patience: patience) { (folder) throws(StorageProblem) in
      if try !isComplete(in: folder) { try create(in: folder, patience: patience) }
    }
  }

  private func create(in folder: borrowing Folder, patience: Duration) throws(StorageProblem) {
    // A log that outlived its database would be taken for the new one's.
    try folder.unlinkLog(of: location.name)
    try put(location.name, in: folder) { (path) throws(StorageProblem) in try fill(path: path, patience: patience) }
  }

  /// Creates a file, or replaces one, by another that is complete before it gets the name. It is on the disk on return.
  ///
  /// - Parameters:
  ///   - folder: The folder of the file. The caller holds the lock that the writers of the file share.
  ///   - fill: Completes a file of no bytes, with the content on the disk on return.
  package func put(
    _ name: String, in folder: borrowing Folder, _ fill: (_ path: String) throws(StorageProblem) -> Void
  ) throws(StorageProblem) {
    let draft = ".\(name).new"
    // A killed process left these files. The lock is held, so no other process uses them.
    for suffix in ["", "-journal", "-wal", "-shm"] { try folder.unlink(draft + suffix) }
    // SQLite creates its other files with the mode of this one. It is closed again before SQLite opens it.
    try createFile(draft, in: folder)
    do throws(StorageProblem) {
      try fill(location.folder.path + "/" + draft)
      // Closing could not remove its empty log, then.
      try folder.unlinkLog(of: draft)
      try folder.rename(draft, to: name)
    } catch {
      // If the removal fails, the next writer removes it.
      for suffix in ["", "-wal", "-shm"] { do throws(StorageProblem) { try folder.unlink(draft + suffix) } catch {} }
      throw error
    }
    try folder.descriptor.sync()
  }

  func createFile(_ name: String, in folder: borrowing Folder) throws(StorageProblem) {
    guard let file = try folder.file(name, O_RDWR | O_CREAT | O_EXCL) else { throw .io(errno: ENOENT) }
    try format.protection.apply(to: file)
  }

  /// Creates the tables in a file of no bytes. They are on the disk on return.
  package func fill(path: String, patience: Duration) throws(StorageProblem) {
    let connection = try SQLiteConnection(
      path: path, isDurable: true, until: CallDeadline.end(of: patience), kind: .draft, format: format)
    try connection.execute("BEGIN IMMEDIATE")
    for statement in schema.required { try connection.execute(statement) }
    try complete(connection)
    try connection.mark(format)
    try connection.execute("COMMIT")
    try connection.checkpoint(truncating: true)
  }

  /// Checks that an opened database was created by the library, in a format that this version supports, and that it has the
  /// expected tables and nothing else.
  package func check(_ connection: SQLiteConnection) throws(StorageProblem) {
    try checkFormat(connection)
    do throws(StorageProblem) { try connection.require(schema) } catch {
      connection.isDamaged = true
      throw error
    }
  }

  /// Checks that an opened database was created by the library, in a format that this version supports.
  package func checkFormat(_ connection: SQLiteConnection) throws(StorageProblem) {
    connection.isDamaged = true
    guard try connection.pragma("application_id") == format.applicationID else { throw .databaseDamaged }
    guard try connection.pragma("user_version") == format.version else { throw .unknownFormatVersion }
    guard connection.kind != .damaged else { return }
    try connection.checkLog()
    connection.isDamaged = false
  }
}

extension SQLiteConnection {
  /// Records the identity of a kind of databases.
  func mark(_ format: SQLiteFormat) throws(StorageProblem) {
    try execute("PRAGMA application_id = \(format.applicationID); PRAGMA user_version = \(format.version)")
  }
}

extension Folder {
  /// Removes the log of a database, and SQLite's index of it.
  borrowing func unlinkLog(of name: String) throws(StorageProblem) {
    for suffix in ["-wal", "-shm"] { try unlink(name + suffix) }
  }
}

extension FileLocation {
  /// Runs `body` with the lock that the writers of a database share.
  ///
  /// - Parameter name: The name of the lock, if it is not that of the file.
  /// - Throws: ``StorageProblem/busy`` also if the lock was removed meanwhile, as its folder.
  package func locked<Result>(
    _ name: String? = nil, patience: Duration, _ body: (borrowing Folder) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result {
    let name = name ?? self.name
    let folder = try folder.openForWriting(lock: name)
    let lock = try FileLock(in: folder, named: name)
    return try lock.hold(patience: patience) { () throws(StorageProblem) in
      guard try lock.isInPlace else { throw .busy }
      return try body(folder)
    }
  }
}
