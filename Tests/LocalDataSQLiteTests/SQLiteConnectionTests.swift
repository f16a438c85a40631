@testable import LocalDataSQLite
@testable import LocalDataSystem
#if os(Linux)
  import Foundation
  import LocalDataTesting
  import RuntimeTestSupport
  import LocalDataFoundation
  import Testing

  /// What connections keep, and when they end.
  struct SQLiteConnectionTests {
    private let fixture: StoreFixture
    private let location: FileLocation

    init() throws {
      fixture = try StoreFixture()
      location = try fixture.locations.preferences(suite: nil)
    }

    private func memory() throws -> SQLiteConnection {
      let connection = try SQLiteConnection(path: ":memory:", isDurable: true, until: nil, kind: .memory)
      try connection.execute("CREATE TABLE t (x INTEGER NOT NULL PRIMARY KEY)")
      return connection
    }

    private func database() -> SQLiteDatabase {
      .shared(
        at: location, .powerLoss, schema: SQLiteSchema(required: ["CREATE TABLE t (x INTEGER NOT NULL PRIMARY KEY)"]),
        patience: .seconds(60))
    }

    private func insert(_ number: Int, _ database: SQLiteDatabase) throws(StorageProblem) {
      _ = try database.write { (connection) throws(StorageProblem) in
        try connection.run("INSERT INTO t VALUES (?)", [.integer(Int64(number))])
      }
    }

    @Test func statementsAreGivenBack() throws {
      let connection = try memory()
      for number in 0..<3 { try connection.run("INSERT INTO t VALUES (?)", [.integer(Int64(number))]) }
      let text = "SELECT x FROM t WHERE x = ? AND x <> "
      for number in 0..<2_000 { try connection.run(text + "\(number)", [.integer(1)]) }
      #expect(connection.statements.keys.reduce(0) { $0 + $1.utf8.count } <= 1 << 16)
      // A statement that is bound, or runs, is kept.
      try connection.run("UPDATE t SET x = ? WHERE x = 2") { (bindings) throws(StorageProblem) in
        for number in 0..<2_000 { try connection.run(text + "-\(number)", [.integer(1)]) }
        bindings.append(Int64(3))
      }
      var visited: [Int64] = []
      try connection.rows("SELECT x FROM t ORDER BY x") { (row) throws(StorageProblem) in
        visited.append(row.integer(0))
        for number in 0..<2_000 { try connection.run(text + "+\(number)", [.integer(1)]) }
        return true
      }
      #expect(visited == [0, 1, 3])
      try connection.run("SELECT 1")
      #expect(connection.statements.count == 1)
    }

    @Test(arguments: [1, 100, 3_000, 5_000]) func boundValuesStayWhileOthersRun(_ length: Int) throws {
      let connection = try memory()
      func text(_ letter: Character) -> String { String(repeating: letter, count: length) }
      func readsAll(_ letters: [Character]) throws(StorageProblem) {
        guard let letter = letters.first else { return }
        var isRead = false
        try connection.rows("SELECT ?, ?, \(letters.count)") { (bindings) throws(StorageProblem) in
          bindings.append(text(letter))
          try connection.run("SELECT ?", [.text(text("x"))])
          bindings.append(SQLiteValue.blob(Data(text(letter).utf8)))
        } _: { (row) throws(StorageProblem) in
          try readsAll(Array(letters.dropFirst()))
          isRead = row.text(0) == text(letter) && row.blob(1) == Data(text(letter).utf8)
          return true
        }
        #expect(isRead)
      }
      try readsAll(["a"])
      try readsAll(["b", "c", "d"])
      #expect(connection.boundCount == 0)
    }

    /// A merge and a repair also work on rows that are not read.
    @Test func aChangeOfTheSchemaReadsRowsOfAnySize() throws {
      let format = SQLiteFormat(applicationID: 1, version: 1, maxLength: 1 << 20)
      let connection = try SQLiteConnection(
        path: ":memory:", isDurable: true, until: nil, kind: .memory, format: format)
      let large = "SELECT length(hex(zeroblob(600000)))"
      try connection.changeSchema { () throws(StorageProblem) in try connection.run(large) }
      #expect(throws: StorageProblem.valueTooLarge(limit: nil)) { () throws(StorageProblem) in try connection.run(large)
      }
      try insert(1, database())
      for kind in [SQLiteConnection.Kind.draft, .damaged] {
        let other = try SQLiteConnection(
          path: location.path, isDurable: true, until: .now + .seconds(60), kind: kind, format: format)
        try other.run(large)
      }
    }

    @Test func everySyncReachesTheDisk() throws {
      for pragma in ["fullfsync", "checkpoint_fullfsync"] {
        #expect(try memory().first("PRAGMA \(pragma)") { $0.integer(0) } == 1)
      }
    }

    @Test(arguments: [true, false]) func aConnectionKeepsFewPages(_ hasForeignKeys: Bool) throws {
      let format = SQLiteFormat(applicationID: 1, version: 1, hasForeignKeys: hasForeignKeys)
      let connection = try SQLiteConnection(
        path: ":memory:", isDurable: true, until: nil, kind: .memory, format: format)
      #expect(try connection.first("PRAGMA cache_size") { $0.integer(0) } == -2_000)
    }

    /// Closing it could not copy the log, which cannot be read while the device is locked.
    @Test(arguments: [StorageProblem.locked, .busy]) func lockedConnectionIsKept(until fault: StorageProblem) throws {
      let database = database()
      try insert(1, database)
      weak var failed: SQLiteConnection?
      #expect(throws: fault) {
        try database.read { (connection) throws(StorageProblem) in
          failed = connection
          throw fault
        }
      }
      #expect((failed != nil) == (fault == .locked))
      weak var next: SQLiteConnection?
      #expect(try database.read { next = $0 } != nil)
      #expect(failed == nil)
      #expect(next != nil)
    }

    @Test func hugeValuesAreNotMade() throws {
      let format = SQLiteFormat(applicationID: 1, version: 1, maxLength: 1 << 20)
      let connection = try SQLiteConnection(
        path: ":memory:", isDurable: true, until: nil, kind: .memory, format: format)
      #expect(throws: StorageProblem.valueTooLarge(limit: nil)) { () throws(StorageProblem) in
        try connection.run("SELECT hex(zeroblob(600000))")
      }
      #expect(throws: StorageProblem.self) {
        for name in ["a", "b"] { try connection.execute("ATTACH ':memory:' AS \(name)") }
      }
    }

    /// As Apple's SQLite does, which refuses every call once the system has invalidated a file.
    @Test func aFailedConnectionIsReplaced() throws {
      let database = database()
      try insert(1, database)
      let log = location.path + "-wal"
      var pipe: [Int32] = [0, 0]
      #expect(Glibc.pipe(&pipe) == 0)
      for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
        if target == log, let descriptor = Int32(name) { #expect(dup2(pipe[0], descriptor) == descriptor) }
      }
      for descriptor in pipe { close(descriptor) }
      #expect(throws: StorageProblem.self) { try insert(2, database) }
      try insert(3, database)
      let numbers = try database.read { (connection) throws(StorageProblem) in
        try connection.first("SELECT group_concat(x) FROM t") { $0.text(0) ?? "" }
      }
      #expect(numbers == "1,3")
    }

    @Test func anExpiredActivityUndoesATransaction() throws {
      let block = Lock<(@Sendable (Bool) -> Void)?>(nil)
      let system = ExpiringActivity.Shared { made in
        block.withLock { $0 = made }
        Thread.detachNewThread { made(false) }
      }
      let (connection, activity) = (try memory(), try system.begin(until: .now + .seconds(60)))
      connection.activity = activity
      try connection.execute("BEGIN")
      try connection.run("INSERT INTO t VALUES (1)")
      Thread.detachNewThread {
        usleep(50_000)
        block.withLock { $0 }?(true)
      }
      let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"
      for sql in [endless, "INSERT INTO t VALUES (2)", "COMMIT"] {
        #expect(throws: StorageProblem.busy) { () throws(StorageProblem) in try connection.run(sql) }
      }
      try connection.execute("ROLLBACK")
      activity.end()
      connection.activity = nil
      #expect(try connection.first("SELECT count(*) FROM t") { $0.integer(0) } == 0)
    }

    private func creation(_ format: SQLiteFormat) -> SQLiteCreation {
      SQLiteCreation(
        location: location, schema: SQLiteSchema(required: ["CREATE TABLE t (x INTEGER NOT NULL PRIMARY KEY)"]),
        format: format)
    }

    @Test(arguments: [(true, 0o700), (false, 0o755)])
    func anOpenedDatabaseIsTakenAwayFromOthers(_ hasOwnFolder: Bool, _ mode: Int) throws {
      let format = SQLiteFormat(applicationID: 1, version: 1, hasForeignKeys: hasOwnFolder)
      let folder = location.folder.path
      func modes() throws -> Set<Int> {
        try Set(
          ["", "/\(location.name)", "/\(location.name)-wal", "/\(location.name)-shm"].map {
            try #require(FileManager.default.attributesOfItem(atPath: folder + $0)[.posixPermissions] as? Int)
          })
      }
      let kept = SQLiteDatabase.shared(creation(format), .powerLoss, patience: .seconds(60))
      try insert(2, kept)
      for name in ["", "/\(location.name)", "/\(location.name)-wal", "/\(location.name)-shm"] {
        #expect(chmod(folder + name, 0o755) == 0)
      }
      #expect(try modes() == [0o755])
      // A reader opens the database.
      _ = try kept.read { _ in true }
      #expect(try modes() == [mode, 0o600])
    }

    private func open(_ descriptors: String) throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { name in
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
        return target == descriptors
      }.count
    }

    /// None can be opened while the device is locked.
    @Test(arguments: [(FileProtection.Availability.completeUnlessOpen, 2), (.complete, 1)])
    func aWriterAndAReaderAreOpenedAtFirstUse(_ availability: FileProtection.Availability, _ count: Int) throws {
      try insert(1, database())
      let format = SQLiteFormat(
        applicationID: 0x4C44_6174, version: 1, protection: FileProtection(availability, isBackedUp: true))
      for isWriting in [false, true] {
        let database = SQLiteDatabase.shared(creation(format), .powerLoss, patience: .seconds(60))
        if isWriting { try insert(2, database) } else { _ = try database.read { _ in true } }
        #expect(try open(location.path) == count)
        #expect(try database.read { _ in true } == true)
      }
    }

    @Test func memoryIsReleasedIfAsked() throws {
      let database = database()
      try insert(1, database)
      _ = try database.read { (connection) throws(StorageProblem) in
        try connection.first("SELECT x FROM t") { _ in true }
      }
      database.releaseMemory()
      #expect(try #require(database.readers.take()).statements.isEmpty)
      try insert(2, database)
    }
  }
#endif
