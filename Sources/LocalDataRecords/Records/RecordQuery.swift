public import LocalData
import SmallFoundation
import StorageSystem

/// A query for records of one type. It is a value: each function returns another query, and nothing is read before a call with
/// `await`.
///
/// ```swift
/// let recent = router.sharingHistories.where { $0.rp == rp }.order { $0.createdAt.descending }.limit(20)
/// let histories = try await recent.fetchAll()
/// ```
public struct RecordQuery<Record: StorageRecord>: Sendable {
  let router: StorageRouter
  var selection = RecordSelection<Record>()

  /// Returns the query for the records of this one for which a condition is true too.
  public func `where`(_ condition: (Record.Columns) -> RecordPredicate<Record>) -> RecordQuery {
    var query = self
    query.selection.add(condition(Record.columns))
    return query
  }

  /// Returns the query in an order. A second order sorts the records that are equal by the first.
  public func order(by order: (Record.Columns) -> RecordOrder<Record>) -> RecordQuery {
    var query = self
    query.selection.orders.append(order(Record.columns))
    return query
  }

  /// Returns the query for the first records of this one.
  ///
  /// - Parameter count: The largest number of records. Of several limits, the smallest counts.
  public func limit(_ count: Int) -> RecordQuery {
    var query = self
    query.selection.limit = min(selection.limit ?? count, count)
    return query
  }

  /// Returns the records.
  ///
  /// - Throws: ``StorageError/corrupted(_:)`` and ``StorageError/authenticationFailed(_:)`` if a row does not contain a record.
  ///   ``StorageError/valueTooLarge(_:limit:)`` if the condition has too many parts. Every other ``StorageError`` if the
  ///   database cannot be used.
  public func fetchAll() async throws(StorageError) -> [Record] {
    try await read { [selection] (session) throws(StorageFault) in try session.all(selection) }
  }

  /// Returns the first record, or `nil` if there is none.
  ///
  /// - Throws: Every error that ``fetchAll()`` throws.
  public func first() async throws(StorageError) -> Record? {
    var selection = selection
    selection.limit = min(selection.limit ?? 1, 1)
    return try await read(isQuick: true) { [selection] (session) throws(StorageFault) in
      try session.all(selection).first
    }
  }

  /// Returns the number of records.
  ///
  /// - Throws: Every error that ``fetchAll()`` throws.
  public func count() async throws(StorageError) -> Int {
    try await read { [selection] (session) throws(StorageFault) in try session.count(selection) }
  }

  /// Returns true if there is a record.
  ///
  /// - Throws: Every error that ``fetchAll()`` throws.
  public func exists() async throws(StorageError) -> Bool {
    try await read(isQuick: true) { [selection] (session) throws(StorageFault) in try session.exists(selection) }
  }

  /// Returns the first record, in the order of the query, for each value of a column.
  ///
  /// - Throws: Every error that ``fetchAll()`` throws.
  public func fetchFirst<Value>(
    ofEach column: (Record.Columns) -> RecordColumn<Record, Value>
  ) async throws(StorageError) -> [Record] {
    let position = column(Record.columns).position
    return try await read { [selection] (session) throws(StorageFault) in
      try session.firstOfEach(position, selection)
    }
  }

  /// Returns the records in groups, in the order of the first record of each group.
  ///
  /// - Parameter key: Returns the value that the records of a group have in common.
  /// - Throws: Every error that ``fetchAll()`` throws.
  public func grouped<Key: Hashable>(
    by key: (Record) -> Key
  ) async throws(StorageError) -> [(key: Key, records: [Record])] {
    var (groups, positions): ([(key: Key, records: [Record])], [Key: Int]) = ([], [:])
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
  /// - Returns: The number of records of this type.
  /// - Throws: ``StorageError/stillReferenced(_:)`` if other records refer to one of them: then none is deleted. Every other
  ///   ``StorageError`` if the database cannot be used.
  @discardableResult
  public func delete() async throws(StorageError) -> Int {
    try await router.log.begin(.delete, on: Record.subject).run { () throws(StorageError) in
      try await router.store(Record.Database.self).write(Record.call) {
        [selection] (session) throws(StorageFault) in try session.delete(selection)
      }
    }
  }

  /// Returns a sequence of the records now, and after each change by this router.
  public func values() -> RecordValues<Record> { RecordValues(query: self) }

  /// Returns a sequence of pages, so that not all records are in memory at once.
  ///
  /// Without an order, the pages are sorted by the key, and each record that is stored all the time is on one page. With an
  /// order, a record may be left out or be on two pages if records are changed meanwhile.
  ///
  /// - Parameter size: The number of records of a page.
  public func pages(of size: Int) -> RecordPages<Record> { RecordPages(query: self, size: max(size, 1)) }

  /// - Parameter isQuick: True if the call reads few rows, so that it may run on the thread of the caller.
  func read<Result: Sendable>(
    isQuick: Bool = false, _ body: @escaping @Sendable (RecordSession) throws(StorageFault) -> Result
  ) async throws(StorageError) -> Result {
    try await router.log.begin(.query, on: Record.subject).run { () throws(StorageError) in
      let store = try router.store(Record.Database.self)
      return isQuick ? try await store.readHere(Record.call, body) : try await store.read(Record.call, body)
    }
  }
}
