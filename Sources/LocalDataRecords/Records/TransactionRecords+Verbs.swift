public import LocalData
import LocalDataSystem

extension TransactionRecords {
  /// Reads, changes and writes a record.
  ///
  /// ```swift
  /// try await router.transaction(in: WalletDatabase.self) { wallet in
  ///   try wallet.credentials.update(id: "urn:2") { $0.accessToken = nil }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - id: The key of the record.
  ///   - change: Changes the record, but not its key.
  /// - Returns: The record that was written, or `nil` if there is no such record.
  /// - Throws: Every error that ``Records/save(_:)`` throws.
  @discardableResult
  public func update(id: Record.ID, _ change: (inout Record) -> Void) throws(StorageError) -> Record? {
    switch try updated(id, change) {
    case .success(let record): return record
    }
  }

  /// Reads, changes and writes a record, unless the change throws an error.
  ///
  /// - Parameters:
  ///   - id: The key of the record.
  ///   - change: Changes the record, but not its key. If it throws, this call writes nothing.
  /// - Returns: The record that was written, or `nil` if there is no such record.
  /// - Throws: Every error that `change` and ``Records/save(_:)`` throw.
  @discardableResult
  public func update(id: Record.ID, _ change: (inout Record) throws -> Void) throws -> Record? {
    try updated(id, change).get()
  }

  private func updated<Failure: Error>(
    _ id: Record.ID, _ change: (inout Record) throws(Failure) -> Void
  ) throws(StorageError) -> Result<Record?, Failure> {
    try call { (session) throws(StorageProblem) in try session.update(id, change) }
  }

  /// Returns the records with some keys.
  ///
  /// - Parameter ids: The keys of the records.
  /// - Returns: The records in the order of the keys. Keys without a record are left out.
  /// - Throws: Every error that ``Records/fetch(id:)`` throws.
  public func fetch(ids: some Sequence<Record.ID>) throws(StorageError) -> [Record] {
    try call { (session) throws(StorageProblem) in try session.fetch(Array(ids)) }
  }

  /// Returns true if one of the selected records exists.
  ///
  /// - Returns: True if there is at least one record.
  /// - Throws: Every error that ``RecordQuery/fetchAll()`` throws.
  public func exists() throws(StorageError) -> Bool {
    try call { (session) throws(StorageProblem) in try session.exists(Record.declaration, selection) }
  }

  /// Returns the first of the selected records, in their order, for each value of a column.
  ///
  /// ```swift
  /// let latest = try await router.read(WalletDatabase.self) { wallet in
  ///   try wallet.sharingHistories.order { $0.createdAt.descending }.fetchFirst(ofEach: { $0.rp })
  /// }
  /// ```
  ///
  /// - Parameter column: Returns the column, from the columns of the record.
  /// - Returns: The records in their order. Without an order, the record with the smallest key is the first.
  /// - Throws: Every error that ``RecordQuery/fetchAll()`` throws.
  public func fetchFirst<Value>(
    ofEach column: (Record.Columns) -> RecordColumn<Record, Value>
  ) throws(StorageError) -> [Record] {
    let position = column(Record.columns).position
    return try call { (session) throws(StorageProblem) in try session.firstOfEach(position, selection) }
  }
}
