#if os(Linux)
  import ProbeKeys
  import RuntimeTestSupport
  import TestSupport
  import Testing

  /// The order of file calls that makes changes of records durable. The probe ends as if killed: closing the database would
  /// sync it too.
  @Suite(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
  struct RecordDurableOrderTests {
    private let folder = "/data/documents/.records"
    private var file: String { folder + "/probe.db" }
    private var log: String { file + "-wal" }

    /// Each commit is on the disk before the call returns.
    @Test(arguments: [ProbeRecordChange.save, .insert, .update, .merge])
    func aCommitIsOnTheDisk(_ change: ProbeRecordChange) throws {
      let calls = try trace(change)
      #expect(calls.contains { $0.path == log && $0.name.contains("write") })
      try expectSynced(calls, log)
    }

    /// The database is on the disk before it gets its name, and its name before the first row is written. So are the folder's
    /// name and the first row.
    @Test func aNewDatabaseIsOnTheDisk() throws {
      let calls = try trace(.create)
      let rename = try #require(calls.first { $0.name.hasPrefix("rename") && $0.newPath == file }, "\(calls)")
      _ = try calls[...].require(inOrder: [
        .init(name: "mkdirat", path: folder), .init(name: "fsync", path: "/data/documents"),
        .init(name: "sync", path: rename.path), .init(name: rename.name, path: rename.path, newPath: file),
        .init(name: "fsync", path: folder), .init(name: "sync", path: log),
      ])
      try expectSynced(calls, log)
    }

    /// Nothing is left to a later moment of the disk.
    @Test(arguments: ProbeRecordChange.allCases) func everyChangeIsSynced(_ change: ProbeRecordChange) throws {
      #expect(UnsyncedChanges(try trace(change)).violations == [])
    }

    /// The log is emptied after a deletion of encrypted values. Its rows are on the disk before that.
    @Test(arguments: [ProbeRecordChange.delete, .deleteOfQuery, .transaction, .removeAll])
    func theLogIsEmptied(_ change: ProbeRecordChange) throws {
      let calls = try trace(change)
      let emptying = try #require(calls.lastIndex { $0.name.contains("truncate") && $0.path == log }, "\(calls)")
      let before = calls[..<emptying]
      let write = try #require(before.lastIndex { $0.path == file && $0.name.contains("write") }, "\(calls)")
      #expect(before[write...].contains { $0.path == file && ["fsync", "fdatasync"].contains($0.name) }, "\(calls)")
      let commit = try #require(before[..<write].lastIndex { $0.path == log && $0.name.contains("write") }, "\(calls)")
      #expect(
        before[commit..<write].contains { $0.path == log && ["fsync", "fdatasync"].contains($0.name) }, "\(calls)")
    }

    /// The last that was done to a path is a sync, by either of its names.
    private func expectSynced(_ calls: [FaultShim.Call], _ path: String) throws {
      let last = try #require(calls.last { $0.path == path && $0.name != "close" }, "\(path) is not in \(calls)")
      #expect(["fsync", "fdatasync"].contains(last.name), "\(calls)")
    }

    private func trace(_ change: ProbeRecordChange) throws -> [FaultShim.Call] {
      let fixture = try StoreFixture()
      let shim = try FaultShim(in: fixture)
      let words = ["records", fixture.path("store"), change.rawValue]
      if change != .create {
        #expect(try ChildProcess.run(ChildProcess.probe, words + ["seed"]).code == 0)
      }
      let end = try ChildProcess.run(
        ChildProcess.probe, words + ["--abandon"], environment: shim.environment("list"))
      #expect(end.code == nil, "\(end)")
      return shim.calls(in: end.output)
    }
  }
#endif
