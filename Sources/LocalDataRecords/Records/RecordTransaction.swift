public import LocalData
public import LocalDataFoundation
import LocalDataSQLite
public import LocalDataSystem

/// A transaction on a database: records of several types that are read or changed together.
///
/// Use it only within its closure, which runs on a thread of the database.
public struct RecordTransaction<Database: RecordDatabase> {
  let session: RecordSession

  /// Returns the records of a type. Generated code calls it.
  @_spi(Generated) public func records<Record: StorageRecord>(
    _ type: Record.Type
  ) -> TransactionRecords<Record> where Record.Database == Database { TransactionRecords(session: session) }

  /// Returns the rows of a query in SQL, for what the other functions cannot express.
  ///
  /// ```swift
  /// let rows = try await router.read(WalletDatabase.self) { wallet in
  ///   try wallet.rows("SELECT rp, count(*) FROM SharingHistory WHERE createdAt >= ? GROUP BY rp", [lastWeek])
  /// }
  /// ```
  ///
  /// Tables and columns have the names that the catalog declares, whatever release has created the file. Encrypted fields have no
  /// column, and no row is found whose retention has ended. <doc:Queries> lists the stored form of each type.
  ///
  /// - Parameters:
  ///   - sql: A statement that only reads. A parameter is a `?`.
  ///   - values: The values of the parameters, in their order.
  /// - Returns: The values of the columns of each row.
  /// - Throws: ``StorageProblem/Code/invalidQuery`` if the text is not one statement that only reads, if it has another number of
  ///   parameters, or if one of its calculations fails.
  public func rows(_ sql: String, _ values: [any RecordValue] = []) throws(StorageError) -> [[RecordCell]] {
    let subject = StorageError.Subject(key: Database.declaration.name, domain: Database.declaration.domain.kind)
    guard !session.isOver else { throw StorageError(.cannotJoinTransaction, subject) }
    var rows: [[RecordCell]] = []
    do throws(StorageProblem) {
      let connection = try session.use()
      try connection.show(session.tables.views.value, at: session.now.timeIntervalSinceReferenceDate)
      try connection.query(sql, values.map { $0.recordLiteral.value }) { row in
        rows.append((0..<row.count).map { RecordCell(row, $0) })
        return true
      }
      return rows
    } catch { throw error.recordError(RecordCall(subject: subject, usesKeys: false), .read) }
  }
}

/// The value of a column in the rows of a query in SQL.
public enum RecordCell: Sendable, Hashable {
  case integer(Int64)
  case real(Double)
  case text(String)
  case data(Data)
  case null

  init(_ row: SQLiteRow, _ column: Int32) {
    self =
      switch row.form(column) {
      case .integer: .integer(row.integer(column))
      case .real: .real(row.real(column))
      case .text: .text(row.text(column) ?? "")
      case .blob: .data(row.blob(column))
      case .null: .null
      }
  }
}

/// The records of one type within a transaction.
public struct TransactionRecords<Record: StorageRecord> {
  let session: RecordSession
  var selection = RecordSelection()

  func call<Result>(
    _ body: (RecordSession) throws(StorageProblem) -> Result
  ) throws(StorageError) -> Result {
    guard !session.isOver else { throw StorageError(.cannotJoinTransaction, Record.subject) }
    do throws(StorageProblem) { return try body(session) } catch {
      throw error.recordError(Record.call, session.isReadOnly ? .read : .write)
    }
  }

  /// Stores a record, or replaces the one with the same key. The records that refer to it stay.
  ///
  /// - Parameter record: The record.
  /// - Throws: Every error that ``Records/save(_:)`` throws.
  public func save(_ record: Record) throws(StorageError) {
    try call { (session) throws(StorageProblem) in try session.save(record) }
  }

  /// Stores a new record.
  ///
  /// - Parameter record: The record.
  /// - Throws: Every error that ``Records/insert(_:)`` throws.
  public func insert(_ record: Record) throws(StorageError) {
    try call { (session) throws(StorageProblem) in try session.save(record, isNew: true) }
  }

  /// Returns the record with a key.
  ///
  /// - Parameter id: The key of the record.
  /// - Returns: The record, or `nil` if there is none.
  /// - Throws: Every error that ``Records/fetch(id:)`` throws.
  @inlinable public func fetch(id: Record.ID) throws(StorageError) -> Record? {
    var record: Record?
    try row(id.recordLiteral) { (row) throws(StorageProblem) in record = try Record(row) }
    return record
  }

