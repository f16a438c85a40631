import RecordShapes
import SmallFoundation
import StorageSQLite
import StorageSystem

/// The file of a database, or the database in memory, whose tables serve the declared records.
///
/// The shape that the file records is compared with the declared one for each connection. If they differ, they are merged
/// before the first call.
final class RecordFile: Sendable {
  private enum Content: Sendable {
    case file(SQLiteDatabase)
    case memory(SQLiteMemory)
  }

  /// The result of a try on a connection.
  private enum Attempt<Result: Sendable>: Sendable {
    case done(Result)
    /// The tables do not serve the declared records yet.
    case unmerged
    /// The declared records cannot use the file.
    case refused(RecordMerge.Refusal)
    /// The file does not have the keys of the sealer.
    case otherKeys
  }

  /// The tables and keys of a file, as a connection has read them in one state of the file.
  private final class Known: Sendable {
    let tables: RecordTables
    /// The sealer whose keys the file has.
    let sealer: RecordSealer?
    let version: UInt32

    init(_ tables: RecordTables, _ sealer: RecordSealer?, _ version: UInt32) {
      (self.tables, self.sealer, self.version) = (tables, sealer, version)
    }
  }

  private let declarations: [RecordDeclaration]
  private let declared: RecordShape
  private let text: String
  private let content: Content
  /// The tables of a file that does not exist yet: reads find no rows.
  private let empty: SQLiteMemory
  private let latest = Lock<RecordTables?>(nil)
  private let owner = RecordTables.Owner()

  static let schema = SQLiteSchema(
    required: [
      "CREATE TABLE local_data (name TEXT NOT NULL PRIMARY KEY, value) WITHOUT ROWID",
      "CREATE TABLE local_data_keys (number INTEGER PRIMARY KEY, sealed BLOB NOT NULL, uses INTEGER NOT NULL) STRICT",
    ], isOpen: true)

  /// - Parameter location: The file, or `nil` for a database in memory.
  init(
    _ declaration: RecordDatabaseDeclaration, at location: FileLocation?, patience: Duration
  ) throws(RecordProblem) {
    declarations = declaration.records()
    declared = RecordShape(declarations)
    let merge: RecordMerge
    do throws(RecordMerge.Refusal) { merge = try RecordShape().merging(declared) } catch { throw .refused(error) }
    do throws(StorageFault) { text = try declared.json } catch { throw .fault(error) }
    let shape: String
    do throws(StorageFault) { shape = try merge.shape.json } catch { throw .fault(error) }
    let format = SQLiteFormat(declaration)
    let complete = { @Sendable (connection: SQLiteConnection) throws(StorageFault) in
      for step in merge.steps { try connection.execute(merge.shape.sql(step)) }
      try connection.run("INSERT INTO local_data VALUES ('shape', ?)", [.text(shape)])
    }
    func memory() -> SQLiteMemory {
      SQLiteMemory(format, patience: patience) { (connection) throws(StorageFault) in
        for statement in Self.schema.required { try connection.execute(statement) }
        try complete(connection)
      }
    }
    empty = memory()
    content =
      if let location {
        .file(
          .shared(
            SQLiteCreation(location: location, schema: Self.schema, format: format, complete: complete), .powerLoss,
            patience: patience))
      } else { .memory(memory()) }
  }

  /// Runs `body` in one transaction that reads.
  ///
  /// If the call may not wait, it throws ``StorageFault/busy`` if it would have to.
  func read<Result: Sendable>(
    mayWait: Bool, isOneStatement: Bool = false, _ sealer: RecordSealer? = nil,
    _ body: (RecordSession) throws(StorageFault) -> Result
  ) throws(RecordProblem) -> Result {
    try served(mayWait: mayWait) { () throws(StorageFault) in
      func attempt(_ connection: SQLiteConnection) throws(StorageFault) -> Attempt<Result> {
        try self.attempt(on: connection, isWriting: false, sealer, body)
      }
      switch content {
      case .memory(let memory): return try memory.write(mayWait: mayWait, attempt)
      case .file(let database):
        let found = try database.read(mayWait: mayWait, isOneStatement: isOneStatement, attempt)
        return if let found { found } else { try empty.write(mayWait: mayWait, attempt) }
      }
    }
  }

  /// Runs `body` in a transaction that excludes all other writers, and commits unless `body` throws. It runs again if a shared
  /// commit has failed.
  func write<Result: Sendable>(
    _ sealer: RecordSealer? = nil, _ body: (RecordSession) throws(StorageFault) -> Result
  ) throws(RecordProblem) -> Result {
    try served(mayWait: true) { () throws(StorageFault) in
      try transaction { (connection) throws(StorageFault) in
        try attempt(on: connection, isWriting: true, sealer, body)
      }
    }
  }

  /// Copies the log into the file and empties it, so that no deleted value stays in the log.
  func emptyLog() throws(StorageFault) { if case .file(let database) = content { try database.emptyLog() } }

  // MARK: Opening

  private func transaction<Result: Sendable>(
    _ body: (SQLiteConnection) throws(StorageFault) -> Result
  ) throws(StorageFault) -> Result {
    switch content {
    case .file(let database): try database.write(body)
    case .memory(let memory): try memory.write(body)
    }
  }

