public import LocalData

extension Maintenance {
  /// A row that cannot be read as its record. It contains no value.
  public struct DamagedRecord: Sendable, Hashable {
    /// The stored name of the record, and the kind of domain.
    public var record: StorageError.Subject
    /// SQLite's number of the row, its `rowid`. If the key of the record is an Int, it is the key.
    public var row: Int64
    /// The error that a fetch of the record throws, for example ``StorageProblem/Code/authenticationFailed``.
    public var problem: StorageError
  }

  /// The result of a search for damaged records.
  public struct DamagedRecords: Sendable, Hashable {
    /// The damaged rows, in the order of the catalogs and of their numbers.
    public var values: [DamagedRecord] = []
    /// The errors of databases that cannot be read now.
    public var failures: [StorageError] = []
  }

  /// Returns the rows of all registered databases that do not decode as their records, or whose encrypted fields cannot be
  /// authenticated. Nothing is changed. No value is returned, and the user is never asked.
  ///
  /// ```swift
  /// let damaged = await router.maintenance.damagedRecords()
  /// for record in damaged.values { print(record.record, record.row) }   // 'Credential' in fileSystem 4
  /// ```
  ///
  /// A list leaves such rows out if the catalog has `onCorruption: skip`, and otherwise throws. A row is whole again when the app
  /// saves its record. A row with a case of an enum that only a later release has is not damaged, and not returned.
  ///
  /// - Parameter progress: Called after each database.
  /// - Returns: The damaged rows, and the errors of the databases that cannot be read now.
  @concurrent public func damagedRecords(progress: @Sendable (Progress) -> Void = { _ in }) async -> DamagedRecords {
    let databases = router.databasesOfRecords
    var damaged = DamagedRecords()
    var done = Progress(completed: 0, total: databases.count)
    for type in databases {
      do throws(StorageError) { damaged.values += try await self.damaged(type) } catch {
        damaged.failures.append(error)
      }
      done.advance(progress)
    }
    return damaged
  }

  /// Removes damaged rows, with the rows that refer to them as their deletion says.
  ///
  /// ```swift
  /// let damaged = await router.maintenance.damagedRecords()
  /// print(try await router.maintenance.removeDamagedRecords(damaged.values))   // 1
  /// ```
  ///
  /// Each row is read again, and stays if it is not damaged any more, or if only its key is missing.
  ///
  /// - Parameter records: Values of ``damagedRecords(progress:)``.
  /// - Returns: The number of removed rows.
  /// - Throws: ``StorageProblem/Code/stillReferenced`` if a row of a record with `onDelete: restrict` refers to one of the rows, and
  ///   every other ``StorageError`` if a database cannot be used now. The rows of that database stay.
  @discardableResult
  @concurrent public func removeDamagedRecords(_ records: [DamagedRecord]) async throws(StorageError) -> Int {
    var count = 0
    for type in router.databasesOfRecords { count += try await remove(records, type) }
    return count
  }

  private func remove<Declared: RecordDatabase>(
    _ records: [DamagedRecord], _ type: Declared.Type
  ) async throws(StorageError) -> Int {
    try await RecordScan(try RecordStore.of(type, on: router)).remove(records)
  }

  private func damaged<Declared: RecordDatabase>(_ type: Declared.Type) async throws(StorageError) -> [DamagedRecord] {
    try await RecordScan(try RecordStore.of(type, on: router)).damaged()
  }
}