  // The caller is inlined into the app, because the compiler does not specialize it there otherwise.
  @usableFromInline func row(
    _ key: RecordLiteral, _ read: (borrowing RecordRow) throws(StorageProblem) -> Void
  ) throws(StorageError) {
    try call { (session) throws(StorageProblem) in try session.row(Record.declaration, key, read) }
  }

  /// Deletes the record with a key, and what is declared to be deleted with it.
  ///
  /// - Parameter id: The key of the record.
  /// - Returns: True if there was such a record.
  /// - Throws: Every error that ``Records/delete(id:)`` throws.
  @discardableResult
  public func delete(id: Record.ID) throws(StorageError) -> Bool {
    try call { (session) throws(StorageProblem) in try session.delete(Record.declaration, id.recordLiteral) }
  }

  /// Returns the records for which a condition is true too.
  ///
  /// - Parameter condition: Returns the condition, from the columns of the record.
  /// - Returns: The selected records. Nothing is read yet.
  public func `where`(_ condition: (Record.Columns) -> RecordPredicate<Record>) -> TransactionRecords {
    var records = self
    records.selection.add(condition(Record.columns).condition)
    return records
  }

  /// Returns the records in an order. A second order sorts the records that are equal by the first.
  ///
  /// - Parameter order: Returns the order, from the columns of the record.
  /// - Returns: The selected records. Nothing is read yet.
  public func order(by order: (Record.Columns) -> RecordOrder<Record>) -> TransactionRecords {
    var records = self
    records.selection.orders.append(order(Record.columns).term)
    return records
  }

  /// Returns the first records of these.
  ///
  /// - Parameter count: The largest number of records. Of several limits, the smallest counts.
  /// - Returns: The selected records. Nothing is read yet.
  public func limit(_ count: Int) -> TransactionRecords {
    var records = self
    records.selection.limit = min(selection.limit ?? count, count)
    return records
  }

  /// Returns the selected records.
  ///
  /// - Returns: The records in their order. Without an order, it is not defined.
  /// - Throws: Every error that ``RecordQuery/fetchAll()`` throws.
  public func fetchAll() throws(StorageError) -> [Record] {
    try call { (session) throws(StorageProblem) in try session.all(selection) }
  }

  /// Returns the first of the selected records.
  ///
  /// - Returns: The first record, or `nil` if there is none.
  /// - Throws: Every error that ``RecordQuery/fetchAll()`` throws.
  public func first() throws(StorageError) -> Record? { try limit(min(selection.limit ?? 1, 1)).fetchAll().first }

  /// Returns the number of the selected records.
  ///
  /// - Returns: The number of records, at most the limit.
  /// - Throws: Every error that ``RecordQuery/fetchAll()`` throws.
  public func count() throws(StorageError) -> Int {
    try call { (session) throws(StorageProblem) in try session.count(Record.declaration, selection) }
  }

  /// Deletes the selected records, and what is declared to be deleted with them.
  ///
  /// - Returns: The number of records of this type.
  /// - Throws: Every error that ``RecordQuery/delete()`` throws.
  @discardableResult
  public func delete() throws(StorageError) -> Int {
    try call { (session) throws(StorageProblem) in try session.delete(Record.declaration, selection) }
  }
}

extension StorageRouter {
  /// Removes all rows of a database, with the keys of its encrypted fields.
  ///
  /// ```swift
  /// try await router.removeAll(in: WalletDatabase.self)
  /// print(try await router.credentials.count())   // 0
  /// ```
  ///
  /// The rows are removed in one commit, also rows of records that only another release declares, and rows at an address of an
  /// earlier release. No key is needed, so it also removes rows whose key is lost. `removeAll(in:)` of a catalog does the same
  /// for each of its databases.
  ///
  /// Rows of records with `signOut: keep` are left, unless `includingKept` is true. If a record has it, the call is a write that
  /// merges the tables of an earlier release first, and needs the keys if the merge does. A file that is damaged is removed with
  /// its log, if no record has it.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - includingKept: True if rows of records with `signOut: keep` are removed too.
  /// - Throws: ``StorageProblem/Code/unknownFormatVersion`` if a later release has moved the file, ``StorageProblem/Code/busy`` if a reader of another process keeps removed rows in the log for
  ///   too long, and every other ``StorageError`` if the database cannot be used now.
  @concurrent public nonisolated func removeAll<Database: RecordDatabase>(
    in database: Database.Type, includingKept: Bool = false
  ) async throws(StorageError) {
    try await remove(RemovalScope(includesKept: includingKept), in: database)
  }

