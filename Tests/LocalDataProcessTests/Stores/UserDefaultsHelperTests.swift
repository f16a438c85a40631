@testable import LocalDataSystem
#if os(Linux)
  import Foundation
  import LocalDataTesting
  import RuntimeTestSupport
  import TestSupport
  import Testing

  @testable import LocalData

  @Suite struct UserDefaultsHelperTests {
    private let fixture: StoreFixture
    private let store: UserDefaultsHelper
    private let attributes = StorageAttributes()
    private let address = StorageAddress.preference("value")

    init() throws {
      fixture = try StoreFixture()
      store = UserDefaultsHelper(fixture.locations, patience: .seconds(60))
    }

    private var database: String { fixture.path("data/preferences/standard.db") }

    @Test func nothingIsMadeByReadingOrRemoving() throws {
      #expect(try store.read(address, attributes) == nil)
      #expect(try !store.exists(address, attributes))
      try store.remove(address, attributes)
      try store.scan(.preferences(suite: nil), upTo: .max) { _ in true }
      try store.makeDurable(.preferences(suite: nil))
      try store.purge(.preferences(suite: nil))
      #expect(try fixture.permissions().isEmpty)
    }

    @Test func suitesAreApart() throws {
      try store.write(Data([1]), to: address, attributes)
      try store.write(Data([2]), to: .preference("value", suite: "other"), attributes)
      #expect(try store.read(address, attributes) == Data([1]))
      #expect(try store.read(.preference("value", suite: "other"), attributes) == Data([2]))
      #expect(FileManager.default.fileExists(atPath: fixture.path("data/preferences/other.db")))
    }

    // MARK: The file under our feet

    @Test func aDeletedDatabaseIsNoticed() throws {
      try store.write(Data([1]), to: address, attributes)
      try FileManager.default.removeItem(atPath: database)
      #expect(try store.read(address, attributes) == nil)
      try store.write(Data([2]), to: .preference("second"), attributes)
      // Another store, with another connection: what was written is in the file and not in the void.
      #expect(try ChildProcess.probe("preferences", fixture, "read", "second").line == "1 bytes of 2")
      #expect(try store.read(address, attributes) == nil)
    }

    @Test func aDeletedFolderIsNoticed() throws {
      try store.write(Data([1]), to: address, attributes)
      try FileManager.default.removeItem(atPath: fixture.path("data"))
      try store.write(Data([2]), to: address, attributes)
      #expect(try ChildProcess.probe("preferences", fixture, "read", "value").line == "1 bytes of 2")
    }

    @Test func aReplacedDatabaseIsNoticed() throws {
      let other = try StoreFixture()
      #expect(try ChildProcess.probe("preferences", other, "write", "value", "5", "5").code == 0)
      try store.write(Data([1]), to: address, attributes)
      for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database + suffix) }
      try FileManager.default.moveItem(atPath: other.path("data/preferences/standard.db"), toPath: database)
      #expect(try store.read(address, attributes) == Data(repeating: 5, count: 5))
      try store.write(Data([6]), to: address, attributes)
      #expect(try ChildProcess.probe("preferences", fixture, "read", "value").line == "1 bytes of 6")
    }

    /// The log of a deleted database must not be used for the new database.
    @Test func aLogThatOutlivedItsDatabase() throws {
      #expect(try ChildProcess.probe("preferences", fixture, "write", "value", "5", "5", "--abandon").code == nil)
      #expect(FileManager.default.fileExists(atPath: database + "-wal"))
      try FileManager.default.removeItem(atPath: database)
      #expect(try store.read(address, attributes) == nil)
      try store.write(Data([1]), to: .preference("second"), attributes)
      #expect(try store.read(address, attributes) == nil)
      #expect(try store.read(.preference("second"), attributes) == Data([1]))
    }

    // MARK: Damage

    struct Damage: Sendable, CustomTestStringConvertible {
      var testDescription: String
      var fault: StorageProblem
      var change: @Sendable (inout Data) -> Void
    }

    static let damages = [
      Damage(testDescription: "emptied", fault: .databaseDamaged) { $0 = Data() },
      Damage(testDescription: "cut to half of a page", fault: .databaseDamaged) { $0 = $0.prefix(2_000) },
      Damage(testDescription: "overwritten", fault: .databaseDamaged) { $0 = Data(repeating: 0x55, count: $0.count) },
      Damage(testDescription: "of another program", fault: .databaseDamaged) { $0[70] ^= 0xff },
      Damage(testDescription: "of a later format", fault: .unknownFormatVersion) { $0[63] = 9 },
    ]

    @Test(arguments: damages) func damage(_ damage: Damage) throws {
      #expect(try ChildProcess.probe("preferences", fixture, "write", "value", "5000", "1").code == 0)
      var bytes = try #require(FileManager.default.contents(atPath: database))
      damage.change(&bytes)
      try bytes.write(to: URL(fileURLWithPath: database))
      #expect(throws: damage.fault) { try store.read(address, attributes) }
      #expect(throws: damage.fault) { try store.exists(address, attributes) }
      #expect(throws: damage.fault) { try store.write(Data([1]), to: address, attributes) }
      #expect(throws: damage.fault) { try store.remove(address, attributes) }
      #expect(throws: damage.fault) { try store.scan(.preferences(suite: nil), upTo: .max) { _ in true } }
      // Damage is not repaired by forgetting.
      #expect(FileManager.default.contents(atPath: database) == bytes)
    }

    // MARK: Links and folders

    @Test(arguments: ["data/preferences", "data/preferences/standard.db", "data/preferences/.standard.db.lock"])
    func linkInTheWay(_ link: String) throws {
      #expect(try ChildProcess.probe("preferences", fixture, "write", "value", "5", "5").code == 0)
      let target = fixture.path("elsewhere")
      try FileManager.default.moveItem(atPath: fixture.path(link), toPath: target)
      try FileManager.default.createSymbolicLink(atPath: fixture.path(link), withDestinationPath: target)
      #expect(throws: StorageProblem.io(errno: ELOOP)) { try store.write(Data([1]), to: address, attributes) }
      if !link.hasSuffix("lock") {
        #expect(throws: StorageProblem.io(errno: ELOOP)) { try store.read(address, attributes) }
      }
    }

    @Test func aFolderInThePlaceOfADatabase() throws {
      try FileManager.default.createDirectory(atPath: database, withIntermediateDirectories: true)
      #expect(throws: StorageProblem.io(errno: EISDIR)) { try store.read(address, attributes) }
      #expect(throws: StorageProblem.io(errno: EISDIR)) { try store.write(Data([1]), to: address, attributes) }
    }

    // MARK: Locks and logs

    @Test func waitingForAnotherWriterEndsInBusy() throws {
      let impatient = UserDefaultsHelper(try StoreFixture().locations, patience: .milliseconds(30))
      #expect(try impatient.read(address, attributes) == nil)
      let location = try fixture.locations.preferences(suite: nil)
      let database = SQLiteDatabase.shared(
        at: location, .killedProcess, schema: SQLiteSchema(required: ["CREATE TABLE t (x)"]),
        patience: .milliseconds(30))
      try database.write { (connection) throws(StorageProblem) in _ = try connection.run("INSERT INTO t VALUES (1)") }
      let folder = try location.folder.openForWriting(lock: location.name)
      try FileLock(in: folder, named: location.name).hold(patience: .zero) { () throws(StorageProblem) in
        onThreads(1) { _ in
          #expect(throws: StorageProblem.busy) {
            try database.write { (connection) throws(StorageProblem) in _ = try connection.run("DELETE FROM t") }
          }
        }
        #expect(try database.read { (connection) throws(StorageProblem) in try count(connection) } == 1)
      }
      try database.write { (connection) throws(StorageProblem) in _ = try connection.run("DELETE FROM t") }
      #expect(try database.read { (connection) throws(StorageProblem) in try count(connection) } == 0)
    }

    /// A process that waits holds the gate. A change, which runs code of the app, must not pass it again and again.
    @Test func onlyAWriteOfOneValuePassesAProcessThatWaits() throws {
      try store.write(Data([1]), to: address, attributes)
      let location = try fixture.locations.preferences(suite: nil)
      let gate = location.folder.path + "/" + FileLock.gateName(location.name)
      let waiting = open(gate, O_RDWR | O_CLOEXEC)
      #expect(flock(waiting, LOCK_EX | LOCK_NB) == 0)
      try CallDeadline.withoutWaiting {
        #expect(throws: StorageProblem.busy) { try store.update(address, attributes) { _ in .write(Data([2])) } }
        try store.write(Data([3]), to: address, attributes)
      }
      #expect(try store.read(address, attributes) == Data([3]))
      // A process that another test starts may still have a copy of the descriptor, and with it the lock.
      #expect(flock(waiting, LOCK_UN) == 0)
      #expect(close(waiting) == 0)
      try CallDeadline.withoutWaiting { try store.update(address, attributes) { _ in .write(Data([4])) } }
      #expect(try store.read(address, attributes) == Data([4]))
    }

    private func count(_ connection: SQLiteConnection) throws(StorageProblem) -> Int64? {
      try connection.first("SELECT count(*) FROM t") { (row) throws(StorageProblem) in row.integer(0) }
    }

    /// Automatic checkpoints are off: ours must keep the log from growing for ever.
    @Test(arguments: [(SQLiteDatabase.Durability.powerLoss, 1_000), (.killedProcess, 4_000)])
    func theLogStaysSmall(_ durability: SQLiteDatabase.Durability, _ mostPages: Int) throws {
      let location = try fixture.locations.preferences(suite: "durable")
      let database = SQLiteDatabase.shared(
        at: location, durability, schema: SQLiteSchema(required: ["CREATE TABLE t (x BLOB)"]))
      for _ in 0..<60 {
        try database.write { (connection) throws(StorageProblem) in
          try connection.run("DELETE FROM t")
          try connection.run("INSERT INTO t VALUES (?)", [.blob(Data(count: 400_000))])
        }
      }
      // 60 times 100 pages and more were written; a page in the log has a header, and the last write its own pages.
      let log = try FileManager.default.attributesOfItem(atPath: location.path + "-wal")[.size] as? Int
      #expect(try #require(log) < (mostPages + 300) * 4_120)
      try database.emptyLog()
      #expect(try FileManager.default.attributesOfItem(atPath: location.path + "-wal")[.size] as? Int == 0)
    }

    @Test func oneObjectAFile() throws {
      let location = try fixture.locations.preferences(suite: nil)
      let first = SQLiteDatabase.shared(at: location, .killedProcess, schema: SQLiteSchema(required: []))
      let again = try StorageLocations(
        StorageConfiguration(applicationName: "Other", roots: StorageRoots(below: fixture.folder)),
        FileStorageConfiguration()
      ).preferences(suite: nil)
      #expect(SQLiteDatabase.shared(at: again, .killedProcess, schema: SQLiteSchema(required: [])) === first)
    }

    /// Two routers of one process are two stores over one connection.
    @Test func twoStoresLoseNothing() throws {
      let stores = [store, UserDefaultsHelper(fixture.locations)]
      onThreads(4) { thread in
        for _ in 0..<50 {
          do {
            try stores[thread % 2].update(address, attributes) { old in .write((old ?? Data()) + [1]) }
          } catch { Issue.record(error) }
        }
      }
      #expect(try store.read(address, attributes)?.count == 200)
    }
  }
#endif
