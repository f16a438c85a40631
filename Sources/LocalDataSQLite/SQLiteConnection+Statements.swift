internal import CLocalDataSQLite
import LocalDataFoundation
package import LocalDataSystem

/// The statements of a connection.
extension SQLiteConnection {
  /// Checks the schema of the database, now and each time that another connection has changed it.
  ///
  /// SQLite prepares a statement again if the schema has changed. So the check costs statements nothing.
  func require(_ schema: SQLiteSchema) throws(StorageProblem) {
    self.schema = schema
    schemaState = .unchecked
    try checkSchema()
  }

  /// Lets steps run as long as they need, and values be of any size, for an examination of a whole database whose schema was
  /// checked.
  package func removeStepLimit() {
    sqlite3_progress_handler(handle, 0, nil, nil)
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, .max)
  }

  private func checkSchema() throws(StorageProblem) {
    guard schemaState == .unchecked, let schema else { return }
    // The check uses statements too, which read one state of the database.
    schemaState = .checking
    do throws(StorageProblem) { try undoneIfThrown { () throws(StorageProblem) in try schema.check(self) } } catch {
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
  package func run(_ sql: String, _ values: [SQLiteValue] = []) throws(StorageProblem) -> Int {
    try rows(sql, values) { _ throws(StorageProblem) in true }
    return Int(sqlite3_changes(handle))
  }

  /// Runs a statement that writes one row.
  ///
  /// - Throws: ``StorageProblem/databaseDamaged`` if it writes none, for example because of a constraint that ignores it.
  package func writeRow(_ sql: String, _ values: [SQLiteValue]) throws(StorageProblem) {
    guard try run(sql, values) == 1 else { throw .databaseDamaged }
  }

  /// Returns what `read` returns for the first row, or `nil` if there is no row.
  package func first<Result>(
    _ sql: String, _ values: [SQLiteValue] = [], _ read: (SQLiteRow) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result? {
    var result: Result?
    try rows(sql, values) { (row) throws(StorageProblem) in
      result = try read(row)
      return false
    }
    return result
  }

  /// Calls `visit` with each row until it returns false.
  package func rows(
    _ sql: String, _ values: [SQLiteValue] = [], _ visit: (SQLiteRow) throws(StorageProblem) -> Bool
  ) throws(StorageProblem) {
    try rows(sql, binding: { bindings in for value in values { bindings.append(value) } }, visit)
  }

  /// Calls `visit` with each row of a statement whose parameters `bind` binds, until `visit` returns false.
  package func rows(
    _ sql: String, binding bind: (inout SQLiteBindings) throws(StorageProblem) -> Void, isOfTable: Bool = true,
    _ visit: (SQLiteRow) throws(StorageProblem) -> Bool
  ) throws(StorageProblem) {
    if activity?.isExpired == true { throw .busy }
    depth += 1
    defer { depth -= 1 }
    try checkSchema()
    let statement = try prepared(sql)
    let first = boundCount
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
      boundCount = first
    }
    var bindings = SQLiteBindings(statement, in: UnsafeMutableRawBufferPointer(rebasing: bound[first...]))
    // A statement that `bind` runs has no room.
    boundCount = bound.count
    try bind(&bindings)
    boundCount = first + bindings.used
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

  /// Throws ``StorageProblem/databaseDamaged`` if there are more rows than a database has room for: damaged pages can lead to
  /// each other. An entry of an index has four bytes and more.
  private func checkCount(_ count: Int) throws(StorageProblem) {
    guard try Int64(count) <= byteCount / 4 else { throw .databaseDamaged }
  }

  /// The number of bytes of all pages.
  package var byteCount: Int64 {
    get throws(StorageProblem) { try pragma("page_count") * pragma("page_size") }
  }

  /// Returns the number that a pragma has.
  func pragma(_ name: String) throws(StorageProblem) -> Int64 { try first("PRAGMA \(name)") { $0.integer(0) } ?? 0 }

  /// Calls `visit` with each row of a query of the app, which may have more rows than its tables.
  ///
  /// - Throws: ``StorageProblem/invalidQuery(_:)`` if it is no query that changes nothing, if it has not as many parameters as there are
  ///   values, or if a calculation fails.
  package func query(
    _ sql: String, _ values: [SQLiteValue], _ visit: (SQLiteRow) throws(StorageProblem) -> Bool
  ) throws(StorageProblem) {
    defer { forget(sql) }
    // SQLite also calls a COMMIT, and a PRAGMA that changes the connection, read-only.
    let verb = sql.prefix { $0.isLetter || $0.isWhitespace }.split(whereSeparator: \.isWhitespace).first?.uppercased()
    guard ["SELECT", "VALUES", "WITH"].contains(verb) else { throw .invalidQuery("it is no SELECT, VALUES or WITH") }
    var isPrepared = false
    do throws(StorageProblem) {
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
  package func show(_ views: [String], at time: Double = 0) throws(StorageProblem) {
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
  package func plan(of sql: String, _ values: [SQLiteValue]) throws(StorageProblem) -> [String] {
    let question = "EXPLAIN QUERY PLAN \(sql)"
    defer { forget(question) }
    var steps: [String] = []
    try rows(question, values) { (row) throws(StorageProblem) in
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
  package func execute(_ sql: String) throws(StorageProblem) {
    step.pointee.begin()
    try check(sqlite3_exec(handle, sql, nil, nil, nil))
  }

  private func prepared(_ sql: String) throws(StorageProblem) -> OpaquePointer {
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

  /// Runs a statement that returns no rows, and returns the number of rows that it has changed.
  @discardableResult
  package func run(
    _ sql: String, binding bind: (inout SQLiteBindings) throws(StorageProblem) -> Void
  ) throws(StorageProblem) -> Int {
    try rows(sql, binding: bind) { _ throws(StorageProblem) in true }
    return Int(sqlite3_changes(handle))
  }
}

/// The time of one step of a statement. A step ends with the deadline of the current call, so that no content of a database
/// makes a call run for ever.
struct SQLiteStep {
  /// The end of the step, if it has run for some time.
  private var end: ContinuousClock.Instant?
  /// A Boolean value that indicates whether the step has an end. To set it takes less time than to set the end to `nil`.
  private var hasEnd = false
  /// The time that the function of the views returns.
  var time = 0.0
  var activity: ExpiringActivity?

  /// The instructions of SQLite between two looks at the clock: about a millisecond.
  static let instructions: Int32 = 20_000

  mutating func begin() { hasEnd = false }

  /// Returns true if the step has run for too long.
  mutating func isOver() -> Bool {
    if activity?.isExpired == true { return true }
    guard hasEnd, let end else {
      hasEnd = true
      end = CallDeadline.end(of: CallDeadline.ordinaryPatience)
      return false
    }
    return ContinuousClock.now >= end
  }
}