  /// Removes the rows of a scope.
  @concurrent nonisolated func remove<Database: RecordDatabase>(
    _ scope: RemovalScope, in database: Database.Type
  ) async throws(StorageError) {
    try await log.begin(.remove, on: StorageCatalogPart.records(database).subject).run {
      () async throws(StorageError) in try await RecordStore.of(database, on: self).remove(scope)
    }
  }

  /// Copies a whole database to a new file, while other calls and processes read and write.
  ///
  /// ```swift
  /// let copy = FileManager.default.temporaryDirectory.appendingPathComponent("wallet-copy.db")
  /// try await router.copy(of: WalletDatabase.self, to: copy)
  /// ```
  ///
  /// The copy has all that calls have stored before, in the state of one commit. A copy of the file by its path would lack what is
  /// still in SQLite's log. Plain fields can be read in it, for example with `sqlite3`. Encrypted fields stay encrypted, with keys
  /// that only this app has on this device: it is no backup for another device.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - url: The address of the new file, in a folder that exists. It has the mode 0600, and on Apple's platforms the protection of
  ///     the database. It gets its name when it is complete. If the process is killed, a hidden draft may stay beside it.
  /// - Throws: ``StorageProblem/Code/notFound`` if the database has no file yet, ``StorageProblem/Code/alreadyStored`` if something
  ///   has the name of the new file, also a symbolic link, ``StorageProblem/Code/invalidName`` if the URL names no file,
  ///   ``StorageProblem/Code/io`` if its folder does not exist, and every other ``StorageError`` if the database cannot be read or
  ///   the file cannot be written.
  @concurrent public nonisolated func copy<Database: RecordDatabase>(
    of database: Database.Type, to url: URL
  ) async throws(StorageError) {
    try await log.begin(.transaction, on: StorageCatalogPart.records(database).subject).run {
      () async throws(StorageError) in try await RecordStore.of(database, on: self).copy(to: url)
    }
  }

  /// Changes records of one database together: all of them, or none.
  ///
  /// ```swift
  /// try await router.transaction(in: WalletDatabase.self) { wallet in
  ///   try wallet.credentials.delete(id: old.id)
  ///   try wallet.credentials.insert(renewed)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - body: Reads and changes records. If it throws, nothing is changed. It must be quick and must have no other effects: it
  ///     runs again if a commit fails.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, and a ``StorageError`` if the database cannot be used.
  @concurrent public nonisolated func transaction<Database: RecordDatabase, Result: Sendable>(
    in database: Database.Type, _ body: @escaping @Sendable (RecordTransaction<Database>) throws -> Result
  ) async throws -> Result {
    let call = RecordCall(subject: StorageCatalogPart.records(database).subject, usesKeys: true)
    let outcome = try await log.begin(.transaction, on: call.subject).run { () async throws(StorageError) in
      try await RecordStore.of(database, on: self).writeUnlessThrown(call) {
        try body(RecordTransaction(session: $0))
      }
    }
    return try outcome.get()
  }

  /// Reads records of one database in one state. Changes of other calls are not seen in between.
  ///
  /// ```swift
  /// let (credentials, count) = try await router.read(WalletDatabase.self) { wallet in
  ///   (try wallet.credentials.fetchAll(), try wallet.sharingHistories.count())
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - body: Reads records. A change throws ``StorageProblem/Code/accessDenied``.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, and a ``StorageError`` if the database cannot be used.
  @concurrent public nonisolated func read<Database: RecordDatabase, Result: Sendable>(
    _ database: Database.Type, _ body: @escaping @Sendable (RecordTransaction<Database>) throws -> Result
  ) async throws -> Result {
    let call = RecordCall(subject: StorageCatalogPart.records(database).subject, usesKeys: true)
    let outcome = try await log.begin(.transaction, on: call.subject).run { () async throws(StorageError) in
      try await RecordStore.of(database, on: self).read(call) { (session) throws(StorageProblem) in
        session.isReadOnly = true
        return Swift.Result { try body(RecordTransaction(session: session)) }
      }
    }
    return try outcome.get()
  }
}