  /// Tries until the tables serve the declared records.
  private func served<Result: Sendable>(
    mayWait: Bool, _ attempt: () throws(StorageFault) -> Attempt<Result>
  ) throws(RecordProblem) -> Result {
    // Another process may replace the file after the merge.
    for _ in 0..<3 {
      let result: Attempt<Result>
      do throws(StorageFault) {
        result = try attempt()
        if case .unmerged = result, mayWait { try transaction(merge) }
      } catch { throw .fault(error) }
      switch result {
      case .done(let result): return result
      case .refused(let refusal): throw .refused(refusal)
      case .otherKeys: throw .otherKeys
      case .unmerged: if !mayWait { throw .fault(.busy) }
      }
    }
    throw .fault(.busy)
  }

  private func attempt<Result: Sendable>(
    on connection: SQLiteConnection, isWriting: Bool, _ sealer: RecordSealer?,
    _ body: (RecordSession) throws(StorageFault) -> Result
  ) throws(StorageFault) -> Attempt<Result> {
    let known: Known
    switch try self.known(on: connection, sealer) {
    case .done(let found): known = found
    case .unmerged: return .unmerged
    case .refused(let refusal): return .refused(refusal)
    case .otherKeys: return .otherKeys
    }
    let outcome: Swift.Result<Result, StorageFault>
    do throws(StorageFault) { outcome = .success(try run(body, RecordSession(connection, known.tables, sealer))) } catch
    {
      outcome = .failure(error)
    }
    // A transaction that reads begins with its first statement. The file may have changed until then.
    if !isWriting, connection.dataVersion != known.version {
      switch try self.known(on: connection, sealer) {
      case .done(let now) where now.tables === known.tables: break
      case .otherKeys: return .otherKeys
      default: return .unmerged
      }
    }
    return .done(try outcome.get())
  }

  /// Returns what a connection knows of its file. It is looked up again if the file has changed.
  private func known(
    on connection: SQLiteConnection, _ sealer: RecordSealer?
  ) throws(StorageFault) -> Attempt<Known> {
    // All routers of the process share the connections to a file.
    if let known = connection.attachment as? Known, known.tables.owner === owner,
      known.version == connection.dataVersion, sealer == nil || known.sealer === sealer
    {
      return .done(known)
    }
    let tables: RecordTables
    switch try self.tables(on: connection) {
    case .done(let found): tables = found
    case .unmerged: return .unmerged
    case .refused(let refusal): return .refused(refusal)
    case .otherKeys: return .otherKeys
    }
    // The file may have been replaced since its keys were read. Its next reader could not open what this sealer seals.
    if let sealer, try sealer.stored != RecordKeys.stored(on: connection) { return .otherKeys }
    let known = Known(tables, sealer, connection.dataVersion)
    connection.attachment = known
    return .done(known)
  }

  /// Returns the tables of a connection.
  private func tables(on connection: SQLiteConnection) throws(StorageFault) -> Attempt<RecordTables> {
    let recorded = try recorded(on: connection)
    if let latest = latest.withLock({ $0 }), latest.text == recorded { return .done(latest) }
    var shape = declared
    if recorded != text {
      shape = try RecordShape(json: recorded)
      do throws(RecordMerge.Refusal) {
        let merge = try shape.merging(declared)
        guard merge == RecordMerge(shape: shape) else { return .unmerged }
      } catch { return .refused(error) }
    }
    let tables = RecordTables(recorded, shape, declarations, owner)
    latest.withLock { [tables] in $0 = tables }
    return .done(tables)
  }

  private func run<Result>(
    _ body: (RecordSession) throws(StorageFault) -> Result, _ session: RecordSession
  ) throws(StorageFault) -> Result {
    defer { session.end() }
    return try body(session)
  }

  private func recorded(on connection: SQLiteConnection) throws(StorageFault) -> String {
    let text = try connection.first("SELECT value FROM local_data WHERE name = 'shape'") { $0.text(0) }
    guard let text = text ?? nil else { throw .databaseDamaged }
    return text
  }

  /// Merges the declared shape into the tables, in a transaction. If it is refused, the next attempt reports it.
  private func merge(on connection: SQLiteConnection) throws(StorageFault) {
    let shape = try RecordShape(json: try recorded(on: connection))
    let merge: RecordMerge
    do throws(RecordMerge.Refusal) { merge = try shape.merging(declared) } catch { return }
    // Other writers of this transaction look the tables up again.
    connection.attachment = nil
    for step in merge.steps { try connection.execute(merge.shape.sql(step)) }
    guard try connection.first("PRAGMA foreign_key_check", [], { _ in true }) == nil else { throw .databaseDamaged }
    try connection.writeRow("UPDATE local_data SET value = ? WHERE name = 'shape'", [.text(try merge.shape.json)])
  }
}

/// The problem of a call on a database.
enum RecordProblem: Error {
  case fault(StorageFault)
  case refused(RecordMerge.Refusal)
  /// The file does not have the keys that were read from it.
  case otherKeys
}

extension SQLiteFormat {
  /// Databases of records ("LDrc").
  fileprivate init(_ declaration: RecordDatabaseDeclaration) {
    let availability: FileProtection.Availability =
      switch declaration.protection {
      case .complete: .complete
      case .completeUnlessOpen: .completeUnlessOpen
      case .untilFirstUnlock: .untilFirstUnlock
      }
    self.init(protection: FileProtection(availability, isBackedUp: declaration.isInBackup))
  }

  init(protection: FileProtection) {
    self.init(applicationID: 0x4C44_7263, version: 1, hasForeignKeys: true, protection: protection)
  }
}
