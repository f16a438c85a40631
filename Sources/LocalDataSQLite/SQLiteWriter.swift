import Dispatch
import LocalDataFoundation
import LocalDataSystem

/// The connection that writes to a database. Threads write one after another.
///
/// A commit that survives a loss of power waits for the disk. Writers that queue for the connection therefore share one:
/// a writer leaves its transaction open for the next one, and waits until the last of them has committed it.
///
/// `@unchecked Sendable`: `open`, `lock` and `group` are used only by the thread that has the turn, everything else is immutable.
final class SQLiteWriter: @unchecked Sendable {
  /// A `FileLock` in an optional field of a copyable value.
  private final class SharedLock {
    let lock: FileLock
    init(_ lock: consuming FileLock) { self.lock = lock }
  }

  /// A transaction of one writer or several, which is open only while one of them has the turn.
  private final class Group {
    let connection: SQLiteConnection
    let lock: SharedLock
    let activity: ExpiringActivity?
    /// The number of writers whose changes it contains.
    var members = 0
    var isCommitted = false
    private let outcome = Lock<Result<Void, StorageProblem>?>(nil)
    private let isClosed = DispatchGroup()
    private let changesBefore: Int

    /// A Boolean value that indicates whether the transaction has changed rows.
    var hasChanges: Bool { connection.changedRows != changesBefore }

    init(_ connection: SQLiteConnection, _ lock: SharedLock, _ activity: ExpiringActivity?) {
      self.connection = connection
      self.lock = lock
      self.activity = activity
      changesBefore = connection.changedRows
      isClosed.enter()
    }

    func close(_ result: Result<Void, StorageProblem>) {
      outcome.withLock { $0 = result }
      isClosed.leave()
    }

    /// Waits until another writer has committed the transaction, which takes one wait for the disk.
    func committed() -> Result<Void, StorageProblem> {
      isClosed.wait()
      return outcome.withLock { $0 } ?? .failure(.busy)
    }
  }

  private let files: SQLiteFiles
  private let turns = ThreadTurns()
  private var open: SQLiteConnection?
  /// `nil` until the first write.
  private var lock: SharedLock?
  private var group: Group?
  /// The checkpoints that are about to be made: of a long log, and of a short one.
  private let tidying = Lock<Set<Bool>>([])

  /// The most writers of one commit.
  private static let mostMembers = 64

  init(_ files: SQLiteFiles) { self.files = files }

  // MARK: Writing

