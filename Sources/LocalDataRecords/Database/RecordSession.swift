import LocalDataFoundation
package import LocalDataSQLite
package import LocalDataSystem

/// A transaction on a database. Only the thread that runs it may use it.
package final class RecordSession {
  /// The reason for which rows were deleted.
  package enum Deletion: Sendable {
    /// Their retention has ended.
    case byRetention
    case byApp
  }

  private let connection: SQLiteConnection
  package let tables: RecordTables
  /// The keys of encrypted fields, if the database has any.
  package let sealer: RecordSealer?
  /// The names of the records whose rows have changed.
  private(set) var changed: Set<String> = []
  private var latestChange: String?
  /// The names of the records that have been stored.
  private(set) var saved: Set<String> = []
  private(set) var deletion: Deletion?
  /// The faults of deletions by retention, by the names of the records. The next write tries again.
  var undeleted: [String: StorageProblem] = [:]
  /// The numbers of damaged rows that were left out, by the names of their records.
  private(set) var damaged: [String: Int] = [:]
  /// A Boolean value that indicates whether changes are refused.
  var isReadOnly = false
  private(set) var isOver = false
  /// The statements that were used last. Most calls of a transaction are about one record.
  private var latest: (declaration: RecordDeclaration, statements: RecordStatements)?
  /// The log of queries that read every row.
  var scans: RecordScans?
  private let clock: any StorageClock
  /// The time at which the retention of rows is looked at.
  private(set) lazy var now = clock.now

  init(_ connection: SQLiteConnection, _ tables: RecordTables, _ sealer: RecordSealer?, _ clock: any StorageClock) {
    self.connection = connection
    self.tables = tables
    self.sealer = sealer
    self.clock = clock
  }

  /// Ends the use of the connection. Later calls throw an error, because their changes would not be stored.
  func end() { isOver = true }

  /// Returns the connection for a call.
  package func use(changing: Bool = false) throws(StorageProblem) -> SQLiteConnection {
    guard !isOver else { throw .busy }
    guard !changing || !isReadOnly else { throw .accessDenied }
    // A failed write, for example on a full disk, may have undone the transaction. Another change would be stored alone.
    guard !changing || connection.isInTransaction else { throw .busy }
    return connection
  }

  /// Returns the statements of a record.
  ///
  /// - Throws: ``StorageProblem/databaseDamaged`` if the database does not declare it.
  package func statements(_ declaration: RecordDeclaration) throws(StorageProblem) -> RecordStatements {
    if let latest, latest.declaration === declaration { return latest.statements }
    let statements = try tables.statements(declaration)
    latest = (declaration, statements)
    return statements
  }

  /// Returns the blind indexes of a value of an encrypted field, one for each record key.
  func blindIndexes(of value: SQLiteValue, record: String, field: Int) throws(StorageProblem) -> [Int64] {
    if let sealer { return try sealer.blindIndexes(of: value, record: record, field: field) }
    guard try !tables.shape.hasSealedRow(use()) else { throw .keyMaterialMissing }
    // No row has an encrypted value, and any number finds none.
    return [0]
  }

  /// Notes a damaged row that is left out, for the log.
  func noteDamaged(_ record: String) { damaged[record, default: 0] += 1 }

  /// Notes a change for the observers.
  func note(_ record: String) {
    // Most changes of a transaction are of one record.
    if record == latestChange { return }
    latestChange = record
    changed.insert(record)
    saved.insert(record)
  }

  /// Notes a deletion for the observers, also of the rows that referred to the deleted ones.
  package func note(_ record: String, _ deletion: Deletion) {
    changed.formUnion(tables.affected(by: record))
    if self.deletion != .byApp { self.deletion = deletion }
  }
}
