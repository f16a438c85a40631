package import LocalDataFoundation
package import LocalDataSystem

/// Moves a database file to another folder, or to another name, so that a killed process loses no row.
///
/// 1. The database is copied to a file beside the destination, `.<name>.moved`. Nothing else uses this file.
/// 2. A small database, the marker of the move, replaces the source. Its format is one that no release opens, so that an
///    earlier release neither takes the source for absent nor writes to it.
/// 3. The copy is renamed to the destination.
///
/// Before the second step the source is the database, and afterwards the copy is. The copy and the marker have the same token, so
/// that the next process recognizes a complete copy. The source is copied and not renamed, because a reader in another process
/// may still read its pages, and because the destination may be on another volume.
package struct SQLiteMove: Sendable {
  /// The destination.
  private let creation: SQLiteCreation
  private let patience: Duration

  /// The state of a file.
  package enum State: Hashable, Sendable {
    case absent
    /// A database that is in use.
    case live
    /// The marker of a move.
    case moved(token: Data)
  }

  /// The number of the marker's format ("move").
  private static let markerVersion: Int64 = 0x6D6F_7665

  package init(to creation: SQLiteCreation, patience: Duration) {
    self.creation = creation
    self.patience = patience
  }

  /// Returns the move of such a database to another address.
  package func to(_ location: FileLocation) -> Self {
    let other = SQLiteCreation(location: location, schema: creation.schema, format: creation.format)
    return SQLiteMove(to: other, patience: patience)
  }

  private var destination: FileLocation { creation.location }
  private var copy: FileLocation { Self.copy(for: destination) }

  /// Returns the file that a database is copied to before it gets its name.
  package static func copy(for destination: FileLocation) -> FileLocation {
    FileLocation(folder: destination.folder, name: ".\(destination.name).moved")
  }

  // MARK: State

  package func state() throws(StorageProblem) -> State { try state(of: destination) }

  /// Returns the state of a database that has the format of the destination.
  package func state(of location: FileLocation) throws(StorageProblem) -> State {
    guard try existing(location) else { return .absent }
    let connection = try connection(location)
    guard try Self.isMarker(connection) else {
      try creation.checkFormat(connection)
      return .live
    }
    return .moved(token: try Self.token(of: connection))
  }

  /// Returns true if a file is the marker of a move, which contains neither rows nor keys.
  package static func isMarker(_ connection: SQLiteConnection) throws(StorageProblem) -> Bool {
    try connection.pragma("user_version") == markerVersion
  }

  private static func token(of connection: SQLiteConnection) throws(StorageProblem) -> Data {
    try connection.first("SELECT value FROM local_data WHERE name = 'moved'") { $0.blob(0) } ?? Data()
  }

  /// Returns true if there is a copy that was not renamed yet.
  package func hasCopy() throws(StorageProblem) -> Bool { try existing(copy) }

  /// Returns true if there is a copy of the database that a marker with this token has replaced.
  package func hasCopy(_ token: Data) throws(StorageProblem) -> Bool {
    guard try hasCopy() else { return false }
    return try Self.token(of: connection(copy)) == token
  }

  private func existing(_ location: FileLocation) throws(StorageProblem) -> Bool {
    try SQLiteCreation(location: location, schema: creation.schema).isComplete()
  }

  private func connection(_ location: FileLocation) throws(StorageProblem) -> SQLiteConnection {
    try SQLiteConnection(
      path: location.path, isDurable: true, until: CallDeadline.end(of: patience), format: creation.format)
  }

  /// Returns what `body` reads in a database.
  package func read<Result>(
    _ location: FileLocation, _ body: (SQLiteConnection) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result {
    let connection = try connection(location)
    try creation.check(connection)
    return try body(connection)
  }

  // MARK: Moving

  /// Moves a database, unless the destination is in use or the source is not.
  ///
  /// - Parameter prepare: Changes the copy, in a transaction.
  /// - Throws: ``StorageProblem/busy`` if a reader of another process does not end. Nothing has changed then.
  package func move(
    _ source: FileLocation, _ prepare: (_ copy: SQLiteConnection) throws(StorageProblem) -> Void
  ) throws(StorageProblem) {
    try destination.locked(patience: patience) { (folder) throws(StorageProblem) in
      try source.locked(patience: patience) { (sourceFolder) throws(StorageProblem) in
        guard try state() != .live, try state(of: source) == .live else { return }
        let token = Randomness.system.bytes(16)
        try read(source) { (connection) throws(StorageProblem) in
          // A log that is not empty would be taken for that of the marker.
          try connection.checkpoint(truncating: true)
          // The log of an earlier copy is not that of this one.
          try folder.unlinkLog(of: copy.name)
          try creation.put(copy.name, in: folder) { (path) throws(StorageProblem) in
            try fill(path, token, prepare) { (draft) throws(StorageProblem) in try draft.replaceContent(by: connection)
            }
          }
        }
        try mark(source, in: sourceFolder, token)
        try rename(in: folder)
      }
    }
  }

  /// Completes the move of a process that was killed. The caller has checked that no source is in use.
  package func complete() throws(StorageProblem) {
    try destination.locked(patience: patience) { (folder) throws(StorageProblem) in
      guard try state() != .live, try hasCopy() else { return }
      // A rotation may have changed the keys in the copy.
      try connection(copy).checkpoint(truncating: true)
      try rename(in: folder)
    }
  }

  /// Removes a copy that was not renamed yet, and replaces the databases at earlier addresses by markers. Their rows are lost.
  package func discard(_ sources: [FileLocation]) throws(StorageProblem) {
    // First the copies: beside a marker, the next process would take one for the database.
    for move in [self] + sources.map(to) where try move.hasCopy() { try move.removeCopy() }
    for source in sources where try isInUse(source) {
      try source.locked(patience: patience) { (folder) throws(StorageProblem) in
        guard try state(of: source) == .live else { return }
        try read(source) { (connection) throws(StorageProblem) in try connection.checkpoint(truncating: true) }
        try mark(source, in: folder, Randomness.system.bytes(16))
      }
    }
  }

  private func removeCopy() throws(StorageProblem) {
    try destination.locked(patience: patience) { (folder) throws(StorageProblem) in
      for suffix in ["", "-wal", "-shm"] { try folder.unlink(copy.name + suffix) }
      try folder.descriptor.sync()
    }
  }

  /// Returns true if a file is in use. A marker replaces a damaged one.
  private func isInUse(_ source: FileLocation) throws(StorageProblem) -> Bool {
    do throws(StorageProblem) { return try state(of: source) == .live } catch {
      guard SQLiteSalvage.isDamage(error) else { throw error }
      try SQLiteRepair(SQLiteCreation(location: source, schema: creation.schema), patience: patience).remove()
      try mark(source)
      return false
    }
  }

  /// Creates a marker where no database is, so that no earlier release creates one.
  package func mark(_ source: FileLocation) throws(StorageProblem) {
    try source.locked(patience: patience) { (folder) throws(StorageProblem) in
      if try state(of: source) == .absent { try mark(source, in: folder, Randomness.system.bytes(16)) }
    }
  }

  private func mark(_ source: FileLocation, in folder: borrowing Folder, _ token: Data) throws(StorageProblem) {
    let marker = SQLiteCreation(location: source, schema: creation.schema, format: creation.format)
    try marker.put(source.name, in: folder) { (path) throws(StorageProblem) in
      try fill(path, token) { (draft) throws(StorageProblem) in
        try draft.execute("CREATE TABLE local_data (name TEXT NOT NULL PRIMARY KEY, value) WITHOUT ROWID")
        try draft.execute("PRAGMA application_id = \(creation.format.applicationID)")
        try draft.execute("PRAGMA user_version = \(Self.markerVersion)")
      }
    }
    // They are those of the database that the marker has replaced, and the log is empty.
    try folder.unlinkLog(of: source.name)
  }

  /// Fills a file, and records the token in it. All is on the disk on return.
  private func fill(
    _ path: String, _ token: Data,
    _ prepare: (SQLiteConnection) throws(StorageProblem) -> Void = { _ throws(StorageProblem) in },
    create: (SQLiteConnection) throws(StorageProblem) -> Void
  ) throws(StorageProblem) {
    let draft = try SQLiteConnection(
      path: path, isDurable: true, until: CallDeadline.end(of: patience), kind: .draft, format: creation.format)
    try create(draft)
    try draft.transaction("BEGIN IMMEDIATE") { (draft) throws(StorageProblem) in
      try draft.run("INSERT OR REPLACE INTO local_data VALUES ('moved', ?)", [.blob(token)])
      try prepare(draft)
    }
    try draft.checkpoint(truncating: true)
  }

  private func rename(in folder: borrowing Folder) throws(StorageProblem) {
    // Those of a marker, if any.
    try folder.unlinkLog(of: destination.name)
    try folder.rename(copy.name, to: destination.name)
    try folder.descriptor.sync()
  }
}
