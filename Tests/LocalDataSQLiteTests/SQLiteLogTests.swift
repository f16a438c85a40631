@testable import LocalDataSQLite
import LocalDataSystem
#if os(Linux)
  import Foundation
  import LocalDataTesting
  import RuntimeTestSupport
  import Testing

  /// What is only in the write-ahead log.
  struct SQLiteLogTests {
    private let fixture: StoreFixture
    private let location: FileLocation
    private static let end = ContinuousClock.now + .seconds(600)

    init() throws {
      fixture = try StoreFixture()
      location = try fixture.locations.preferences(suite: nil)
    }

    private func database(_ location: FileLocation, table: String = "t") -> SQLiteDatabase {
      let schema = SQLiteSchema(required: ["CREATE TABLE \(table) (x INTEGER NOT NULL PRIMARY KEY)"])
      return .shared(at: location, .powerLoss, schema: schema, patience: .seconds(60))
    }

    private func count(_ database: SQLiteDatabase) throws -> Int64? {
      try database.read { (connection) throws(StorageProblem) in
        try connection.first("SELECT count(*) FROM t") { $0.integer(0) } ?? 0
      }
    }

    /// Returns the place of a copy of the files, as they are while the database is open, with a row in the log.
    private func copied(_ change: (inout Data) -> Void) throws -> FileLocation {
      let database = database(location)
      _ = try database.write { (connection) throws(StorageProblem) in try connection.run("INSERT INTO t VALUES (1)") }
      let copy = FileLocation(folder: location.folder, name: "copy.db")
      try FileManager.default.copyItem(atPath: location.path, toPath: copy.path)
      var log = try Data(contentsOf: URL(fileURLWithPath: location.path + "-wal"))
      change(&log)
      try log.write(to: URL(fileURLWithPath: copy.path + "-wal"))
      return copy
    }

    private func files(_ location: FileLocation) throws -> [Data] {
      try ["", "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: location.path + $0)) }
    }

    /// SQLite takes such a log for an empty one, and overwrites it.
    @Test(arguments: [0, 3, 6, 10, 12, 17, 21, 25, 31]) func aLogWithAnotherHeaderIsDamage(_ byte: Int) throws {
      let copy = try copied { $0[byte] ^= 1 }
      let before = try files(copy)
      for _ in 0..<2 {
        let database = database(copy)
        #expect(throws: StorageProblem.databaseDamaged) { try count(database) }
        #expect(throws: StorageProblem.databaseDamaged) {
          _ = try database.write { (connection) throws(StorageProblem) in try connection.run("INSERT INTO t VALUES (2)")
          }
        }
      }
      #expect(try files(copy) == before)
    }

    @Test(arguments: [(32, false, 1), (40_000, true, 0), (1, false, 0)])
    func aLogThatWasNotWrittenIsEmpty(_ size: Int, _ isEmpty: Bool, _ rows: Int64) throws {
      let copy = try copied { log in
        if isEmpty { log = Data(count: size) } else if size < 32 { log = log.prefix(size) }
      }
      #expect(try count(database(copy)) == rows)
    }

    /// Its first page has other tables.
    @Test func theLogOfAnotherDatabaseIsNotCopiedIn() throws {
      let (other, copy) = (FileLocation(folder: location.folder, name: "other.db"), try copied { _ in })
      let database = database(other, table: "u")
      _ = try database.write { (connection) throws(StorageProblem) in try connection.run("INSERT INTO u VALUES (1)") }
      let writer = try SQLiteConnection(path: other.path, isDurable: true, until: Self.end, kind: .draft)
      for version in [2, 1] { try writer.execute("PRAGMA user_version = \(version)") }
      try FileManager.default.removeItem(atPath: copy.path + "-wal")
      try FileManager.default.copyItem(atPath: other.path + "-wal", toPath: copy.path + "-wal")
      let before = try files(copy)
      #expect(throws: StorageProblem.databaseDamaged) { try count(self.database(copy)) }
      #expect(try files(copy) == before)
      for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: copy.path + suffix) }
      #expect(try count(self.database(copy)) == 0)
    }

    @Test func aShortLogIsCopiedIntoTheDatabase() throws {
      let database = database(location)
      _ = try database.write { (connection) throws(StorageProblem) in try connection.run("INSERT INTO t VALUES (1)") }
      var counts: [Int64?] = []
      for number in 0..<600 where counts.last != 1 {
        usleep(100_000)
        let copy = FileLocation(folder: location.folder, name: "copy\(number).db")
        try FileManager.default.copyItem(atPath: location.path, toPath: copy.path)
        counts.append(try count(self.database(copy)))
      }
      #expect(counts.first == 0 && counts.last == 1)
      #expect(try count(database) == 1)
    }
  }
#endif
