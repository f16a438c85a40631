import LocalDataFoundation
package import LocalDataSystem

/// A database in memory. Calls run one after another.
///
/// `@unchecked Sendable`: `open` is used only by the thread that has the turn, everything else is immutable.
package final class SQLiteMemory: @unchecked Sendable {
  private let format: SQLiteFormat
  private let patience: Duration
  /// Creates the tables.
  private let create: @Sendable (SQLiteConnection) throws(StorageProblem) -> Void
  private let turns = ThreadTurns()
  private var open: SQLiteConnection?

  package init(
    _ format: SQLiteFormat, patience: Duration,
    create: @escaping @Sendable (SQLiteConnection) throws(StorageProblem) -> Void
  ) {
    self.format = format
    self.patience = patience
    self.create = create
  }

  /// Runs `body` in a transaction, and commits unless `body` throws.
  ///
  /// If the call must not wait, it throws ``StorageProblem/busy`` if another thread uses the database.
  package func write<Result>(
    _ body: (SQLiteConnection) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result {
    try turns.take(until: CallDeadline.endOfWait(of: patience))
    defer { turns.end() }
    let connection = try connection()
    do throws(StorageProblem) { return try connection.transaction("BEGIN", body) } catch {
      connection.attachment = nil
      throw error
    }
  }

  /// Replaces everything in the database by the content of another one.
  package func replaceContent(by source: SQLiteConnection) throws(StorageProblem) {
    try turns.take(until: CallDeadline.endOfWait(of: patience))
    defer { turns.end() }
    let connection = try connection()
    connection.attachment = nil
    try connection.replaceContent(by: source)
  }

  /// Returns the database, which the first call creates.
  private func connection() throws(StorageProblem) -> SQLiteConnection {
    if let open { return open }
    let connection = try SQLiteConnection(
      path: ":memory:", isDurable: false, until: nil, kind: .memory, format: format)
    try create(connection)
    try connection.mark(format)
    open = connection
    return connection
  }
}
