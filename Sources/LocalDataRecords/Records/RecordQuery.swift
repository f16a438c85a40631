public import LocalData
import LocalDataFoundation
import LocalDataSystem

/// A query for records of one type. It is a value: each function returns another query, and nothing is read before a call with
/// `await`.
///
/// ```swift
/// let recent = router.sharingHistories.where { $0.rp == rp }.order { $0.createdAt.descending }.limit(20)
/// let histories = try await recent.fetchAll()
/// ```
public struct RecordQuery<Record: StorageRecord>: Sendable {
  let router: StorageRouter
  var selection = RecordSelection()

  /// Returns the query for the records of this one for which a condition is true too.
  ///
  /// - Parameter condition: Returns the condition, from the columns of the record.
  /// - Returns: The query. Nothing is read yet.
  public func `where`(_ condition: (Record.Columns) -> RecordPredicate<Record>) -> RecordQuery {
    var query = self
    query.selection.add(condition(Record.columns).condition)
    return query
  }

  /// Returns the query in an order. A second order sorts the records that are equal by the first.
  ///
  /// - Parameter order: Returns the order, from the columns of the record.
  /// - Returns: The query. Nothing is read yet.
  public func order(by order: (Record.Columns) -> RecordOrder<Record>) -> RecordQuery {
    var query = self
    query.selection.orders.append(order(Record.columns).term)
    return query
  }

  /// Returns the query for the first records of this one.
  ///
  /// - Parameter count: The largest number of records. Of several limits, the smallest counts.
  /// - Returns: The query. Nothing is read yet.
  public func limit(_ count: Int) -> RecordQuery {
    var query = self
    query.selection.limit = min(selection.limit ?? count, count)
    return query
  }

  /// Returns the records.
  ///
  /// If the catalog says `onCorruption: skip`, rows that do not contain a record are left out, and their number is logged. A
  /// limit counts only the records that are returned.
  ///
  /// - Returns: The records in the order of the query. Without an order, it is not defined.
  /// - Throws: ``StorageProblem/Code/corrupted``, ``StorageProblem/Code/cannotDecode``, ``StorageProblem/Code/newerValue`` and
  ///   ``StorageProblem/Code/authenticationFailed`` if a row does not contain a record and is not left out. ``StorageProblem/Code/valueTooLarge`` if the condition has too many parts. Every other
  ///   ``StorageError`` if the database cannot be used.
  @concurrent public func fetchAll() async throws(StorageError) -> [Record] {
    try await read { [selection] (session) throws(StorageProblem) in try session.all(selection) }
  }

  /// Returns the first record.
  ///
  /// - Returns: The first record in the order of the query, or `nil` if there is none.
  /// - Throws: Every error that ``fetchAll()`` throws.
  @concurrent public func first() async throws(StorageError) -> Record? {
    var selection = selection
    selection.limit = min(selection.limit ?? 1, 1)
    return try await read(isQuick: true) { [selection] (session) throws(StorageProblem) in
      try (session.all(selection) as [Record]).first
    }
  }

  /// Returns the number of rows, also of damaged ones.
  ///
  /// - Returns: The number of records, at most the limit.
  /// - Throws: Every error that ``fetchAll()`` throws.
  @concurrent public func count() async throws(StorageError) -> Int {
    try await read { [selection] (session) throws(StorageProblem) in try session.count(Record.declaration, selection) }
  }

  /// Returns true if there is a record.
  ///
  /// - Returns: True if the query finds at least one record.
  /// - Throws: Every error that ``fetchAll()`` throws.
  @concurrent public func exists() async throws(StorageError) -> Bool {
    try await read(isQuick: true) { [selection] (session) throws(StorageProblem) in
      try session.exists(Record.declaration, selection)
    }
  }

  /// Returns the first record, in the order of the query, for each value of a column.
  ///
  /// ```swift
  /// let latest = try await router.sharingHistories.order { $0.createdAt.descending }.fetchFirst(ofEach: { $0.rp })
  /// ```
  ///
  /// - Parameter column: Returns the column, from the columns of the record.
  /// - Returns: The records in the order of the query. Without an order, the record with the smallest key is the first.
  /// - Throws: Every error that ``fetchAll()`` throws.
  public func fetchFirst<Value>(
    ofEach column: (Record.Columns) -> RecordColumn<Record, Value>
  ) async throws(StorageError) -> [Record] {
    let position = column(Record.columns).position
    return try await read { [selection] (session) throws(StorageProblem) in
      try session.firstOfEach(position, selection)
    }
  }

  /// Returns the records in groups, in the order of the first record of each group.
  ///
  /// - Parameter key: Returns the value that the records of a group have in common.
  /// - Returns: The groups, each with its records in the order of the query.
  /// - Throws: Every error that ``fetchAll()`` throws.
  public func grouped<Key: Hashable>(
    by key: (Record) -> Key
  ) async throws(StorageError) -> [(key: Key, records: [Record])] {
    var groups: [(key: Key, records: [Record])] = []
    var positions: [Key: Int] = [:]
    for record in try await fetchAll() {
      let key = key(record)
      if let position = positions[key] {
        groups[position].records.append(record)
      } else {
        positions[key] = groups.count
        groups.append((key, [record]))
      }
    }
    return groups
  }

  /// Deletes the records, and what is declared to be deleted with them.
  ///
  /// ```swift
  /// let count = try await router.sharingHistories.where { $0.createdAt < lastYear }.delete()
  /// ```
  ///
  /// - Returns: The number of records of this type.
  /// - Throws: ``StorageProblem/Code/stillReferenced`` if other records refer to one of them: then none is deleted. Every other
  ///   ``StorageError`` if the database cannot be used.
  @discardableResult
  @concurrent public func delete() async throws(StorageError) -> Int {
    try await Record.call.logged(.delete, .write, in: Record.Database.self, on: router) {
      [selection] (session) throws(StorageProblem) in try session.delete(Record.declaration, selection)
    }
  }

  /// Returns a sequence of the records now, and after each change.
  ///
  /// - Returns: A sequence that ends when its task is cancelled.
  public func values() -> RecordValues<Record> { RecordValues(query: self) }

  /// Returns a sequence of pages, so that not all records are in memory at once.
  ///
  /// Without an order, the pages are sorted by the key, and each record that is stored all the time is on one page. With an
  /// order, a record may be left out or be on two pages if records are changed meanwhile.
  ///
  /// - Parameter size: The number of records of a page.
  /// - Returns: A sequence of pages. Nothing is read before its first one is asked for.
  public func pages(of size: Int) -> RecordPages<Record> { RecordPages(query: self, size: max(size, 1)) }

  /// - Parameter isQuick: True if the call reads few rows, so that it may run on the thread of the caller.
  @concurrent func read<Result: Sendable>(
    isQuick: Bool = false, _ body: @escaping @Sendable (RecordSession) throws(StorageProblem) -> Result
  ) async throws(StorageError) -> Result {
    try await Record.call.logged(.query, isQuick ? .readHere : .read, in: Record.Database.self, on: router, body)
  }
}
