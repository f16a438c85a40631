internal import CLocalDataSQLite
import LocalDataFoundation
package import LocalDataSystem

/// A connection to a database, with the statements that it has prepared. Only one thread may use it at a time.
package final class SQLiteConnection {
  let handle: OpaquePointer
  var statements: [String: OpaquePointer] = [:]
  /// The number of statements that run, each within the one before.
  var depth = 0
  /// The texts and blobs that are bound to them. SQLite would allocate memory for each.
  let bound: UnsafeMutableRawBufferPointer
  /// The bytes of `bound` that are in use.
  var boundCount = 0
  /// The statement that was used last. Many calls in a row use the same one, and need not compute the hash of its text.
  var latest: (sql: String, statement: OpaquePointer)?
  /// Pages in the write-ahead log after the last commit; on the heap, since SQLite writes to it.
  let logPages: UnsafeMutablePointer<Int32>
  /// The end of waits for other connections; on the heap, since SQLite's handler reads it.
  private let waitEnd: UnsafeMutablePointer<ContinuousClock.Instant?>
  /// The current step of a statement; on the heap, since SQLite's handler uses it.
  let step: UnsafeMutablePointer<SQLiteStep>
  /// The schema that the database must have, or `nil` if it may have another one.
  var schema: SQLiteSchema?
  var schemaState = SchemaState.checked

  enum SchemaState {
    /// The database had the schema when SQLite read it last.
    case checked
    case unchecked, checking
  }

  /// An object that the owner of the database keeps with the connection. It is removed if a transaction is rolled back.
  package var attachment: (any AnyObject & Sendable)?

  /// A Boolean value that indicates whether the database is damaged. Its log may belong to another one: it is not copied into the
  /// database when the connection is closed.
  var isDamaged: Bool

  /// A Boolean value that indicates whether a file could not be read or written. Apple's SQLite does not use the files again if the
  /// system has invalidated one of them.
  var hasFailed = false

  let path: String
  /// The write-ahead log, for ``flushLog()``; `nil` before its first call.
  var log: Descriptor?

  /// The process that has opened the database. SQLite's locks belong to that process alone.
  private let process = getpid()

  /// The database of a connection.
  package enum Kind: Sendable {
    case ordinary
    /// A database that no other connection uses yet.
    case draft
    /// A database that may be damaged: a file that is shorter than its header says is opened too.
    case damaged
    /// A database in memory.
    case memory
    /// A file that is read as it is, because no process of this user can write to its folder. SQLite looks for no log.
    case unchanging
    /// A database of another library. It is only read: neither the file nor its log changes.
    case foreign
  }

  let kind: Kind

  /// Opens a database that exists, by a path without links.
  ///
  /// - Parameter end: The end of waits for other connections, until another one is set; `nil` if no call may wait.
  package init(
    path: String, isDurable: Bool, until end: ContinuousClock.Instant?, kind: Kind = .ordinary,
    format: SQLiteFormat = .values
  ) throws(StorageProblem) {
    var opened: OpaquePointer?
    // NOMUTEX: the owner lets one thread in at a time. NOFOLLOW: neither the file nor a folder may be a link.
    // The journal of a killed writer is the only thing that SQLite has to change before it reads.
    let isReadOnly = kind == .foreign && access(path + "-journal", F_OK) != 0
    let mode = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    let flags = mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_NOFOLLOW
    let name = kind == .unchanging ? Self.unchangingURI(of: path) : path
    let code = sqlite3_open_v2(name, &opened, flags | format.openFlags | SQLITE_OPEN_URI, nil)
    guard let opened, code == SQLITE_OK else {
      let fault = StorageProblem(sqlite: sqlite3_extended_errcode(opened), opened)
      sqlite3_close_v2(opened)
      throw fault
    }
    handle = opened
    bound = .allocate(byteCount: 1 << 12, alignment: 16)
    self.path = path
    self.kind = kind
    isDamaged = kind == .damaged
    logPages = .allocate(capacity: 1)
    logPages.initialize(to: 0)
    waitEnd = .allocate(capacity: 1)
    waitEnd.initialize(to: end)
    step = .allocate(capacity: 1)
    step.initialize(to: SQLiteStep())
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_handler(
      handle,
      { context, count in
        guard let end = context?.assumingMemoryBound(to: ContinuousClock.Instant?.self).pointee else { return 0 }
        let start = ContinuousClock.now
        guard start < end else { return 0 }
        usleep(min(50 << UInt32(min(max(count, 0), 6)), 2_000))
        CallDeadline.noteWait(since: start)
        return 1
      }, waitEnd)
    // The hook takes the place of automatic checkpoints: ours run under the lock that writers share.
    sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        context?.assumingMemoryBound(to: Int32.self).pointee = pages
        return SQLITE_OK
      }, logPages)
    sqlite3_progress_handler(
      handle, SQLiteStep.instructions,
      { context in context?.assumingMemoryBound(to: SQLiteStep.self).pointee.isOver() == true ? 1 : 0 }, step)
    try check(localdata_sqlite_restrict(handle, kind == .ordinary || kind == .unchanging || kind == .foreign ? 1 : 0))
    for (limit, most) in Self.limits { sqlite3_limit(handle, limit, most) }
    // A repair also keeps rows that this release does not read.
    let length: Int32 =
      switch kind {
      case .draft, .foreign: .max
      case .damaged: max(format.maxLength, 1 << 27)
      case .ordinary, .memory, .unchanging: format.maxLength
      }
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, length)
    if kind == .damaged { try execute("PRAGMA writable_schema = ON") }
    do throws(StorageProblem) { try configure(isDurable: isDurable, kind, format) } catch {
      // The copy of its bytes, and their repair, need no more.
      guard kind == .damaged, error == .databaseDamaged else { throw error }
    }
  }

  /// Returns the address of a file that SQLite reads as it is.
  private static func unchangingURI(of path: String) -> String {
    // In a URI, these characters end the path or begin an escape.
    path.reduce(into: "file:") { $0 += ["%": "%25", "?": "%3f", "#": "%23"][$1] ?? String($1) } + "?immutable=1"
  }

  deinit {
    // In a forked process, closing would take part in the parent's locks.
    guard isOfThisProcess else { return }
    for statement in statements.values { sqlite3_finalize(statement) }
    if isDamaged || kind == .foreign { localdata_sqlite_keep_log(handle) }
    // The last connection also checkpoints, with the file to itself.
    sqlite3_close_v2(handle)
    bound.deallocate()
    logPages.deallocate()
    waitEnd.deallocate()
    step.deinitialize(count: 1)
    step.deallocate()
  }

  /// A Boolean value that indicates whether this process has opened the database. A forked process must not use it.
  var isOfThisProcess: Bool { process == getpid() }

  /// A Boolean value that indicates whether the header of the database keeps SQLite from writing to it.
  package var isMarkedReadOnly: Bool { StorageProblem.isMarkedReadOnly(handle) }

  /// The activity in which a transaction runs. If it expires, the current statement ends with ``StorageProblem/busy``, and so does each
  /// one after it.
  var activity: ExpiringActivity? {
    get { step.pointee.activity }
    set { step.pointee.activity = newValue }
  }

  /// Sets the end of waits for other connections; `nil` if no call may wait.
  package func wait(until end: ContinuousClock.Instant?) { waitEnd.pointee = end }

  private func configure(isDurable: Bool, _ kind: Kind, _ format: SQLiteFormat) throws(StorageProblem) {
    if kind == .foreign { return try configureForeign() }
    // Only a file without pages takes it.
    if format.givesPagesBack, kind == .draft || kind == .memory { try execute("PRAGMA auto_vacuum = INCREMENTAL") }
    for pragma in [
      "PRAGMA journal_size_limit = \(Self.logLimit)", "PRAGMA secure_delete = ON", "PRAGMA temp_store = MEMORY",
      "PRAGMA cell_size_check = ON",
      // In KiB. The system ends an extension, or an app on a watch, that uses much memory.
      "PRAGMA cache_size = -2000",
      "PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL")",
      // On Apple's platforms a sync leaves bytes in the drive's cache otherwise.
      "PRAGMA fullfsync = ON", "PRAGMA checkpoint_fullfsync = ON",
    ] {
      try execute(pragma)
    }
    if format.hasForeignKeys { try execute("PRAGMA foreign_keys = ON") }
    if kind == .memory || kind == .unchanging { return }
    if try text("PRAGMA journal_mode") == "wal" { return }
    guard try text("PRAGMA journal_mode = WAL") == "wal" else { throw .io(errno: ENOTSUP) }
  }

  /// A table of another library may be long, and its values large.
  private func configureForeign() throws(StorageProblem) {
    for pragma in ["query_only = ON", "temp_store = MEMORY", "cell_size_check = ON", "cache_size = -2000"] {
      try execute("PRAGMA \(pragma)")
    }
    // The file is read here for the first time.
    _ = try pragma("schema_version")
    removeStepLimit()
  }

  private func text(_ sql: String) throws(StorageProblem) -> String? {
    try first(sql) { (row) throws(StorageProblem) in row.text(0) ?? "" }
  }

  /// A Boolean value that indicates whether the file was deleted, moved or replaced since it was opened.
  package var hasMoved: Bool {
    var moved: Int32 = 0
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
    return code != SQLITE_OK || moved != 0
  }

  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// A number that differs if any connection has committed a change, as of the last statement.
  package var dataVersion: UInt32 {
    var version: UInt32 = 0
    _ = sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return version
  }

  /// The number of rows that the connection has changed since it was opened.
  package var changedRows: Int { Int(sqlite3_total_changes(handle)) }

  /// More than the statements of the library and of its apps need. A VACUUM attaches one database.
  private static let limits: [(limit: Int32, most: Int32)] = [
    (SQLITE_LIMIT_SQL_LENGTH, 1 << 20), (SQLITE_LIMIT_VDBE_OP, 1 << 22), (SQLITE_LIMIT_ATTACHED, 1),
    (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1 << 12), (SQLITE_LIMIT_VARIABLE_NUMBER, 32_766),
  ]

  /// Twice the size at which a writer makes a checkpoint. SQLite shortens a longer file when it begins the log anew.
  private static let logLimit = 8 << 20

  func check(_ code: Int32) throws(StorageProblem) {
    if code != SQLITE_OK { throw fault(code) }
  }

  /// Returns the fault that a result code means, and notes what it says of the connection.
  func fault(_ code: Int32) -> StorageProblem {
    let fault = StorageProblem(sqlite: code, handle)
    if fault == .databaseDamaged { isDamaged = true }
    if code & 0xff == SQLITE_IOERR { hasFailed = true }
    return fault
  }
}

extension SQLiteConnection {
  /// Runs `body` within the transaction, and undoes only what `body` has changed if it throws.
  package func undoneIfThrown<Result>(_ body: () throws(StorageProblem) -> Result) throws(StorageProblem) -> Result {
    try run("SAVEPOINT member")
    do throws(StorageProblem) {
      let result = try body()
      try run("RELEASE member")
      return result
    } catch {
      guard isInTransaction else { throw error }
      do throws(StorageProblem) { try execute("ROLLBACK TO member; RELEASE member") } catch { try execute("ROLLBACK") }
      throw error
    }
  }

  /// Runs `body` in a transaction, and commits unless `body` throws.
  package func transaction<Result>(
    _ begin: String, _ body: (SQLiteConnection) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result {
    try run(begin)
    do throws(StorageProblem) {
      let result = try body(self)
      // A failed statement that `body` ignored may have rolled the transaction back.
      guard isInTransaction else { throw .busy }
      try run("COMMIT")
      return result
    } catch {
      // A connection that cannot even roll back is not used again.
      if isInTransaction { do throws(StorageProblem) { try execute("ROLLBACK") } catch {} }
      throw error
    }
  }
}
