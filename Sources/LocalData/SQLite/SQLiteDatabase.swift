#if os(Linux)
  import Dispatch
  import Foundation
  import Synchronization

  /// A database file. All users in this process share one object, and other processes may use the file too.
  ///
  /// ```swift
  /// let database = SQLiteDatabase.shared(at: location, .powerLoss, schema: ["CREATE TABLE item (…)"])
  /// try database.write { connection throws(StorageFault) in
  ///   try connection.run("INSERT INTO item VALUES (?, ?)", [.text(name), .blob(bytes)])
  /// }
  /// ```
  ///
  /// Nothing is created before the first write. A new database is completed under another name and renamed, so that
  /// no process sees an incomplete one. An empty file is damaged. Closures must not call the database again.
  ///
  /// `@unchecked Sendable`: `open` is touched with `mutex` held alone, everything else is immutable.
  package final class SQLiteDatabase: @unchecked Sendable {
    /// The events that a committed write survives.
    package enum Durability: Sendable {
      /// A killed process: a commit costs no wait for the disk.
      case killedProcess
      /// A loss of power too.
      case powerLoss
    }

    private struct Open {
      let connection: SQLiteConnection
      /// `nil` until the first write.
      var lock: SharedLock?
    }

    /// A `FileLock` that can lie in an optional field of a copyable value.
    private final class SharedLock {
      let lock: FileLock
      init(_ lock: consuming FileLock) { self.lock = lock }
    }

    let location: FileLocation
    private let durability: Durability
    private let creation: SQLiteCreation
    private let patience: Duration
    private let mutex = Mutex<Void>(())
    private var open: Open?

    private init(_ location: FileLocation, _ durability: Durability, _ schema: [String], _ patience: Duration) {
      self.location = location
      self.durability = durability
      self.patience = patience
      creation = SQLiteCreation(location: location, schema: schema)
    }

    // MARK: One object a file

    private struct Weak {
      weak var database: SQLiteDatabase?
    }

    private static let registry = Lock<[String: Weak]>([:])

    /// Returns the database at a location, which is one object for each file. `schema` runs once, when the file is created.
    package static func shared(
      at location: FileLocation, _ durability: Durability, schema: [String], patience: Duration = .seconds(10)
    ) -> SQLiteDatabase {
      registry.withLock { known in
        if let database = known[location.path]?.database { return database }
        let database = SQLiteDatabase(location, durability, schema, patience)
        known = known.filter { $0.value.database != nil }
        known[location.path] = Weak(database: database)
        return database
      }
    }

    // MARK: Reading and writing

    /// Returns what `body` reads in one transaction, or `nil` if the file does not exist yet.
    ///
    /// If the call may not wait, it throws ``StorageFault/busy`` if another thread uses the database, or if the database
    /// has to be opened.
    package func read<Result: Sendable>(
      mayWait: Bool = true, _ body: (SQLiteConnection) throws(StorageFault) -> Result
    ) throws(StorageFault) -> Result? {
      try alone(mayWait) { () throws(StorageFault) -> Result? in
        guard let connection = try connected(creating: false) else { return nil }
        return try transaction("BEGIN", on: connection, body)
      }
    }

    /// Runs `body` in a transaction that excludes the writers of all processes, and commits unless `body` throws.
    ///
    /// If the call may not wait, it throws ``StorageFault/busy`` before `body` runs if another thread or process uses the
    /// database, or if the database has to be opened.
    package func write<Result: Sendable>(
      mayWait: Bool = true, _ body: (SQLiteConnection) throws(StorageFault) -> Result
    ) throws(StorageFault) -> Result {
      let (result, pages) = try alone(mayWait) { () throws(StorageFault) -> (Result, Int) in
        try locked(patience: mayWait ? patience : .zero) { (connection) throws(StorageFault) in
          let result = try transaction("BEGIN IMMEDIATE", on: connection, body)
          if connection.pagesInLog >= mostPages { tidy(connection) }
          return (result, connection.pagesInLog)
        }
      }
      if pages >= Self.pagesBeforeCheckpoint {
        DispatchQueue.global(qos: .utility).async { [weak self] in self?.tidyLater() }
      }
      return result
    }

    /// Empties the write-ahead log into the database, so that nothing deleted stays in it.
    ///
    /// Throws ``StorageFault/busy`` if a reader in another process prevents that.
    package func emptyLog() throws(StorageFault) {
      try mutex.withLock { (_) throws(StorageFault) in
        guard try connected(creating: false) != nil else { return }
        try locked(patience: patience) { (connection) throws(StorageFault) in
          try connection.checkpoint(truncating: true)
        }
      }
    }

    /// Waits until no transaction is being written, by any process.
    ///
    /// The pages of a commit are in the log before other connections can see them.
    package func waitForWriters() throws(StorageFault) {
      try mutex.withLock { (_) throws(StorageFault) in
        guard try connected(creating: false) != nil else { return }
        try locked(patience: patience) { _ in }
      }
    }

    /// Waits until everything committed so far, by any process, is on the disk.
    ///
    /// No lock but the mutex: a checkpoint elsewhere syncs the log before it copies from it, and the database before the
    /// log is written from its beginning again, so that at each moment what is not in the log is on the disk.
    package func makeDurable() throws(StorageFault) {
      try mutex.withLock { (_) throws(StorageFault) in try connected(creating: false)?.syncLog() }
    }

    /// 4 MB with SQLite's pages: its own measure.
    private static let pagesBeforeCheckpoint = 1_000

    /// The pages at which a writer makes a checkpoint itself. It waits for the disk, which a write that survives only a
    /// killed process promises not to do: that leaves it to another thread, until it outruns that by far.
    private var mostPages: Int {
      durability == .powerLoss ? Self.pagesBeforeCheckpoint : 4 * Self.pagesBeforeCheckpoint
    }

    private func tidyLater() {
      mutex.withLock { _ in
        // Whatever keeps it from that now, the next write asks again.
        do throws(StorageFault) {
          try locked(patience: patience) { (connection) throws(StorageFault) in tidy(connection) }
        } catch {}
      }
    }

    private func tidy(_ connection: SQLiteConnection) {
      // The commit stands, whatever becomes of the checkpoint; the next write asks again.
      do throws(StorageFault) { try connection.checkpoint(truncating: false) } catch {}
    }

    // MARK: With the mutex held

    /// Runs `body` with the mutex held. If the call may not wait, it runs only if the database is open and the mutex free.
    private func alone<Result: Sendable>(
      _ mayWait: Bool, _ body: () throws(StorageFault) -> Result
    ) throws(StorageFault) -> Result {
      if mayWait { return try mutex.withLock { (_) throws(StorageFault) -> Result in try body() } }
      let result = try mutex.withLockIfAvailable { (_) throws(StorageFault) -> Result? in
        open == nil ? nil : try body()
      }
      guard let result = result ?? nil else { throw .busy }
      return result
    }

    /// Runs `body` with the lock of the file held, which writers and checkpoints of all processes share.
    private func locked<Result>(
      patience: Duration, _ body: (SQLiteConnection) throws(StorageFault) -> Result
    ) throws(StorageFault) -> Result {
      // The file may be replaced until the lock is held: then all is opened anew, once.
      for _ in 0..<3 {
        guard let connection = try connected(creating: true) else { continue }
        let lock: SharedLock
        if let known = open?.lock, try known.lock.isInPlace {
          lock = known
        } else {
          let folder = try location.folder.openForWriting(lock: location.name)
          lock = SharedLock(try FileLock(in: folder, named: location.name))
          open?.lock = lock
        }
        let result = try lock.lock.hold(patience: patience) { () throws(StorageFault) -> Result? in
          connection.hasMoved ? nil : try body(connection)
        }
        if let result { return result }
        open = nil
      }
      throw .busy
    }

    private func connected(creating: Bool) throws(StorageFault) -> SQLiteConnection? {
      if let connection = open?.connection {
        if !connection.hasMoved { return connection }
        open = nil
      }
      if try !creation.isComplete() {
        guard creating else { return nil }
        try creation.run(patience: patience)
      }
      let connection = try SQLiteConnection(
        path: location.path, isDurable: durability == .powerLoss, patience: patience)
      try creation.check(connection)
      open = Open(connection: connection)
      return connection
    }

    private func transaction<Result>(
      _ begin: String, on connection: SQLiteConnection, _ body: (SQLiteConnection) throws(StorageFault) -> Result
    ) throws(StorageFault) -> Result {
      try connection.run(begin)
      do throws(StorageFault) {
        let result = try body(connection)
        try connection.run("COMMIT")
        return result
      } catch {
        if connection.isInTransaction {
          // A connection that cannot even roll back is closed, which does it.
          do throws(StorageFault) { try connection.run("ROLLBACK") } catch { open = nil }
        }
        throw error
      }
    }
  }
#endif
