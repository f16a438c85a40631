public import LocalData
import LocalDataFoundation
public import LocalDataVocabulary

extension Maintenance {
  /// The size of a database of records, and the numbers of its rows. It contains no value.
  public struct Database: Sendable, Hashable {
    /// The declared name and domain. The file is in the folder `.records` of the domain's directory.
    public var name: String
    /// The domain that the file is stored in.
    public var domain: StorageDomain
    /// The size of the file and its log in bytes. `nil` if there is no file, or if it cannot be read now.
    public var size: Int?
    /// The records that this release declares, in the order of the catalog. Empty if the database cannot be read now.
    public var records: [Record] = []
    /// A Boolean value that indicates whether the file has records or fields that this release does not declare. Another
    /// release has added them. They keep their values.
    public var hasUndeclaredFields = false
    /// The error if the database cannot be read now, or cannot be used.
    public var problem: StorageError?
  }

  /// The numbers of the rows of a record.
  public struct Record: Sendable, Hashable {
    /// The stored name of the record.
    public var name: String
    /// The number of stored rows, including damaged ones and those whose retention has ended.
    public var count: Int
    /// The number of rows that cannot be read. See ``Maintenance/damagedRecords(progress:)``. `nil` if the rows cannot be read
    /// now, for example because the keys of encrypted fields are locked.
    public var damaged: Int?
  }

  /// Returns the size and the numbers of rows of each registered database, in the order of the catalogs. Every row is read to
  /// count the damaged ones. No value is returned, and the user is never asked.
  ///
  /// ```swift
  /// import LocalDataRecords
  ///
  /// for database in await router.maintenance.databases() {
  ///   print(database.name, database.size ?? 0, "bytes")                         // wallet 49152 bytes
  ///   for record in database.records { print(record.name, record.count) }       // Credential 3
  /// }
  /// ```
  ///
  /// The first call of a launch on a database moves it from an address of an earlier release, and merges its tables. So does
  /// this one.
  ///
  /// - Parameter progress: Called after each database.
  /// - Returns: An entry for each database. One that cannot be read has a problem.
  @concurrent public func databases(progress: @Sendable (Progress) -> Void = { _ in }) async -> [Database] {
    let databases = router.databasesOfRecords
    var entries = [Database]()
    var done = Progress(completed: 0, total: databases.count)
    for type in databases {
      entries.append(await entry(type))
      done.advance(progress)
    }
    return entries
  }

  private func entry<Declared: RecordDatabase>(_ type: Declared.Type) async -> Database {
    var entry = Database(name: type.declaration.name, domain: type.declaration.domain)
    do throws(StorageError) {
      let scan = RecordScan(try RecordStore.of(type, on: router))
      let found = try await scan.contents()
      entry.size = found.size
      entry.records = found.records
      entry.hasUndeclaredFields = found.hasUndeclaredFields
      guard found.size != nil else { return entry }
      let damaged = try await scan.damaged()
      let examined = Set(type.declaration.types().map { $0.declaration.name })
      for index in entry.records.indices where examined.contains(entry.records[index].name) {
        let name = entry.records[index].name
        entry.records[index].damaged = damaged.count { $0.record.key == name }
      }
    } catch { entry.problem = error }
    return entry
  }
}

extension StorageRouter {
  /// The databases of the registered catalogs.
  nonisolated var databasesOfRecords: [any RecordDatabase.Type] {
    databases.compactMap { $0.declaration as? any RecordDatabase.Type }
  }
}
