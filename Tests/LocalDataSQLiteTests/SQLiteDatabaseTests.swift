@testable import LocalDataSQLite
import LocalDataSystem
#if os(Linux)
  import Foundation
  import LocalDataTesting
  import RuntimeTestSupport
  import Testing

  /// Readers and writers of one database in one process.
  @Suite struct SQLiteDatabaseTests {
    private let fixture: StoreFixture
    private let location: FileLocation

    init() throws {
      fixture = try StoreFixture()
      location = try fixture.locations.preferences(suite: nil)
    }

    private func database(_ durability: SQLiteDatabase.Durability) -> SQLiteDatabase {
      .shared(
        at: location, durability, schema: SQLiteSchema(required: ["CREATE TABLE t (x INTEGER NOT NULL PRIMARY KEY)"]),
        patience: .seconds(60))
    }

    private func insert(_ number: Int, _ connection: SQLiteConnection) throws(StorageProblem) {
      try connection.run("INSERT INTO t VALUES (?)", [.integer(Int64(number))])
    }

    private func numbers(_ database: SQLiteDatabase) throws -> [Int64] {
      try database.read { (connection) throws(StorageProblem) in
        var numbers: [Int64] = []
        try connection.rows("SELECT x FROM t ORDER BY x") { (row) in
          numbers.append(row.integer(0))
          return true
        }
        return numbers
      } ?? []
    }

    @Test(arguments: [SQLiteDatabase.Durability.killedProcess, .powerLoss])
    func aReaderDoesNotWaitForAWriter(_ durability: SQLiteDatabase.Durability) throws {
      let database = database(durability)
      try database.write { (connection) throws(StorageProblem) in try insert(1, connection) }
      #expect(try numbers(database) == [1])
      let (entered, read) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let written = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        do {
          try database.write { (connection) throws(StorageProblem) in
            try self.insert(2, connection)
            entered.signal()
            read.wait()
          }
        } catch { Issue.record(error) }
        written.signal()
      }
      entered.wait()
      #expect(try numbers(database) == [1])
      // Nor does one that may not wait, once a connection is open.
      let count = try CallDeadline.withoutWaiting { () throws(StorageProblem) in
        try database.read { (connection) throws(StorageProblem) in
          try connection.first("SELECT count(*) FROM t") { $0.integer(0) }
        }
      }
      #expect(count == 1)
      try database.makeDurable()
      #expect(throws: StorageProblem.busy) {
        try CallDeadline.withoutWaiting { () throws(StorageProblem) in
          try database.write { (connection) throws(StorageProblem) in try self.insert(3, connection) }
        }
      }
      read.signal()
      written.wait()
      #expect(try numbers(database) == [1, 2])
    }

    /// Writers that share a commit keep their own outcomes: what one of them throws undoes its change alone.
    @Test(arguments: [false, true]) func aWriterThatFailsUndoesItsChangeAlone(_ rollsBackAll: Bool) throws {
      let database = database(.powerLoss)
      try database.write { (connection) throws(StorageProblem) in try insert(0, connection) }
      onThreads(16) { thread in
        do throws(StorageProblem) {
          try database.write { (connection) throws(StorageProblem) in
            // The others queue meanwhile.
            usleep(2_000)
            try insert(thread + 1, connection)
            guard thread % 4 == 0 else { return }
            // As SQLite does when a disk is full.
            if rollsBackAll { try connection.run("ROLLBACK") }
            throw .outOfSpace
          }
          #expect(thread % 4 != 0)
        } catch {
          #expect(error == .outOfSpace && thread % 4 == 0, "\(thread): \(error)")
        }
      }
      #expect(try numbers(database) == [0] + (1...16).filter { ($0 - 1) % 4 != 0 })
      try database.write { (connection) throws(StorageProblem) in try insert(17, connection) }
      #expect(try numbers(database).last == 17)
    }

    /// A call that may not wait also leaves the syncs to others that SQLite does when a log begins anew.
    @Test func aLogThatBeginsAnewIsLeftToCallsThatMayWait() throws {
      let database = database(.killedProcess)
      for number in 0..<2 {
        try database.write { (connection) throws(StorageProblem) in try insert(number, connection) }
      }
      try CallDeadline.withoutWaiting { () throws(StorageProblem) in
        try database.write { (connection) throws(StorageProblem) in try insert(2, connection) }
      }
      try database.emptyLog()
      #expect(throws: StorageProblem.busy) {
        try CallDeadline.withoutWaiting { () throws(StorageProblem) in
          try database.write { (connection) throws(StorageProblem) in try insert(3, connection) }
        }
      }
      try database.write { (connection) throws(StorageProblem) in try insert(3, connection) }
      try CallDeadline.withoutWaiting { () throws(StorageProblem) in
        try database.write { (connection) throws(StorageProblem) in try insert(4, connection) }
      }
      #expect(try numbers(database) == [0, 1, 2, 3, 4])
    }

    /// A commit that makes its file longer waits longer for the disk.
    @Test func mostCommitsDoNotMakeTheLogLonger() throws {
      let database = database(.powerLoss)
      let log = location.path + "-wal"
      var sizes: [Int] = []
      for number in 0..<64 {
        try database.write { (connection) throws(StorageProblem) in try insert(number, connection) }
        let size = try FileManager.default.attributesOfItem(atPath: log)[.size]
        sizes.append(try #require(size as? Int))
      }
      // Each commit adds a page of 4 KiB: 64 commits have room in five times 64 KiB.
      #expect(Set(sizes).count <= 6, "\(sizes)")

      // What a process that opens the files after a loss of power finds.
      let copy = fixture.path("copy.db")
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: location.path + suffix, toPath: copy + suffix)
      }
      let connection = try SQLiteConnection(path: copy, isDurable: true, until: ContinuousClock.now + .seconds(60))
      let (count, last) = try #require(
        try connection.first("SELECT count(*), max(x) FROM t") { ($0.integer(0), $0.integer(1)) })
      #expect(count == 64 && last == 63)
    }

    /// SQLite would otherwise take the name of a column that does not exist for a text.
    @Test(arguments: [
      #"SELECT "no column" FROM t"#, #"UPDATE t SET x = 1 WHERE "no column" = 'no column'"#,
      #"CREATE INDEX i ON t ("no column")"#, #"CREATE TABLE u (x TEXT CHECK (x <> "no column"))"#,
    ])
    func aNameInDoubleQuotesIsNeverAText(_ sql: String) throws {
      #expect(throws: StorageProblem.databaseDamaged) {
        try database(.killedProcess).write { (connection) throws(StorageProblem) in try connection.run(sql) }
      }
    }

    /// Another thread may run a checkpoint after the app has deleted the database.
    @Test(arguments: ["data/preferences/standard.db", "data"])
    func aLateCheckpointCreatesNothing(_ deleted: String) throws {
      let writer = SQLiteWriter(
        SQLiteFiles(
          durability: .killedProcess, patience: .seconds(60),
          creation: SQLiteCreation(
            location: location, schema: SQLiteSchema(required: ["CREATE TABLE t (x INTEGER)"]))))
      try writer.write(until: ContinuousClock.now + .seconds(60)) { (connection) throws(StorageProblem) in
        try insert(1, connection)
      }
      try FileManager.default.removeItem(atPath: fixture.path(deleted))
      try writer.checkpoint(truncating: false)
      try writer.checkpoint(truncating: true)
      #expect(!FileManager.default.fileExists(atPath: fixture.path(deleted)))
    }
  }
#endif
