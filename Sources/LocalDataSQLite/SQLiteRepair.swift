import LocalDataFoundation
package import LocalDataSystem

/// Replaces a damaged database by a new one with the rows that can be read, and keeps a copy. If nothing can be read, or if its
/// key is lost, it is moved aside, with its log and, if there is one, its key file.
///
/// The lock keeps other processes from it. For them a replacement is a commit. If the database was moved, they notice
/// that, and begin a new one: if the process is killed in between, the database is in its place or aside, and what is left
/// of its log is removed before a new one is created.
package struct SQLiteRepair {
  /// The damage of a database.
  package enum Damage: Sendable {
    /// Some rows may be readable.
    case rows
    /// The key of all of its content is lost.
    case content
  }

  /// What is examined.
  package enum Search: Sendable {
    /// All pages, also those that no value is in.
    case allPages
    case rows
    /// What the caller examines. Damage is thrown, and not repaired.
    case rowsAlone
  }

  /// Copies the rows to a new database. Returns true if every row was copied, and `nil` if what was copied is of no use.
  package typealias Copy = (_ damaged: SQLiteConnection, _ new: SQLiteConnection) throws(StorageProblem) -> Bool?

  let creation: SQLiteCreation
  let patience: Duration
  private let key: FileLocation?
  private let marker: String?
  var file: FileLocation { creation.location }

  /// - Parameters:
  ///   - creation: The location and the format of the database, and the tables that each database has.
  ///   - key: The key file of a keystore.
  ///   - marker: A file that says that there is a database.
  package init(_ creation: SQLiteCreation, patience: Duration, key: FileLocation? = nil, marker: String? = nil) {
    self.creation = creation
    self.patience = patience
    self.key = key
    self.marker = marker
  }

  /// - Parameters:
  ///   - examine: Returns the damage that SQLite does not find, or throws ``StorageProblem/databaseDamaged``.
  ///   - copyRows: Copies the rows to a new database.
  /// - Returns: The copy of the files, and whether no row was lost, or `nil` if the database was moved aside; `nil` if the
  ///   database is usable or does not exist.
  package func run(
    _ search: Search, _ examine: (SQLiteConnection) throws(StorageProblem) -> Damage?,
    copy copyRows: Copy
  ) throws(StorageProblem) -> (copy: FileLocation, isWhole: Bool?)? {
    try whileLocked { (folder, status) throws(StorageProblem) in
      let copy = file.setAside()
      if status.st_size > 0 {
        // Twice: a disk that fails once is no damage.
        guard try damage(search, examine) != nil, let damage = try damage(search, examine) else { return nil }
        // Twice too: if the disk cannot read a part once, it may read the part the next time.
        for _ in 0..<2 where damage == .rows {
          if let isWhole = try renew(in: folder, keeping: copy, copyRows) { return (copy, isWhole) }
        }
      }
      try move(to: copy, in: folder)
      return (copy, nil)
    }
  }

  /// Moves the database aside although it is not damaged, if it exists.
  ///
  /// - Returns: Its new name.
  package func moveAside() throws(StorageProblem) -> FileLocation? {
    try whileLocked { (folder, _) throws(StorageProblem) in
      let copy = file.setAside()
      try move(to: copy, in: folder)
      return copy
    }
  }

  /// Removes the database with its log, whatever is in the file.
  package func remove() throws(StorageProblem) {
    _ = try whileLocked { (folder, _) throws(StorageProblem) in try remove(file.name, in: folder) }
  }

  /// Removes the files that a killed repair has left.
  package func removeDrafts() throws(StorageProblem) {
    _ = try whileLocked { (folder, _) throws(StorageProblem) in
      for name in Self.drafts(of: file.name) { try folder.unlink(name) }
    }
  }

  /// Runs `body` with the lock that writers share, if the database exists.
  private func whileLocked<Result>(
    _ body: (borrowing Folder, stat) throws(StorageProblem) -> Result?
  ) throws(StorageProblem) -> Result? {
    guard try file.folder.open(creating: false)?.status(of: file.name) != nil else { return nil }
    return try file.locked(patience: patience) { (folder) throws(StorageProblem) -> Result? in
      guard let status = try folder.status(of: file.name) else { return nil }
      return try body(folder, status)
    }
  }

  private func move(to copy: FileLocation, in folder: borrowing Folder) throws(StorageProblem) {
    // That of a keystore. If the process is killed after that, the next call finds the database.
    if let marker, try folder.unlink(marker) { try folder.descriptor.sync() }
    let id = copy.name.suffix(UUID().uuidString.count)
    if let key, let status = try folder.status(of: key.name) {
      // An object that is not a file cannot have a second name.
      let aside = key.setAside(String(id)).name
      if status.isRegularFile {
        _ = try folder.link(key.name, as: aside)
      } else {
        try folder.rename(key.name, to: aside)
      }
    }
    // A copy that was made already has all of the database.
    if try folder.status(of: copy.name) == nil {
      if try folder.status(of: file.name + "-wal") != nil {
        _ = try folder.link(file.name + "-wal", as: copy.name + "-wal")
      }
      try folder.rename(file.name, to: copy.name)
    }
    try remove(file.name, in: folder)
    if let key { try folder.unlink(key.name) }
    try folder.descriptor.sync()
  }

  /// Removes a database, if it was not renamed, with what a killed repair has left, and then its log.
  private func remove(_ name: String, in folder: borrowing Folder) throws(StorageProblem) {
    for name in [name] + Self.drafts(of: name) { try folder.unlink(name) }
    #if os(Linux)
      SQLiteLogHeader.lookAgain()
    #endif
    try folder.descriptor.sync()
    try folder.unlinkLog(of: name)
    try folder.descriptor.sync()
  }

  private func damage(
    _ search: Search, _ examine: (SQLiteConnection) throws(StorageProblem) -> Damage?
  ) throws(StorageProblem) -> Damage? {
    do throws(StorageProblem) {
      let connection = try SQLiteConnection(
        path: file.path, isDurable: true, until: CallDeadline.end(of: patience), format: creation.format)
      try creation.check(connection)
      connection.removeStepLimit()
      if connection.isMarkedReadOnly { return .rows }
      if try connection.isCutShort { return .rows }
      if let damage = try examine(connection) { return damage }
      guard search == .allPages else { return nil }
      return try connection.first("PRAGMA integrity_check(1)") { $0.text(0) } != "ok" ? .rows : nil
    } catch {
      guard search != .rowsAlone, SQLiteSalvage.isDamage(error) else { throw error }
      return .rows
    }
  }
}
