import SmallFoundation
package import StorageSystem

/// A database in memory. Calls run one after another.
///
/// `@unchecked Sendable`: `open` is used only by the thread that has the turn, everything else is immutable.
package final class SQLiteMemory: @unchecked Sendable {
  private let format: SQLiteFormat
  private let patience: Duration
  /// Creates the tables.
  private let create: @Sendable (SQLiteConnection) throws(StorageFault) -> Void
  private let turns = ThreadTurns<Bool>()
  private var open: SQLiteConnection?

  package init(
    _ format: SQLiteFormat, patience: Duration,
    create: @escaping @Sendable (SQLiteConnection) throws(StorageFault) -> Void
  ) {
    (self.format, self.patience, self.create) = (format, patience, create)
  }

  /// Runs `body` in a transaction, and commits unless `body` throws.
  ///
  /// If the call may not wait, it throws ``StorageFault/busy`` if another thread uses the database.
  package func write<Result>(
    mayWait: Bool = true, _ body: (SQLiteConnection) throws(StorageFault) -> Result
  ) throws(StorageFault) -> Result {
    guard turns.take(true, until: mayWait ? CallDeadline.end(of: patience) : nil) else { throw .busy }
    defer { turns.end(true) }
    let connection: SQLiteConnection
    if let open {
      connection = open
    } else {
      connection = try SQLiteConnection(
        path: ":memory:", isDurable: false, until: nil, kind: .memory, format: format)
      try create(connection)
      open = connection
    }
    do throws(StorageFault) { return try connection.transaction("BEGIN", body) } catch {
      connection.attachment = nil
      throw error
    }
  }
}
