import LocalDataShapes
import LocalDataFoundation
import LocalDataSQLite
import LocalDataSystem

/// The file of a database, or the database in memory, whose tables serve the declared records.
///
/// The shape that the file records is compared with the declared one for each connection. If they differ, they are merged
/// before the first call.
final class RecordFile: Sendable {
  private enum Content: Sendable {
    case file(SQLiteDatabase)
    case memory(SQLiteMemory)
  }

  /// The tables and keys of a file, as a connection has read them in one state of the file.
  private final class Known: Sendable {
    let tables: RecordTables
    /// The identity of the sealer whose keys the file has. The sealer itself would keep its keys in memory.
    let sealer: RecordSealer.Identity?
    let version: UInt32

    init(_ tables: RecordTables, _ sealer: RecordSealer.Identity?, _ version: UInt32) {
      self.tables = tables
      self.sealer = sealer
      self.version = version
    }
  }

  let declarations: [RecordDeclaration]
  let declared: RecordShape
  /// Why the declared records cannot be in any database; `nil` if they fit together. Such a database is not created.
  let refusal: RecordMerge.Refusal?
  private let text: String
  private let format: SQLiteFormat
  private let content: Content
  /// The creation of the file; `nil` for a database in memory.
  let creation: SQLiteCreation?
  /// The tables of a file that does not exist yet: reads find no rows.
  private let empty: SQLiteMemory
  private let latest = Lock<RecordTables?>(nil)
  private let owner = RecordTables.Owner()
  let clock: any StorageClock
  /// The mark of a commit whose deleted values the log may contain. It is in the row `log` of the file, so that the process that
  /// opens the file next empties the log.
  private let dueLog = Lock<Data?>(nil)
  static let noteLog = "INSERT OR REPLACE INTO local_data VALUES ('log', randomblob(8))"

  static let schema = SQLiteSchema(
    required: [
      "CREATE TABLE local_data (name TEXT NOT NULL PRIMARY KEY, value) WITHOUT ROWID",
      "CREATE TABLE local_data_keys (number INTEGER PRIMARY KEY, sealed BLOB NOT NULL, uses INTEGER NOT NULL) STRICT",
    ], others: check)

  /// Returns true if tables and indexes are those of the recorded shape.
  @Sendable private static func check(
    _ connection: SQLiteConnection, _ statements: [String]
  ) throws(StorageProblem) -> Bool {
    let shape = try connection.first("SELECT value FROM local_data WHERE name = 'shape'") { $0.text(0) ?? "" }
    return try RecordShape(json: shape ?? "").isShape(of: statements)
  }

  /// - Parameters:
  ///   - location: The file, or `nil` for a database in memory.
  ///   - statements: The statements that create the tables of a database in memory, with their rows.
  ///   - recorded: The shape that a new database gets, if it is not the declared one.
  ///   - willCreate: Called before the file is created.
  init(
    _ declaration: RecordDatabaseDeclaration, at location: FileLocation?, content statements: [String]? = nil,
    recorded: RecordShape? = nil, patience: Duration, clock: any StorageClock,
    willCreate: @escaping @Sendable () -> Void = {}
  ) throws(StorageProblem) {
    self.clock = clock
    declarations = declaration.records()
    declared = RecordShape(declarations)
    let (merge, refusal) = (recorded ?? declared).firstMerge
    self.refusal = refusal
    text = try declared.json
    let shape = try merge.shape.json
    let format = SQLiteFormat(declaration)
    self.format = format
    let complete = { @Sendable (connection: SQLiteConnection) throws(StorageProblem) in
      for step in merge.steps { try connection.execute(merge.shape.sql(step)) }
      try connection.run("INSERT INTO local_data VALUES ('shape', ?)", [.text(shape)])
    }
    func memory(_ end: String = "") -> SQLiteMemory {
      SQLiteMemory(format, patience: patience) { (connection) throws(StorageProblem) in
        for statement in Self.schema.required { try connection.execute(statement) }
        try complete(connection)
        try connection.execute(end)
      }
    }
    empty = memory(Self.noteLog)
    creation = location.map {
      SQLiteCreation(location: $0, schema: Self.schema, format: format) { (connection) throws(StorageProblem) in
        willCreate()
        try complete(connection)
      }
    }
    content =
      if let creation {
        .file(.shared(creation, .powerLoss, patience: patience))
      } else if let statements {
        .memory(
          SQLiteMemory(format, patience: patience) { (connection) throws(StorageProblem) in
            try connection.restore(statements)
          })
      } else {
        .memory(memory())
      }
  }

