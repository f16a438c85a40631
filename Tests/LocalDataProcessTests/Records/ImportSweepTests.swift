#if os(Linux)
  import Foundation
  import LocalData
  import LocalDataImport
  import LocalDataRecords
  import ProbeKeys
  import RuntimeTestSupport
  import LocalDataSQLite
  import TestSupport
  import Testing

  /// Imports in processes that are killed, whose file calls fail, or that run beside each other.
  struct ImportSweepTests {
    private static let count = 40
    private static let ids = (0..<count).map { "\($0)" }.sorted()

    private static func store(in folder: String) -> String { folder + "/data/Old/notes.sqlite" }

    /// Writes the store of the earlier release.
    private static func write(in folder: String) throws {
      let path = store(in: folder)
      try FileManager.default.createDirectory(
        at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: URL(fileURLWithPath: path))
      let connection = try SQLiteConnection(path: path, isDurable: false, until: nil, kind: .draft)
      try connection.execute("CREATE TABLE note (id TEXT, body TEXT)")
      for id in ids { try connection.run("INSERT INTO note VALUES (?, 'text')", [.text(id)]) }
    }

    /// Returns the keys that the next launch reads.
    private static func ids(in folder: String) async throws -> [String] {
      let router = StorageRouter.probe(in: folder)
      try router.registerNotes()
      return try await router.notes.fetchAll().map(\.id).sorted()
    }

    private static func run(_ verb: String, in folder: String) throws -> ChildProcess.End {
      try ChildProcess.run(ChildProcess.probe, ["imports", folder, verb])
    }

    private static func isThere(in folder: String) -> Bool { FileManager.default.fileExists(atPath: store(in: folder)) }

    /// Each row is imported once, whatever happens to the first process.
    @Test(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
    func noRowIsLostOrDoubled() async throws {
      let fixture = try StoreFixture(isInMemory: true)
      let sweep = try FaultSweep(["imports", "read"], in: fixture, FaultShim(in: fixture)) {
        try Self.write(in: fixture.path("store"))
      }
      let count = try await sweep.runEverywhere { moment in
        #expect(moment.end.code == 0 || moment.end.code == 3 || moment.action.isKill, "\(moment): it crashed")
        let ids = try await Self.ids(in: moment.folder)
        #expect(ids == Self.ids, "\(moment)")
        #expect(Self.isThere(in: moment.folder), "\(moment)")
        let router = StorageRouter.probe(in: moment.folder)
        try router.registerNotes()
        let reports = try await router.imports.reports()
        #expect(reports.map(\.imported) == [Self.count], "\(moment)")
      }
      #expect(count >= Sweep.count(quick: 5, full: 40))
    }

    /// The rows are all there, or removed for good and with them the old store.
    @Test(
      .enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"), arguments: [true, false])
    func removedRowsDoNotReturn(isImported: Bool) async throws {
      let fixture = try StoreFixture(isInMemory: true)
      let sweep = try FaultSweep(["imports", "removeAll"], in: fixture, FaultShim(in: fixture)) {
        try Self.write(in: fixture.path("store"))
        if isImported { _ = try Self.run("read", in: fixture.path("store")) }
      }
      let count = try await sweep.run([.kill], isDivided: false) { moment in
        let ids = try await Self.ids(in: moment.folder)
        #expect(ids == Self.ids || ids == [], "\(moment)")
        #expect(Self.isThere(in: moment.folder) == !ids.isEmpty, "\(moment)")
        let later = try await Self.ids(in: moment.folder)
        #expect(later == ids, "\(moment)")
      }
      #expect(count >= Sweep.count(quick: 1, full: 8))
    }

    @Test(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
    func aRemovedSourceLosesNoRow() async throws {
      let fixture = try StoreFixture(isInMemory: true)
      let sweep = try FaultSweep(["imports", "removeSources"], in: fixture, FaultShim(in: fixture)) {
        try Self.write(in: fixture.path("store"))
      }
      let count = try await sweep.run([.kill], isDivided: false) { moment in
        let ids = try await Self.ids(in: moment.folder)
        #expect(ids == Self.ids, "\(moment)")
        let end = try Self.run("removeSources", in: moment.folder)
        #expect(end.code == 0, "\(moment)")
        #expect(!Self.isThere(in: moment.folder), "\(moment)")
        let later = try await Self.ids(in: moment.folder)
        #expect(later == Self.ids, "\(moment)")
      }
      #expect(count >= Sweep.count(quick: 1, full: 8))
    }

    @Test func manyProcessesImportOnce() async throws {
      let fixture = try StoreFixture(isInMemory: true)
      let folder = fixture.path("store")
      try Self.write(in: folder)
      let processes = try (0..<6).map { _ in try ChildProcess(ChildProcess.probe, ["imports", folder, "read"]) }
      #expect(processes.map { $0.wait().line } == Array(repeating: "\(Self.count)", count: 6))
      #expect(try await Self.ids(in: folder) == Self.ids)
      let router = StorageRouter.probe(in: folder)
      try router.registerNotes()
      let report = try #require(try await router.imports.reports().first)
      #expect((report.imported, report.kept, report.leftOut) == (Self.count, 0, 0))
    }
  }
#endif
