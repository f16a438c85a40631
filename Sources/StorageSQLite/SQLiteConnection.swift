internal import CLocalDataSQLite
package import SmallFoundation
package import StorageSystem

/// A connection to a database, with the statements that it has prepared. Only one thread may use it at a time.
package final class SQLiteConnection {
  let handle: OpaquePointer
  private(set) var statements: [String: OpaquePointer] = [:]
  /// The number of statements that run, each within the one before.
  private var depth = 0
  /// The statement that was used last. Many calls in a row use the same one, and need not compute the hash of its text.
  private var latest: (sql: String, statement: OpaquePointer)?
  /// Pages in the write-ahead log after the last commit; on the heap, since SQLite writes to it.
  private let logPages = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
  /// The end of waits for other connections; on the heap, since SQLite's handler reads it.
  private let waitEnd = UnsafeMutablePointer<ContinuousClock.Instant?>.allocate(capacity: 1)
  /// The current step of a statement; on the heap, since SQLite's handler uses it.
  private let step = UnsafeMutablePointer<SQLiteStep>.allocate(capacity: 1)
  /// The schema that the database must have, or `nil` if it may have another one.
  private var schema: SQLiteSchema?
  private var schemaState = SchemaState.checked

  private enum SchemaState {
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
  private(set) var hasFailed = false

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
  }

  let kind: Kind

  /// Opens a database that exists, by a path without links.
  ///
  /// - Parameter end: The end of waits for other connections, until another one is set; `nil` if no call may wait.
  package init(
    path: String, isDurable: Bool, until end: ContinuousClock.Instant?, kind: Kind = .ordinary,
    format: SQLiteFormat = .values
  ) throws(StorageFault) {
    var opened: OpaquePointer?
    // NOMUTEX: the owner lets one thread in at a time. NOFOLLOW: neither the file nor a folder may be a link.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_NOFOLLOW
    // In a URI, these characters end the path or begin an escape.
    let uri = path.reduce(into: "file:") { $0 += ["%": "%25", "?": "%3f", "#": "%23"][$1] ?? String($1) }
    let name = kind == .unchanging ? uri + "?immutable=1" : path
    let code = sqlite3_open_v2(name, &opened, flags | format.openFlags | SQLITE_OPEN_URI, nil)
    guard let opened, code == SQLITE_OK else {
      let fault = StorageFault(sqlite: sqlite3_extended_errcode(opened), opened)
      sqlite3_close_v2(opened)
      throw fault
    }
    handle = opened
    self.kind = kind
    isDamaged = kind == .damaged
    logPages.initialize(to: 0)
    waitEnd.initialize(to: end)
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
    try check(localdata_sqlite_restrict(handle, kind == .ordinary || kind == .unchanging ? 1 : 0))
    for (limit, most) in Self.limits { sqlite3_limit(handle, limit, most) }
    // A repair also keeps rows that this release does not read.
    let length: Int32 =
      switch kind {
      case .draft: .max
      case .damaged: max(format.maxLength, 1 << 27)
      case .ordinary, .memory, .unchanging: format.maxLength
      }
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, length)
    if kind == .damaged { try execute("PRAGMA writable_schema = ON") }
    do throws(StorageFault) { try configure(isDurable: isDurable, kind, format) } catch {
      // The copy of its bytes, and their repair, need no more.
      guard kind == .damaged, error == .databaseDamaged else { throw error }
    }
  }

  deinit {
    // In a forked process, closing would take part in the parent's locks.
    guard isOfThisProcess else { return }
    for statement in statements.values { sqlite3_finalize(statement) }
    if isDamaged { localdata_sqlite_keep_log(handle) }
    // The last connection also checkpoints, with the file to itself.
    sqlite3_close_v2(handle)
    logPages.deallocate()
    waitEnd.deallocate()
    step.deinitialize(count: 1)
    step.deallocate()
  }

  /// A Boolean value that indicates whether this process has opened the database. A forked process must not use it.
  var isOfThisProcess: Bool { process == getpid() }

  /// A Boolean value that indicates whether the header of the database keeps SQLite from writing to it.
  package var isMarkedReadOnly: Bool { StorageFault.isMarkedReadOnly(handle) }

  /// The activity in which a transaction runs. If it expires, the current statement ends with ``StorageFault/busy``, and so does each
  /// one after it.
  var activity: ExpiringActivity? {
    get { step.pointee.activity }
    set { step.pointee.activity = newValue }
  }

  /// Sets the end of waits for other connections; `nil` if no call may wait.
  package func wait(until end: ContinuousClock.Instant?) { waitEnd.pointee = end }

  private func configure(isDurable: Bool, _ kind: Kind, _ format: SQLiteFormat) throws(StorageFault) {
    // Only a file without pages takes it.
    if format.givesPagesBack, kind == .draft || kind == .memory { try execute("PRAGMA auto_vacuum = INCREMENTAL") }
    for pragma in [
      "PRAGMA journal_size_limit = \(Self.logLimit)", "PRAGMA secure_delete = ON", "PRAGMA temp_store = MEMORY",
      "PRAGMA cell_size_check = ON",
      "PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL")",
      // On Apple's platforms a sync leaves bytes in the drive's cache otherwise.
      "PRAGMA fullfsync = ON", "PRAGMA checkpoint_fullfsync = ON",
    ] {
      try execute(pragma)
    }
    if format.hasForeignKeys { try execute("PRAGMA foreign_keys = ON; PRAGMA cache_size = -\(Self.cacheSize())") }
    if kind == .memory || kind == .unchanging { return }
    if try text("PRAGMA journal_mode") == "wal" { return }
    guard try text("PRAGMA journal_mode = WAL") == "wal" else { throw .io(errno: ENOTSUP) }
  }

  /// Returns the most KiB of pages in memory. The system ends an extension, or an app on a watch, that uses much memory.
  static func cacheSize(inExtension isExtension: Bool = ProcessLaunch.current.isExtension) -> Int {
    #if os(watchOS)
      1_500
    #else
      isExtension ? 1_500 : 8_000
    #endif
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

  var pagesInLog: Int { Int(logPages.pointee) }

  /// Returns true if the next commit may begin the write-ahead log anew, and waits for the disk then.
  ///
  /// That is so once a checkpoint has moved all of the log. The numbers are those of SQLite's shared memory, whose layout
  /// is part of the file format.
  var beginsLogWithNextCommit: Bool {
    guard let logIndex else { return true }
    let frames = logIndex.load(fromByteOffset: 16, as: UInt32.self)
    let movedFrames = logIndex.load(fromByteOffset: 96, as: UInt32.self)
    return movedFrames >= frames
  }

  /// The first page of the index of the write-ahead log, in memory that all processes share. SQLite keeps it mapped until
  /// the connection is closed. `nil` if the log is not open.
  var logIndex: UnsafeRawPointer? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file,
      let methods = file.pointee.pMethods?.pointee, methods.iVersion >= 2
    else { return nil }
    var page: UnsafeMutableRawPointer?
    guard methods.xShmMap(file, 0, 1 << 15, 0, &page) == SQLITE_OK else { return nil }
    return UnsafeRawPointer(page)
  }

  /// Moves what is in the write-ahead log into the database; truncating also empties the log's file.
  ///
  /// Readers elsewhere may keep it from finishing, which is no failure unless the log must be emptied.
  package func checkpoint(truncating: Bool) throws(StorageFault) {
    let mode = truncating ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
    var (pages, moved): (Int32, Int32) = (0, 0)
    let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, &pages, &moved)
    if code & 0xff == SQLITE_BUSY && !truncating { return }
    try check(code)
    if pages == moved { logPages.pointee = 0 }
  }

  /// Waits until the write-ahead log, and its name in the folder, are on the disk.
  ///
  /// It uses SQLite's own descriptor, because closing another one of the process would drop SQLite's locks.
  func syncLog() throws(StorageFault) {
    // If it is not open, nothing was committed to it.
    guard let (log, methods) = try file(.log) else { return }
    try check(methods.xSync(log, SQLITE_SYNC_FULL), log, methods)
  }

  /// Makes the file of the write-ahead log longer than the open transaction needs, so that most commits need not.
  ///
  /// A commit that makes the file longer waits until the disk has its pages and the new length. One within the file waits
  /// for its pages alone, which takes about half as long. SQLite ignores the zeros behind the last commit.
  ///
  /// Only a writer that excludes all others may call it. A failure is ignored: the commit makes the file longer then, or
  /// fails itself.
  func extendLog() {
    guard let logIndex else { return }
    // The file format has these places in SQLite's shared memory. A page of 64 KiB is counted as 1.
    let pageSize = Int64(logIndex.load(fromByteOffset: 14, as: UInt16.self))
    let frames = Int64(logIndex.load(fromByteOffset: 16, as: UInt32.self))
    let needed =
      Self.logHeaderSize + (frames + Self.spareFrames) * (Self.frameHeaderSize + (pageSize == 1 ? 1 << 16 : pageSize))
    do throws(StorageFault) {
      guard let (log, methods) = try file(.log) else { return }
      var size: sqlite3_int64 = 0
      // The first commit writes the header of an empty log.
      guard methods.xFileSize(log, &size) == SQLITE_OK, size >= Self.logHeaderSize, size < needed else { return }
      _ = Self.zeros.withUnsafeBytes { methods.xWrite(log, $0.baseAddress, Int32($0.count), size) }
    } catch {}
  }

  /// More than the statements of the library and of its apps need. A VACUUM attaches one database.
  private static let limits: [(limit: Int32, most: Int32)] = [
    (SQLITE_LIMIT_SQL_LENGTH, 1 << 20), (SQLITE_LIMIT_VDBE_OP, 1 << 22), (SQLITE_LIMIT_ATTACHED, 1),
    (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1 << 12), (SQLITE_LIMIT_VARIABLE_NUMBER, 32_766),
  ]

  /// Twice the size at which a writer makes a checkpoint. SQLite shortens a longer file when it begins the log anew.
  private static let logLimit = 8 << 20
  private static let (logHeaderSize, frameHeaderSize): (Int64, Int64) = (32, 24)
  /// The frames for which a transaction finds room in the file of the log.
  private static let spareFrames: Int64 = 8
  /// At most 128 KiB less one byte, of which SQLite's write would write nothing.
  private static let zeros = [UInt8](repeating: 0, count: 64 << 10)

  // MARK: Statements

  /// Checks the schema of the database, now and each time that another connection has changed it.
  ///
  /// SQLite prepares a statement again if the schema has changed. So the check costs statements nothing.
  func require(_ schema: SQLiteSchema) throws(StorageFault) {
    (self.schema, schemaState) = (schema, .unchecked)
    try checkSchema()
  }

  /// Lets steps run as long as they need, and values be of any size, for an examination of a whole database whose schema was
  /// checked.
  package func removeStepLimit() {
    sqlite3_progress_handler(handle, 0, nil, nil)
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, .max)
  }

  private func checkSchema() throws(StorageFault) {
    guard schemaState == .unchecked, let schema else { return }
    // The check uses statements too, which read one state of the database.
    schemaState = .checking
    do throws(StorageFault) { try undoneIfThrown { () throws(StorageFault) in try schema.check(self) } } catch {
      schemaState = .unchecked
      throw error
    }
    schemaState = .checked
  }

  /// Runs `body`, which changes the schema in a transaction, and rows of any size. The statement after it checks the schema.
  package func changeSchema<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    schemaState = .checking
    let length = sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, .max)
    defer {
      schemaState = .unchecked
      sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, length)
    }
    try body()
  }

  /// Runs a statement that returns no rows, and returns the number of rows that it has changed.
  @discardableResult
  package func run(_ sql: String, _ values: [SQLiteValue] = []) throws(StorageFault) -> Int {
    try rows(sql, values) { _ throws(StorageFault) in true }
    return Int(sqlite3_changes(handle))
  }

  /// Runs a statement that writes one row.
  ///
  /// - Throws: ``StorageFault/databaseDamaged`` if it writes none, for example because of a constraint that ignores it.
  package func writeRow(_ sql: String, _ values: [SQLiteValue]) throws(StorageFault) {
    guard try run(sql, values) == 1 else { throw .databaseDamaged }
  }

  /// Returns what `read` returns for the first row, or `nil` if there is no row.
  package func first<Result>(
    _ sql: String, _ values: [SQLiteValue] = [], _ read: (SQLiteRow) throws(StorageFault) -> Result
  ) throws(StorageFault) -> Result? {
    var result: Result?
    try rows(sql, values) { (row) throws(StorageFault) in
      result = try read(row)
      return false
    }
    return result
  }

  /// Calls `visit` with each row until it returns false.
  package func rows(
    _ sql: String, _ values: [SQLiteValue] = [], _ visit: (SQLiteRow) throws(StorageFault) -> Bool
  ) throws(StorageFault) {
    try rows(sql, binding: { bindings in for value in values { bindings.append(value) } }, visit)
  }

  /// Calls `visit` with each row of a statement whose parameters `bind` binds, until `visit` returns false.
  package func rows(
    _ sql: String, binding bind: (inout SQLiteBindings) throws(StorageFault) -> Void, isOfTable: Bool = true,
    _ visit: (SQLiteRow) throws(StorageFault) -> Bool
  ) throws(StorageFault) {
    if activity?.isExpired == true { throw .busy }
    depth += 1
    defer { depth -= 1 }
    try checkSchema()
    let statement = try prepared(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    var bindings = SQLiteBindings(statement)
    try bind(&bindings)
    try check(bindings.code)
    var count = 0
    while true {
      step.pointee.begin()
      let code = sqlite3_step(statement)
      if count == 0, sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_REPREPARE, 1) > 0, schemaState == .checked {
        schemaState = .unchecked
        if code == SQLITE_ROW || code == SQLITE_DONE { try checkSchema() }
      }
      count += 1
      if isOfTable, count & Self.countOfCheckedRows == 0 { try checkCount(count) }
      switch code {
      case SQLITE_ROW: if try !visit(SQLiteRow(statement: statement)) { return }
      case SQLITE_DONE: return
      default: throw fault(code)
      }
    }
  }

  /// One less than the rows after which a statement's rows are compared with the size of the database.
  private static let countOfCheckedRows = 0xffff

  /// Throws ``StorageFault/databaseDamaged`` if there are more rows than a database has room for: damaged pages can lead to
  /// each other. An entry of an index has four bytes and more.
  private func checkCount(_ count: Int) throws(StorageFault) {
    guard try Int64(count) <= byteCount / 4 else { throw .databaseDamaged }
  }

  /// The number of bytes of all pages.
  package var byteCount: Int64 {
    get throws(StorageFault) {
      let count = try first("PRAGMA page_count") { $0.integer(0) } ?? 0
      return try count * (first("PRAGMA page_size") { $0.integer(0) } ?? 0)
    }
  }

  /// Calls `visit` with each row of a query of the app, which may have more rows than its tables.
  ///
  /// - Throws: ``StorageFault/invalidQuery(_:)`` if it is no query that changes nothing, if it has not as many parameters as there are
  ///   values, or if a calculation fails.
  package func query(
    _ sql: String, _ values: [SQLiteValue], _ visit: (SQLiteRow) throws(StorageFault) -> Bool
  ) throws(StorageFault) {
    defer { forget(sql) }
    // SQLite also calls a COMMIT, and a PRAGMA that changes the connection, read-only.
    let verb = sql.prefix { $0.isLetter || $0.isWhitespace }.split(whereSeparator: \.isWhitespace).first?.uppercased()
    guard ["SELECT", "VALUES", "WITH"].contains(verb) else { throw .invalidQuery("it is no SELECT, VALUES or WITH") }
    var isPrepared = false
    do throws(StorageFault) {
      let statement = try prepared(sql)
      isPrepared = true
      let count = Int(sqlite3_bind_parameter_count(statement))
      guard sqlite3_stmt_readonly(statement) != 0 else { throw .invalidQuery("it changes the database") }
      guard count == values.count else { throw .invalidQuery("it has \(count) parameters, and \(values.count) values") }
      try rows(sql, binding: { bindings in for value in values { bindings.append(value) } }, isOfTable: false, visit)
    } catch {
      guard [SQLITE_ERROR, SQLITE_MISMATCH].contains(sqlite3_errcode(handle) & 0xff) else { throw error }
      let message = String(cString: sqlite3_errmsg(handle))
      // Before a row is read, the text quotes the statement alone. Afterwards it may quote a row, after one of these characters.
      throw .invalidQuery(isPrepared ? String(message.prefix { !"\"':".contains($0) }) : message)
    }
  }

  /// Makes the temporary views those of a list. Their function `local_data_now` returns the time from now on.
  ///
  /// Views of the file stay turned off. Each creation makes SQLite prepare all statements again, so views that exist stay. They are
  /// looked up, because a transaction that was undone may have removed them.
  ///
  /// - Parameter views: For each view, the part of its statement after `CREATE VIEW`.
  package func show(_ views: [String], at time: Double = 0) throws(StorageFault) {
    step.pointee.time = time
    let found = try first(
      "SELECT group_concat(sql, ';'), group_concat(printf('DROP VIEW temp.\"%w\"', name), ';') FROM sqlite_temp_master"
    ) { (sql: $0.text(0) ?? "", removal: $0.text(1) ?? "") }
    if found?.sql == views.map({ "CREATE VIEW " + $0 }).joined(separator: ";") { return }
    try execute(found?.removal ?? "")
    let now: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void = { context, _, _ in
      sqlite3_result_double(context, sqlite3_user_data(context).load(as: SQLiteStep.self).time)
    }
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
    try check(sqlite3_create_function_v2(handle, "local_data_now", 0, flags, step, now, nil, nil, nil))
    try execute(views.map { "CREATE TEMP VIEW " + $0 }.joined(separator: ";"))
  }

  /// Returns the steps by which a statement finds its rows, for example `SEARCH Visit USING INDEX "Visit.at" (at>?)`.
  package func plan(of sql: String, _ values: [SQLiteValue]) throws(StorageFault) -> [String] {
    let question = "EXPLAIN QUERY PLAN \(sql)"
    defer { forget(question) }
    var steps: [String] = []
    try rows(question, values) { (row) throws(StorageFault) in
      steps.append(row.text(3) ?? "")
      return true
    }
    return steps
  }

  /// Releases a statement that is not likely to be used again.
  package func forget(_ sql: String) {
    latest = nil
    sqlite3_finalize(statements.removeValue(forKey: sql))
  }

  /// Releases the statements that do not run, and the pages that can be read again.
  func releaseMemory() {
    latest = nil
    for (sql, statement) in statements where sqlite3_stmt_busy(statement) == 0 {
      sqlite3_finalize(statement)
      statements[sql] = nil
    }
    sqlite3_db_release_memory(handle)
  }

  /// Runs statements without keeping them prepared.
  package func execute(_ sql: String) throws(StorageFault) {
    step.pointee.begin()
    try check(sqlite3_exec(handle, sql, nil, nil, nil))
  }

  private func text(_ sql: String) throws(StorageFault) -> String? {
    try first(sql) { (row) throws(StorageFault) in row.text(0) ?? "" }
  }

  private func prepared(_ sql: String) throws(StorageFault) -> OpaquePointer {
    if let latest, latest.sql == sql { return latest.statement }
    var statement = statements[sql]
    if statement == nil {
      // A statement takes many times the space of its text. One that is bound, or has ended, may be in use.
      if depth < 2, statements.keys.reduce(sql.utf8.count, { $0 + $1.utf8.count }) > 1 << 16 { releaseMemory() }
      try check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
      statements[sql] = statement
    }
    guard let statement else { throw .io(errno: EINVAL) }
    latest = (sql, statement)
    return statement
  }

  func check(_ code: Int32) throws(StorageFault) {
    if code != SQLITE_OK { throw fault(code) }
  }

  /// Returns the fault that a result code means, and notes what it says of the connection.
  private func fault(_ code: Int32) -> StorageFault {
    let fault = StorageFault(sqlite: code, handle)
    if fault == .databaseDamaged { isDamaged = true }
    if code & 0xff == SQLITE_IOERR { hasFailed = true }
    return fault
  }
}

/// The current row of a statement. It is valid until the visit of the row ends.
package struct SQLiteRow {
  let statement: OpaquePointer

  package var count: Int32 { sqlite3_column_count(statement) }

  package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

  package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  package func text(_ column: Int32) -> String? {
    guard let start = sqlite3_column_text(statement, column) else { return nil }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  package func blob(_ column: Int32) -> Data {
    guard let start = sqlite3_column_blob(statement, column) else { return Data() }
    return Data(bytes: start, count: Int(sqlite3_column_bytes(statement, column)))
  }
}

/// A value bound to a statement.
package enum SQLiteValue: Sendable {
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Data)
  /// The 16 bytes of a UUID as a blob.
  case uuid(UUID)
  case null
}