  /// Runs `body` in one transaction that reads.
  ///
  /// If the call must not wait, it throws ``StorageProblem/busy`` if it would have to.
  func read(
    isOneStatement: Bool = false, _ sealer: RecordSealer? = nil,
    _ body: (RecordSession) throws(StorageProblem) -> Void
  ) throws(StorageProblem) -> RecordObstacle? {
    try serve(sealer) { () throws(StorageProblem) in
      func attempt(_ connection: SQLiteConnection) throws(StorageProblem) -> RecordObstacle? {
        try self.attempt(on: connection, isWriting: false, sealer, body)
      }
      switch content {
      case .memory(let memory): return try memory.write(attempt)
      case .file(let database):
        let found = try database.read(isOneStatement: isOneStatement, attempt)
        return if let found { found } else { try empty.write(attempt) }
      }
    }
  }

  /// Runs `body` in a transaction that excludes all other writers, and commits unless `body` throws. It runs again if a shared
  /// commit has failed.
  func write(
    _ sealer: RecordSealer? = nil, _ body: (RecordSession) throws(StorageProblem) -> Void
  ) throws(StorageProblem) -> RecordObstacle? {
    try serve(sealer) { () throws(StorageProblem) in
      try transaction { (connection) throws(StorageProblem) in
        try attempt(on: connection, isWriting: true, sealer, body)
      }
    }
  }

  /// A Boolean value that indicates whether there is a file. A database in memory is always there.
  var exists: Bool {
    get throws(StorageProblem) {
      guard case .file(let database) = content else { return true }
      return try database.read { _ in true } ?? false
    }
  }

  /// Copies the whole database, with what is in its log, to a file that does not exist.
  ///
  /// - Throws: ``StorageProblem/notFound`` if there is no database, and ``StorageProblem/alreadyStored`` if there is the file.
  func copy(to location: FileLocation) throws(StorageProblem) {
    let copy = SQLiteCreation(location: location, schema: Self.schema, format: format)
    switch content {
    case .file(let database):
      let found: Void? = try database.read(isOneStatement: true) { (connection) throws(StorageProblem) in
        try copy.copy(connection)
      }
      if found == nil { throw .notFound }
    case .memory(let memory): try memory.write { (connection) throws(StorageProblem) in try copy.copy(connection) }
    }
  }

  /// Removes all rows and record keys in one commit, also those of records that this release does not declare. Nothing of them
  /// stays in the file or its log.
  ///
  /// A damaged file is removed, with its log.
  ///
  /// - Parameter notes: The notes of the empty database about itself, by their names.
  func removeAll(noting notes: [String: String] = [:]) throws(StorageProblem) {
    func note(on connection: SQLiteConnection) throws(StorageProblem) {
      for (name, value) in notes {
        try connection.run("INSERT OR REPLACE INTO local_data VALUES (?, ?)", [.text(name), .text(value)])
      }
    }
    do throws(StorageProblem) {
      // A backup reads no open transaction.
      try empty.write(note)
      try empty.write { (empty) throws(StorageProblem) in
        switch content {
        case .file(let database): try database.replaceContent(by: empty)
        case .memory(let memory): try memory.replaceContent(by: empty)
        }
      }
    } catch {
      guard let creation, SQLiteSalvage.isDamage(error) else { throw error }
      try SQLiteRepair(creation, patience: CallDeadline.ordinaryPatience).remove()
    }
    // No file was there, or a damaged one.
    if !notes.isEmpty, try !exists { _ = try transaction(note) }
  }

  /// Gives pages that are not in use back to the file system, empties the log, and removes what a killed repair has left.
  func giveBackPages() throws(StorageProblem) {
    if case .file(let database) = content { try database.giveBackPages() }
    if let creation { try SQLiteRepair(creation, patience: CallDeadline.ordinaryPatience).removeDrafts() }
  }

  /// Empties the log if it is due. The call of the app must neither fail nor wait because of it: a call after the next commit tries
  /// again.
  private func emptyDueLog() {
    guard case .file(let database) = content, !CallDeadline.mustNotWait, let mark = dueLog.withLock({ $0 }) else {
      return
    }
    dueLog.withLock { $0 = nil }
    do throws(StorageProblem) {
      guard try exists else { return }
      try database.emptyLog(patience: .milliseconds(200))
      _ = try transaction { (connection) throws(StorageProblem) in
        try connection.run("DELETE FROM local_data WHERE name = 'log' AND value = ?", [.blob(mark)])
      }
    } catch {}
  }

