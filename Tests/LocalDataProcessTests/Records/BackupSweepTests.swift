#if os(Linux)
  import Foundation
  import ProbeKeys
  import RuntimeTestSupport
  import TestSupport
  import Testing

  /// Exports and restores whose process is killed, or whose file calls fail.
  @Suite(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
  struct BackupSweepTests {
    private func sweep(
      _ verb: String, check: (_ moment: FaultSweep.Moment, _ folder: String) async throws -> Void
    ) async throws {
      let fixture = try StoreFixture(isInMemory: true)
      let sweep = try FaultSweep(["backup", verb], in: fixture, FaultShim(in: fixture)) {
        let end = try ChildProcess.run(ChildProcess.probe, ["backup", fixture.path("store"), "seed"])
        #expect(end.code == 0, "\(end)")
      }
      #expect(sweep.calls.count >= 10)
      let count = try await sweep.runEverywhere { moment in
        #expect([0, 3].contains(moment.end.code) || moment.action.isKill, "\(moment): it crashed")
        try await check(moment, moment.folder)
      }
      #expect(count >= Sweep.count(quick: 5, full: 30))
    }

    @Test func restoreIsWholeOrNot() async throws {
      try await sweep("restore") { moment, folder in
        let found = try await ProbeBackup(.probe(in: folder), folder).content()
        if moment.end.code == 0 {
          #expect(found == ProbeBackup.backedUp, "\(moment): it succeeded")
        } else {
          #expect([ProbeBackup.stored, ProbeBackup.backedUp].contains(found), "\(moment)")
        }
        let next = try ProbeBackup(.probe(in: folder), folder)
        try await next.restore()
        #expect(try await next.content() == ProbeBackup.backedUp, "\(moment): after the next restore")
        #expect(try files(folder) { $0.contains(".staged-") }.isEmpty, "\(moment)")
        #expect(try files(folder) { $0.contains(".restore_") && !$0.contains(".lock") }.isEmpty, "\(moment)")
      }
    }

    @Test func exportIsWholeOrNot() async throws {
      try await sweep("export") { moment, folder in
        let backup = try ProbeBackup(.probe(in: folder), folder)
        #expect(try await backup.content() == ProbeBackup.stored, "\(moment)")
        let exported = try files(folder) { $0.hasSuffix("Probe-full.json") }
        // A file that has its name is whole.
        for path in exported {
          try FileManager.default.copyItem(atPath: folder + "/" + path, toPath: folder + "/copy.json")
          let text = try String(contentsOfFile: folder + "/copy.json", encoding: .utf8)
          #expect(text.hasSuffix("\"}\n"), "\(moment)")
        }
        #expect(moment.end.code != 0 || exported.count == 1, "\(moment)")
        try await backup.export()
        #expect(try files(folder) { $0.contains(".backups/") }.map { $0.hasSuffix("Probe-full.json") } == [true])
        try await backup.signOut()
        #expect(try files(folder) { $0.contains(".backups/") } == [], "\(moment)")
      }
    }

    /// Each has its journal at the same address. None of them removes what the others have staged.
    @Test func processesRestoreOneAfterTheOther() async throws {
      let fixture = try StoreFixture(isInMemory: true)
      let folder = fixture.path("store")
      #expect(try ChildProcess.run(ChildProcess.probe, ["backup", folder, "seed"]).code == 0)
      let codes = try await withThrowingTaskGroup(of: Int32?.self) { group in
        for _ in 0..<3 {
          group.addTask { try ChildProcess.run(ChildProcess.probe, ["backup", folder, "restore"]).code }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(codes == [0, 0, 0])
      #expect(try await ProbeBackup(.probe(in: folder), folder).content() == ProbeBackup.backedUp)
      #expect(try files(folder) { $0.contains(".restore_") && !$0.contains(".lock") }.isEmpty)
    }

    /// The memory does not depend on the number of rows.
    ///
    /// By hand: `storage-probe backup FOLDER fill 100000`, then `storage-probe backup FOLDER weigh`.
    @Test func rowsNeedNoMemory() throws {
      let peaks = try [2_000, Sweep.isFull ? 100_000 : 16_000].map { count in
        let fixture = try StoreFixture(isInMemory: true)
        let folder = fixture.path("store")
        for words in [["fill", "\(count)"], ["weigh"]] {
          let end = try ChildProcess.run(ChildProcess.probe, ["backup", folder] + words)
          try #require(end.code == 0, "\(end)")
          if words == ["weigh"] { return try #require(Int(end.output.filter(\.isNumber))) }
        }
        _ = fixture
        return 0
      }
      // The caches of SQLite.
      #expect(peaks[1] - peaks[0] <= 12 << 10, "\(peaks)")
    }

    private func files(_ folder: String, _ isWanted: (String) -> Bool) throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: folder).filter(isWanted)
    }
  }
#endif
