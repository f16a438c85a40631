import SmallFoundation
import StorageSQLite
import StorageSystem

/// A transaction on a database. Only the thread that runs it may use it.
final class RecordSession {
  private let connection: SQLiteConnection
  let tables: RecordTables
  /// The keys of encrypted fields, if the database has any.
  let sealer: RecordSealer?
  /// The names of the records whose rows have changed.
  private(set) var changed: Set<String> = []
  private(set) var hasDeleted = false
  /// A Boolean value that indicates whether changes are refused.
  var isReadOnly = false
  private(set) var isOver = false

  init(_ connection: SQLiteConnection, _ tables: RecordTables, _ sealer: RecordSealer?) {
    (self.connection, self.tables, self.sealer) = (connection, tables, sealer)
  }

  /// Ends the use of the connection. Later calls throw an error, because their changes would not be stored.
  func end() { isOver = true }

  /// Returns the connection for a call.
  func use(changing: Bool = false) throws(StorageFault) -> SQLiteConnection {
    guard !isOver else { throw .busy }
    guard !changing || !isReadOnly else { throw .accessDenied }
    // A failed write, for example on a full disk, may have undone the transaction. Another change would be stored alone.
    guard !changing || connection.isInTransaction else { throw .busy }
    return connection
  }

  /// Returns the blind index of a value of an encrypted field.
  func blindIndex(of value: SQLiteValue, record: String, field: Int) throws(StorageFault) -> Int64 {
    guard let sealer else {
      guard try !tables.hasSealedRow(use()) else { throw .keyMaterialMissing }
      // No row has an encrypted value, and any number finds none.
      return 0
    }
    guard let index = try sealer.blindIndex(of: value, record: record, field: field) else { throw .keyMaterialMissing }
    return index
  }

  /// Notes a change for the observers.
  func note(_ record: String, isDeletion: Bool = false) {
    changed.formUnion(isDeletion ? tables.affected(by: record) : [record])
    hasDeleted = hasDeleted || isDeletion
  }
}