  /// Copies the log into the file and empties it, so that no deleted value stays in the log.
  func emptyLog() throws(StorageProblem) { if case .file(let database) = content { try database.emptyLog() } }

  /// Makes the commits of all processes durable.
  func makeDurable() throws(StorageProblem) { if case .file(let database) = content { try database.makeDurable() } }

  /// Calls `body` after each commit by any process, and perhaps more often, until the result is released. Returns `nil` if the
  /// commits of other processes cannot be watched.
  func watch(_ body: @escaping @Sendable () -> Void) -> (any Sendable)? {
    #if os(Linux)
      if case .file(let database) = content { return database.watch(body) }
    #endif
    return nil
  }

  // MARK: Keys

  /// The stored state of the record keys, see ``RecordKeys/state(on:)``, and the recorded shape. The shape is nil if there is no
  /// file.
  typealias StoredKeys = (keys: [RecordKeys.Stored], name: String?, highest: UInt32, shape: String?)

  /// Returns the stored record keys. The tables need not serve the declared records: their merge may need the keys.
  func storedKeys() throws(StorageProblem) -> StoredKeys {
    func stored(_ connection: SQLiteConnection) throws(StorageProblem) -> StoredKeys {
      let (keys, name, highest) = try RecordKeys.state(on: connection)
      return (keys, name, highest, try recorded(on: connection))
    }
    switch content {
    case .file(let database): return try database.read(stored) ?? ([], nil, 0, nil)
    case .memory(let memory): return try memory.write(stored)
    }
  }

  /// Stores a record key, unless the database does not have the keys before it any more.
  ///
  /// - Returns: False if the declared records cannot use the file.
  func addKey(_ new: RecordSealer) throws(StorageProblem) -> Bool {
    try transaction { (connection) throws(StorageProblem) in
      let shape = try RecordShape(json: try recorded(on: connection))
      var obstacle: RecordObstacle?
      guard merging(shape, &obstacle) != nil else { return false }
      _ = try new.addKey(shape, on: connection)
      return true
    }
  }

  // MARK: Opening

