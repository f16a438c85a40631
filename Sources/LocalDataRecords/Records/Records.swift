public import LocalData
import LocalDataFoundation
import LocalDataSystem

/// The records of one type: the functions of a data manager.
///
/// ```swift
/// try await router.credentials.save(degree)
/// let one = try await router.credentials.fetch(id: "urn:1")
/// ```
public struct Records<Record: StorageRecord>: Sendable {
  let router: StorageRouter

  /// Stores a record, or replaces the one with the same key. The records that refer to it stay.
  ///
  /// - Parameter record: The record.
  /// - Throws: ``StorageProblem/Code/alreadyStored`` if another record has the value of a unique field,
  ///   ``StorageProblem/Code/missingReference`` if the record refers to one that does not exist,
  ///   ``StorageProblem/Code/cannotEncode`` and ``StorageProblem/Code/valueTooLarge`` if it cannot be stored. Every other
  ///   ``StorageError`` if the database cannot be used.
  @concurrent public func save(_ record: Record) async throws(StorageError) {
    try await logged(.save, .write) { (session) throws(StorageProblem) in try session.save(record) }
  }

  /// Stores a new record.
  ///
  /// - Parameter record: The record.
  /// - Throws: ``StorageProblem/Code/alreadyStored`` if a record with the same key is stored, and every error that ``save(_:)``
  ///   throws.
  @concurrent public func insert(_ record: Record) async throws(StorageError) {
    try await logged(.insert, .write) { (session) throws(StorageProblem) in try session.save(record, isNew: true) }
  }

  /// Reads, changes and writes a record. No other call writes it in between, and no other process.
  ///
  /// ```swift
  /// let credential = try await router.credentials.update(id: "urn:2") { $0.accessToken = nil }
  /// ```
  ///
  /// - Parameters:
  ///   - id: The key of the record.
  ///   - change: Changes the record, but not its key. It must be quick and must have no other effects: it is called again if a
  ///     commit fails.
  /// - Returns: The record that was written, or `nil` if there is no such record.
  /// - Throws: Every error that ``save(_:)`` throws.
  @discardableResult
  @concurrent public func update(
    id: Record.ID, _ change: @escaping @Sendable (inout Record) -> Void
  ) async throws(StorageError) -> Record? {
    switch try await updated(id, change) {
    case .success(let record): return record
    }
  }

  /// Reads, changes and writes a record, unless the change throws an error.
  ///
  /// - Parameters:
  ///   - id: The key of the record.
  ///   - change: Changes the record, but not its key. If it throws, nothing is written.
  /// - Returns: The record that was written, or `nil` if there is no such record.
  /// - Throws: Every error that `change` and ``save(_:)`` throw.
  @discardableResult
  @concurrent public func update(
    id: Record.ID, _ change: @escaping @Sendable (inout Record) throws -> Void
  ) async throws -> Record? { try await updated(id, change).get() }

  private func updated<Failure: Error>(
    _ id: Record.ID, _ change: @escaping @Sendable (inout Record) throws(Failure) -> Void
  ) async throws(StorageError) -> Result<Record?, Failure> {
    try await logged(.update, .write) { (session) throws(StorageProblem) in try session.update(id, change) }
  }

  /// Returns the record with a key.
  ///
  /// - Parameter id: The key of the record.
  /// - Returns: The record, or `nil` if there is none.
  /// - Throws: ``StorageProblem/Code/corrupted``, ``StorageProblem/Code/cannotDecode``, ``StorageProblem/Code/newerValue`` and
  ///   ``StorageProblem/Code/authenticationFailed`` if its row does not contain a record. Every other ``StorageError`` if the database cannot be used.
  @concurrent public func fetch(id: Record.ID) async throws(StorageError) -> Record? {
    try await logged(.fetch, .readHere) { (session) throws(StorageProblem) in try session.fetch(id) }
  }