  /// Runs `body` in a transaction that excludes all other writers, and commits unless `body` throws.
  ///
  /// - Parameters:
  ///   - end: The end of waits for other writers; `nil` if the call must not wait.
  ///   - isOneStatement: True if `body` runs only one statement, which needs no transaction around it.
  func write<Result: Sendable>(
    until end: ContinuousClock.Instant?, isOneStatement: Bool = false,
    _ body: (SQLiteConnection) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result {
    try files.checkProcess()
    if files.durability == .powerLoss {
      // The commit waits for the disk.
      guard end != nil else { throw .busy }
      // If a shared commit fails, it may be because of what another writer changed.
      if let result = try writeTogether(until: end, body) { return result }
    }
    return try writeAlone(until: end, isOneStatement: isOneStatement, body)
  }

  /// Writes in a transaction of this writer alone.
  private func writeAlone<Result>(
    until end: ContinuousClock.Instant?, isOneStatement: Bool,
    _ body: (SQLiteConnection) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result {
    try turns.take(until: end)
    defer { turns.end() }
    if let group { close(group) }
    guard let (connection, lock, activity) = try locked(until: end, isBrief: isOneStatement) else { throw .busy }
    defer { finish(connection, lock, activity) }
    let result: Result
    do throws(StorageProblem) {
      result = try isOneStatement ? body(connection) : connection.transaction("BEGIN IMMEDIATE", body)
      if files.durability == .powerLoss { try connection.flushLog() }
    } catch {
      rollBack(connection)
      throw error
    }
    return result
  }

  /// Writes in a transaction that it may share with other writers. Returns `nil` if the commit failed, and was shared.
  private func writeTogether<Result: Sendable>(
    until end: ContinuousClock.Instant?, _ body: (SQLiteConnection) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result? {
    try turns.take(until: end)
    let group: Group
    do throws(StorageProblem) { group = try joined(until: end) } catch {
      turns.end()
      throw error
    }
    let result: Result
    do throws(StorageProblem) { result = try change(in: group, body) } catch {
      _ = endTurn(in: group, mayShare: group.members > 0)
      throw error
    }
    group.members += 1
    let isShared = endTurn(in: group, mayShare: true) || group.members > 1
    do throws(StorageProblem) { try group.committed().get() } catch {
      // What is committed must not be written again.
      if isShared, !group.isCommitted { return nil }
      throw error
    }
    return result
  }

  /// Ends the turn of this thread: the next writer joins the transaction, or else it is committed and this returns false.
  private func endTurn(in group: Group, mayShare: Bool) -> Bool {
    let isOpen = group.connection.isInTransaction
    if mayShare, isOpen, group.members < Self.mostMembers, turns.handOver() { return true }
    close(group)
    turns.end()
    return false
  }

  /// Returns the open transaction, or a new one.
  private func joined(until end: ContinuousClock.Instant?) throws(StorageProblem) -> Group {
    if let group { return group }
    guard let (connection, lock, activity) = try locked(until: end) else { throw .busy }
    do throws(StorageProblem) { try connection.run("BEGIN IMMEDIATE") } catch {
      finish(connection, lock, activity)
      throw error
    }
    let begun = Group(connection, lock, activity)
    group = begun
    return begun
  }

  private func change<Result>(
    in group: Group, _ body: (SQLiteConnection) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result {
    let connection = group.connection
    // The first one is undone with the transaction.
    if group.members == 0 { return try body(connection) }
    return try connection.undoneIfThrown { () throws(StorageProblem) in try body(connection) }
  }

  /// Takes the lock that the writers and checkpoints of all processes share, and returns it with the connection to use; `nil`
  /// if there is no database, and none is to be created.
  private func locked(
    creating: Bool = true, until end: ContinuousClock.Instant?, isBrief: Bool = false
  ) throws(StorageProblem) -> (SQLiteConnection, SharedLock, ExpiringActivity?)? {
    // The file may be replaced until the lock is held: then all is opened anew.
    for _ in 0..<3 {
      guard let connection = try connected(creating: creating, until: end),
        let lock = try lock(creating: creating, until: end)
      else { return nil }
      let activity = try lock.lock.take(until: end, isBrief: isBrief)
      do throws(StorageProblem) {
        if try lock.lock.isInPlace, !connection.hasMoved {
          // Both would wait for the disk.
          if end == nil, connection.beginsLogWithNextCommit || connection.pagesInLog >= mostPages { throw .busy }
          connection.wait(until: end)
          connection.activity = activity
          return (connection, lock, activity)
        }
        lock.lock.release(activity)
      } catch {
        lock.lock.release(activity)
        throw error
      }
      open = nil
      self.lock = nil
    }
    throw .busy
  }

  /// Commits a transaction, or rolls it back if it has no changes.
  private func close(_ group: Group) {
    self.group = nil
    let connection = group.connection
    let result: Result<Void, StorageProblem>
    do throws(StorageProblem) {
      // A change that failed may have rolled back all of them.
      guard connection.isInTransaction else { throw .busy }
      if group.members > 0 {
        let hasChanges = group.hasChanges
        if hasChanges { connection.extendLog() }
        try connection.run("COMMIT")
        group.isCommitted = true
        if hasChanges { try connection.flushLog() }
      } else {
        rollBack(connection)
      }
      result = .success(())
    } catch {
      rollBack(connection)
      result = .failure(error)
    }
    finish(connection, group.lock, group.activity)
    group.close(result)
  }

  /// Gives the lock back after a transaction, and starts a checkpoint: at once if the log is long.
  private func finish(_ connection: SQLiteConnection, _ lock: SharedLock, _ activity: ExpiringActivity?) {
    connection.activity = nil
    let pages = connection.pagesInLog
    // The commit is made, whatever becomes of the checkpoint; the next write asks again.
    if pages >= mostPages { do throws(StorageProblem) { try connection.checkpoint(truncating: false) } catch {} }
    lock.lock.release(activity)
    if pages > 0 { tidyLater(isLong: pages >= Self.pagesBeforeCheckpoint) }
  }

  private func rollBack(_ connection: SQLiteConnection) {
    connection.attachment = nil
    guard connection.isInTransaction else { return }
    // A connection that cannot even roll back is closed, which does it.
    do throws(StorageProblem) { try connection.execute("ROLLBACK") } catch { open = nil }
  }

  // MARK: Connections, with the turn

  private func connected(
    creating: Bool, until end: ContinuousClock.Instant?
  ) throws(StorageProblem) -> SQLiteConnection? {
    if let open, !open.hasFailed { return open }
    let connection = try files.open(creating: creating, until: end)
    // A process that was killed may have left a commit in a log that is not on the disk. A write that finds nothing to change
    // would not sync it.
    if files.durability == .powerLoss { try connection?.syncLog() }
    open = connection
    // The folder may be another one.
    lock = nil
    #if os(Linux)
      // It may be to another file than that of the readers.
      SQLiteLogHeader.lookAgain()
    #endif
    return connection
  }

  /// Returns the lock that the writers and checkpoints of all processes share. Whether its file, and that of the connection,
  /// are still in place is examined once it is held.
  private func lock(creating: Bool, until end: ContinuousClock.Instant?) throws(StorageProblem) -> SharedLock? {
    if let lock { return lock }
    guard end != nil else { throw .busy }
    let name = files.location.name
    let location = files.location.folder
    guard creating || FileStamp(path: location.path) != nil else { return nil }
    let made = SharedLock(try FileLock(in: try location.openForWriting(lock: name), named: name))
    lock = made
    return made
  }

  // MARK: Checkpoints

  /// 4 MB with SQLite's pages: its own measure.
  private static let pagesBeforeCheckpoint = 1_000

  /// The pages at which a writer makes a checkpoint itself. It waits for the disk, which a write that survives only a
  /// killed process promises not to do: that leaves it to another thread, until it outruns that by far.
  private var mostPages: Int {
    files.durability == .powerLoss ? Self.pagesBeforeCheckpoint : 4 * Self.pagesBeforeCheckpoint
  }

  /// Moves what is in the write-ahead log into the database, if there is one.
  func checkpoint(truncating: Bool, patience: Duration? = nil) throws(StorageProblem) {
    try alone(patience) { (connection) throws(StorageProblem) in try connection.checkpoint(truncating: truncating) }
  }

  /// Runs `body` while no writer of any process has a transaction, if there is a database.
  ///
  /// - Parameter patience: The longest wait for them, if it is shorter than that of the database.
  func alone(
    _ patience: Duration? = nil, _ body: (SQLiteConnection) throws(StorageProblem) -> Void
  ) throws(StorageProblem) {
    try files.checkProcess()
    guard let end = CallDeadline.endOfWait(of: patience ?? files.patience) else { throw .busy }
    try turns.take(until: end)
    defer { turns.end() }
    if let group { close(group) }
    // A database that was deleted is not created again.
    guard let (connection, lock, activity) = try locked(creating: false, until: end) else { return }
    defer {
      connection.activity = nil
      lock.lock.release(activity)
    }
    try body(connection)
  }

  /// The time after which a short log is copied too. What is only in the log is lost with it.
  private static let idleTime = DispatchTimeInterval.seconds(3)

  private func tidyLater(isLong: Bool) {
    guard tidying.withLock({ $0.insert(isLong).inserted }) else { return }
    let tidy = { @Sendable [weak self] in
      guard let self else { return }
      _ = tidying.withLock { $0.remove(isLong) }
      // If it fails, the next write asks again.
      do throws(StorageProblem) { try checkpoint(truncating: false) } catch {}
    }
    if isLong { return BlockingExecutor.shared.start(tidy) }
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.idleTime) {
      BlockingExecutor.shared.start(tidy)
    }
  }

  /// Releases the memory of the connection, unless a thread uses it.
  func releaseMemory() {
    do throws(StorageProblem) { try turns.take(until: nil) } catch { return }
    open?.releaseMemory()
    turns.end()
  }
}