  func transaction<Result: Sendable>(
    _ body: (SQLiteConnection) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result {
    switch content {
    case .file(let database): try database.write(body)
    case .memory(let memory): try memory.write(body)
    }
  }

  /// Tries until the tables serve the declared records.
  private func serve(
    _ sealer: RecordSealer?, _ attempt: () throws(StorageProblem) -> RecordObstacle?
  ) throws(StorageProblem) -> RecordObstacle? {
    if let refusal { return .refused(refusal) }
    defer { emptyDueLog() }
    // Another process may replace the file after the merge.
    for _ in 0..<3 {
      let obstacle = try attempt()
      guard case .unmerged = obstacle else { return obstacle }
      if CallDeadline.mustNotWait { break }
      if let obstacle = try merge(sealer) { return obstacle }
      // The keys are opened again, so that the keychain lists what the merge has sealed.
      if sealer?.shape != nil { return .otherKeys }
    }
    throw .busy
  }

  /// Runs `body`, unless the tables or keys do not serve it. Returns the obstacle then.
  private func attempt(
    on connection: SQLiteConnection, isWriting: Bool, _ sealer: RecordSealer?,
    _ body: (RecordSession) throws(StorageProblem) -> Void
  ) throws(StorageProblem) -> RecordObstacle? {
    var obstacle: RecordObstacle?
    guard let known = try known(on: connection, sealer, &obstacle) else { return obstacle }
    let session = RecordSession(connection, known.tables, sealer, clock)
    let outcome = Result { () throws(StorageProblem) in
      defer { session.end() }
      try body(session)
    }
    // A transaction that reads begins with its first statement. The file may have changed until then.
    if !isWriting, connection.dataVersion != known.version {
      let later = try self.known(on: connection, sealer, &obstacle)
      guard later?.tables === known.tables else { return obstacle ?? .unmerged }
    }
    try outcome.get()
    return nil
  }

  /// Returns what a connection knows of its file, or `nil` if there is an obstacle. It is looked up again if the file has changed.
  private func known(
    on connection: SQLiteConnection, _ sealer: RecordSealer?, _ obstacle: inout RecordObstacle?
  ) throws(StorageProblem) -> Known? {
    // All routers of the process share the connections to a file.
    if let known = connection.attachment as? Known, known.tables.owner === owner,
      known.version == connection.dataVersion, sealer == nil || known.sealer === sealer?.identity
    {
      return known
    }
    guard let tables = try tables(on: connection, &obstacle) else { return nil }
    // The file may have been replaced since its keys were read. Its next reader could not open what this sealer seals.
    if let sealer, try sealer.stored != RecordKeys.stored(on: connection) {
      obstacle = .otherKeys
      return nil
    }
    let known = Known(tables, sealer?.identity, connection.dataVersion)
    connection.attachment = known
    return known
  }

  /// Returns the tables of a connection, or `nil` if they do not serve the declared records.
  private func tables(
    on connection: SQLiteConnection, _ obstacle: inout RecordObstacle?
  ) throws(StorageProblem) -> RecordTables? {
    let recorded = try recorded(on: connection)
    if let latest = latest.withLock({ $0 }), latest.text == recorded { return latest }
    var shape = declared
    if recorded != text {
      shape = try RecordShape(json: recorded)
      guard let merge = merging(shape, &obstacle) else { return nil }
      if merge != RecordMerge(shape: shape) {
        obstacle = .unmerged
        return nil
      }
    }
    let tables = RecordTables(recorded, shape, declarations, owner)
    latest.withLock { [tables] in $0 = tables }
    return tables
  }

  /// Returns the merge of the declared shape into a recorded one, or `nil` if it is refused.
  func merging(_ shape: RecordShape, _ obstacle: inout RecordObstacle?) -> RecordMerge? {
    do throws(RecordMerge.Refusal) { return try shape.merging(declared) } catch {
      obstacle = .refused(error)
      return nil
    }
  }

  func recorded(on connection: SQLiteConnection) throws(StorageProblem) -> String {
    let sql = "SELECT value, (SELECT value FROM local_data WHERE name = 'log') FROM local_data WHERE name = 'shape'"
    let text = try connection.first(sql) { (row) throws(StorageProblem) in
      let mark = row.isNull(1) ? nil : row.blob(1)
      if mark != nil { dueLog.withLock { $0 = mark } }
      return row.text(0)
    }
    guard let text = text ?? nil else { throw .databaseDamaged }
    return text
  }
}

/// A reason for which a call on a database cannot be made yet. It is the result of an attempt and no error: it is mended if that is
/// possible, and the call is attempted again.
enum RecordObstacle: Sendable {
  case refused(RecordMerge.Refusal)
  /// The tables do not serve the declared records yet.
  case unmerged
  /// The file does not have the keys that were read from it.
  case otherKeys
  /// The files at the present address and at one of an earlier release both contain rows.
  case twoFiles
  /// The merge of the declared records reads or writes encrypted fields.
  case needsKeys
  /// A new field of a record, by its number, could not be made from earlier ones: the problem, and the error of the app's
  /// transform if it has thrown one.
  case untransformed(String, Int, StorageProblem, (any Error)?)
}

extension RecordShape {
  /// The merge into a database without tables, or why there is none.
  fileprivate var firstMerge: (RecordMerge, RecordMerge.Refusal?) {
    do throws(RecordMerge.Refusal) { return (try RecordShape().merging(self), nil) } catch {
      return (RecordMerge(shape: RecordShape()), error)
    }
  }
}

extension SQLiteFormat {
  /// Databases of records ("LDrc").
  fileprivate init(_ declaration: RecordDatabaseDeclaration) {
    let availability: FileProtection.Availability =
      switch declaration.protection {
      case .complete: .complete
      case .completeUnlessOpen: .completeUnlessOpen
      case .untilFirstUnlock: .untilFirstUnlock
      case .none: .always
      }
    let maxSize = declaration.records().map(\.maxSize).max() ?? 0
    // An earlier release may have written larger rows.
    self.init(
      protection: FileProtection(availability, isBackedUp: declaration.isInBackup),
      maxLength: max(16 << 20, 4 * maxSize))
  }

  init(protection: FileProtection, maxLength: Int = .max) {
    self.init(
      applicationID: 0x4C44_7263, version: 1, hasForeignKeys: true, protection: protection, maxLength: maxLength)
  }
}
