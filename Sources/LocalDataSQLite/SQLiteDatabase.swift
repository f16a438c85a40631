#if canImport(Darwin)
  import Dispatch
#endif
import LocalDataFoundation
package import LocalDataSystem

/// A database file. All users in this process share one object, and other processes may use the file too.
///
/// ```swift
/// let schema = SQLiteSchema(required: ["CREATE TABLE item (…)"])
/// let database = SQLiteDatabase.shared(at: location, .powerLoss, schema: schema)
/// try database.write { connection throws(StorageProblem) in
///   try connection.run("INSERT INTO item VALUES (?, ?)", [.text(name), .blob(bytes)])
/// }
/// ```
///
/// Nothing is created before the first write. A new database is completed under another name and renamed, so that no process
/// opens an incomplete one. An empty file is damaged. Closures must not call the database again.
///
/// Readers have connections of their own, and wait neither for a writer nor for the disk that a writer waits for.
package final class SQLiteDatabase: Sendable {
  /// The events that a committed write survives.
  package enum Durability: Sendable {
    /// A killed process: a commit costs no wait for the disk.
    case killedProcess
    /// A loss of power too.
    case powerLoss
  }

  package let files: SQLiteFiles
  let readers = SQLiteReaders()
  private let deferredWriter: Deferred<SQLiteWriter>
  private var writer: SQLiteWriter { deferredWriter.value }
  /// A Boolean value that indicates whether the connections were opened that later calls need.
  private let isReady = Lock(false)
  #if os(Linux)
    let knownHeader = Lock<SQLiteLogHeader?>(nil)
  #endif

  private init(_ durability: Durability, _ creation: SQLiteCreation, _ patience: Duration) {
    let files = SQLiteFiles(durability: durability, patience: patience, creation: creation)
    self.files = files
    deferredWriter = Deferred { SQLiteWriter(files) }
  }

  // MARK: One object a file

  private struct Weak {
    weak var database: SQLiteDatabase?
  }

  private static let registry = Lock<[String: Weak]>([:])

  #if canImport(Darwin)
    // Dispatch's objects may be used on any thread, but the type is not declared Sendable. It is set up once, and then only kept.
    nonisolated(unsafe) private static let memoryPressure: any DispatchSourceMemoryPressure = {
      let source = DispatchSource.makeMemoryPressureSource(
        eventMask: [.warning, .critical], queue: .global(qos: .utility))
      source.setEventHandler {
        for database in registry.withLock({ $0.values.compactMap(\.database) }) { database.releaseMemory() }
      }
      source.resume()
      return source
    }()
  #endif

  /// Returns the database at a location, which is one object for each file. The schema is created with the file. Later, a file
  /// with another schema is damaged.
  package static func shared(
    at location: FileLocation, _ durability: Durability, schema: SQLiteSchema, patience: Duration = .seconds(10)
  ) -> SQLiteDatabase {
    shared(SQLiteCreation(location: location, schema: schema), durability, patience: patience)
  }

  /// Returns the database that is created in this way, which is one object for each file.
  package static func shared(
    _ creation: SQLiteCreation, _ durability: Durability, patience: Duration
  ) -> SQLiteDatabase {
    #if canImport(Darwin)
      _ = memoryPressure
    #endif
    return registry.withLock { known in
      let path = creation.location.path
      if let database = known[path]?.database { return database }
      let database = SQLiteDatabase(durability, creation, patience)
      known = known.filter { $0.value.database != nil }
      known[path] = Weak(database: database)
      return database
    }
  }

  // MARK: Reading and writing

  /// Returns what `body` reads in one transaction, or `nil` if the file does not exist yet.
  ///
  /// If the call must not wait, it throws ``StorageProblem/busy`` if no connection is free, so that one has to be opened.
  ///
  /// - Parameter isOneStatement: True if `body` runs only one statement, which needs no transaction around it.
  package func read<Result: Sendable>(
    isOneStatement: Bool = false, _ body: (SQLiteConnection) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result? {
    try reading { (connection) throws(StorageProblem) in
      isOneStatement ? try body(connection) : try connection.transaction("BEGIN", body)
    }
  }

  /// Runs `body` in a transaction that excludes the writers of all processes, and commits unless `body` throws.
  ///
  /// Writers that wait for each other in this process share one commit, so that they wait for the disk once. `body` is
  /// then run again if the commit failed.
  ///
  /// If the call must not wait, it throws ``StorageProblem/busy`` before `body` runs if another thread or process writes, if
  /// the database has to be opened, or if the commit would wait for the disk.
  ///
  /// - Parameter isOneStatement: True if `body` runs only one statement, which needs no transaction around it.
  package func write<Result: Sendable>(
    isOneStatement: Bool = false, _ body: (SQLiteConnection) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result {
    let result = try writer.write(until: files.end, isOneStatement: isOneStatement, body)
    makeReady()
    return result
  }

  /// Opens a writer and a reader, if no file can be opened while the device is locked. If that fails now, the next call tries
  /// again.
  private func makeReady() {
    guard files.creation.format.protection.availability == .completeUnlessOpen, !CallDeadline.mustNotWait,
      !isReady.withLock({ $0 })
    else { return }
    isReady.withLock { $0 = true }
    do throws(StorageProblem) {
      try writer.alone(.zero) { _ in }
      _ = try reading { (connection) throws(StorageProblem) in try connection.flushLog() }
    } catch { isReady.withLock { $0 = false } }
  }

  /// Releases memory that can be filled again.
  func releaseMemory() {
    readers.releaseMemory()
    writer.releaseMemory()
  }

  /// Copies the write-ahead log into the database and empties it, so that no deleted value stays in the log.
  ///
  /// Throws ``StorageProblem/busy`` if a reader prevents that for too long.
  ///
  /// - Parameter patience: The longest wait for a reader, if it is shorter than that of the database.
  package func emptyLog(patience: Duration? = nil) throws(StorageProblem) {
    try writer.checkpoint(truncating: true, patience: patience)
  }

  /// Replaces everything in the database by the content of another one, in one commit, and empties the log. Nothing of the former
  /// content stays in the files. Does nothing if there is no database.
  ///
  /// Throws ``StorageProblem/busy`` if a reader keeps the log from being emptied. The content has been replaced then.
  package func replaceContent(by source: SQLiteConnection) throws(StorageProblem) {
    try writer.alone { (connection) throws(StorageProblem) in
      connection.attachment = nil
      try connection.replaceContent(by: source)
      try connection.flushLog()
      try connection.checkpoint(truncating: true)
    }
  }

  /// Gives pages that are not in use back to the file system, and empties the log. Other processes may write between two steps.
  package func giveBackPages() throws(StorageProblem) {
    var isDone: Bool
    repeat {
      isDone = true
      try writer.alone { (connection) throws(StorageProblem) in
        isDone = try connection.giveBackPages()
        try connection.checkpoint(truncating: true)
      }
    } while !isDone
  }

  /// Waits until no transaction is being written, by any process.
  ///
  /// The pages of a commit are in the log before other connections can read them.
  package func waitForWriters() throws(StorageProblem) { try writer.alone { _ in } }

  /// Waits until everything committed so far, by any process, is on the disk.
  ///
  /// No lock: a checkpoint elsewhere syncs the log before it copies from it, and the database before the log is written from
  /// its beginning again, so that at each moment every page that is not in the log is on the disk.
  package func makeDurable() throws(StorageProblem) {
    try CallDeadline.requireWaiting()
    _ = try reading { (connection) throws(StorageProblem) in try connection.syncLog() }
  }

  private func reading<Result>(
    _ body: (SQLiteConnection) throws(StorageProblem) -> Result
  ) throws(StorageProblem) -> Result? {
    let end = files.end
    let found = if let free = readers.take() { free } else { try files.openForReading(until: end) }
    guard let connection = found else { return nil }
    guard connection.isOfThisProcess else { throw .forkedProcess }
    connection.wait(until: end)
    let result: Result
    do throws(StorageProblem) { result = try body(connection) } catch {
      // A connection whose statement failed is not used again.
      if error == .locked { readers.keepLocked(connection) }
      throw error
    }
    readers.giveBack(connection)
    makeReady()
    return result
  }
}

/// The connections that read a database while another one writes to it.
///
/// A reader takes one and returns it. A connection to a file that is no longer the database is closed.
struct SQLiteReaders: Sendable {
  /// `@unchecked Sendable`: the pool owns the connection, or else the one reader that has taken it out.
  private struct Idle: @unchecked Sendable {
    let connection: SQLiteConnection
  }

  /// More readers than this at the same time are rare. Their connections are closed again.
  private static let mostIdle = 4

  private let idle = Lock<[Idle]>([])
  /// The connections that failed because the device is locked. They are closed after the next success: closing the last connection
  /// would copy the log, which cannot be read until then.
  private let locked = Lock<[Idle]>([])

  /// Returns a connection that no other thread uses, or `nil` if one has to be opened.
  func take() -> SQLiteConnection? {
    while let connection = idle.withLock({ $0.popLast() })?.connection {
      if !connection.hasMoved { return connection }
    }
    return nil
  }

  func keepLocked(_ connection: SQLiteConnection) {
    let idling = Idle(connection: connection)
    locked.withLock { $0.append(idling) }
  }

  /// Releases the memory of the connections that no reader uses. They stay open: none may be opened while the device is locked.
  func releaseMemory() { idle.withLock { for idling in $0 { idling.connection.releaseMemory() } } }

  func giveBack(_ connection: SQLiteConnection) {
    locked.withLock { $0 = [] }
    // It would not see the change if the folder can be written to again.
    if connection.kind == .unchanging { return }
    let idling = Idle(connection: connection)
    idle.withLock { if $0.count < Self.mostIdle { $0.append(idling) } }
  }
}

/// The files of a database, and the settings of connections to them.
package struct SQLiteFiles: Sendable {
  package var location: FileLocation { creation.location }
  let durability: SQLiteDatabase.Durability
  let patience: Duration
  let creation: SQLiteCreation
  /// The process that has opened the database first.
  private let process = Lock<pid_t?>(nil)

  /// Throws ``StorageProblem/forkedProcess`` in a process that was forked after the database was opened. SQLite believes
  /// there that it still has the locks of the parent, also for connections that it opens anew.
  func checkProcess() throws(StorageProblem) {
    guard process.withLock({ $0 == nil || $0 == getpid() }) else { throw .forkedProcess }
  }

  /// The end of a wait that begins now; `nil` if the current call must not wait.
  package var end: ContinuousClock.Instant? { CallDeadline.endOfWait(of: patience) }

  /// Opens the database, or returns `nil` if it does not exist and is not to be created.
  ///
  /// - Parameter end: The end of waits for other processes; `nil` if the call must not wait. Then it throws
  ///   ``StorageProblem/busy``.
  func open(
    creating: Bool, until end: ContinuousClock.Instant?, _ kind: SQLiteConnection.Kind = .ordinary
  ) throws(StorageProblem) -> SQLiteConnection? {
    try checkProcess()
    guard let end else { throw .busy }
    if try !creation.isComplete() {
      guard creating else { return nil }
      try creation.run(patience: end - ContinuousClock.now)
    }
    process.withLock { $0 = getpid() }
    // The folder of a keystore stays: a key file that was exposed in it is not used.
    let names = ["", "-wal", "-shm"].map { location.name + $0 } + (creation.format.hasOwnFolder ? ["."] : [])
    try location.folder.open(creating: false)?.makePrivate(names)
    let connection = try SQLiteConnection(
      path: location.path, isDurable: durability == .powerLoss, until: end, kind: kind, format: creation.format)
    try creation.check(connection)
    #if canImport(Darwin)
      // SQLite creates a log without the flag, and an earlier release may have declared another one.
      for path in [location.path, location.path + "-wal"] where kind == .ordinary && FileStamp(path: path) != nil {
        try creation.format.protection.setInBackup(path)
      }
    #endif
    return connection
  }

  /// Opens the database for a reader, or returns `nil` if it does not exist.
  ///
  /// A connection needs the index of the log, a file beside the database. If the process may not create it, and there is no log,
  /// the file is read as it is.
  func openForReading(until end: ContinuousClock.Instant?) throws(StorageProblem) -> SQLiteConnection? {
    do throws(StorageProblem) { return try open(creating: false, until: end) } catch {
      let log = try location.folder.open(creating: false)?.status(of: location.name + "-wal")
      guard error == .accessDenied, log?.st_size ?? 0 == 0 else { throw error }
      return try open(creating: false, until: end, .unchanging)
    }
  }
}