  /// Returns the records with some keys.
  ///
  /// - Parameter ids: The keys of the records.
  /// - Returns: The records in the order of the keys. Keys without a record are left out.
  /// - Throws: Every error that ``RecordQuery/fetchAll()`` throws.
  @concurrent public func fetch(ids: some Sequence<Record.ID>) async throws(StorageError) -> [Record] {
    let ids = Array(ids)
    return try await logged(.fetch, .read) { (session) throws(StorageProblem) in try session.fetch(ids) }
  }

  /// Deletes the record with a key, and what is declared to be deleted with it.
  ///
  /// - Parameter id: The key of the record.
  /// - Returns: True if there was such a record.
  /// - Throws: ``StorageProblem/Code/stillReferenced`` if other records refer to it. Every other ``StorageError`` if the database
  ///   cannot be used.
  @discardableResult
  @concurrent public func delete(id: Record.ID) async throws(StorageError) -> Bool {
    try await logged(.delete, .write) { (session) throws(StorageProblem) in
      try session.delete(Record.declaration, id.recordLiteral)
    }
  }

  private func logged<Result: Sendable>(
    _ operation: StorageLogEntry.Operation, _ access: RecordAccess,
    _ body: @escaping @Sendable (RecordSession) throws(StorageProblem) -> Result
  ) async throws(StorageError) -> Result {
    try await Record.call.logged(operation, access, in: Record.Database.self, on: router, body)
  }
}

extension Records {
  /// All records, as a query.
  public var all: RecordQuery<Record> { RecordQuery(router: router) }

  /// Returns the query for the records for which a condition is true.
  ///
  /// ```swift
  /// let recent = router.sharingHistories.where { $0.rp == rp && $0.createdAt >= lastWeek }
  /// ```
  ///
  /// - Parameter condition: Returns the condition, from the columns of the record.
  /// - Returns: The query. Nothing is read yet.
  public func `where`(_ condition: (Record.Columns) -> RecordPredicate<Record>) -> RecordQuery<Record> {
    all.where(condition)
  }

  /// Returns the query for all records in an order.
  ///
  /// - Parameter order: Returns the order, from the columns of the record.
  /// - Returns: The query. Nothing is read yet.
  public func order(by order: (Record.Columns) -> RecordOrder<Record>) -> RecordQuery<Record> { all.order(by: order) }

  /// Returns all records.
  ///
  /// - Returns: The records. Their order is not defined.
  /// - Throws: Every error that ``RecordQuery/fetchAll()`` throws.
  @concurrent public func fetchAll() async throws(StorageError) -> [Record] { try await all.fetchAll() }

  /// Returns the number of records.
  ///
  /// - Returns: The number of all records of this type.
  /// - Throws: A ``StorageError`` if the database cannot be used.
  @concurrent public func count() async throws(StorageError) -> Int { try await all.count() }

  /// Returns a sequence of all records now, and after each change by this router.
  ///
  /// - Returns: A sequence that ends when its task is cancelled.
  public func values() -> RecordValues<Record> { all.values() }

  /// Returns a sequence of pages of all records, sorted by their key.
  ///
  /// - Parameter size: The number of records of a page.
  /// - Returns: A sequence of pages. Nothing is read before its first one is asked for.
  public func pages(of size: Int) -> RecordPages<Record> { all.pages(of: size) }

  /// Returns all records in groups.
  ///
  /// - Parameter key: Returns the value that the records of a group have in common.
  /// - Returns: The groups, each with its records.
  /// - Throws: Every error that ``RecordQuery/fetchAll()`` throws.
  public func grouped<Key: Hashable>(
    by key: (Record) -> Key
  ) async throws(StorageError) -> [(key: Key, records: [Record])] { try await all.grouped(by: key) }
}

extension StorageRouter {
  /// Returns the records of a type. Generated code calls it.
  @_spi(Generated) public nonisolated func records<Record: StorageRecord>(_ type: Record.Type) -> Records<Record> {
    Records(router: self)
  }
}
