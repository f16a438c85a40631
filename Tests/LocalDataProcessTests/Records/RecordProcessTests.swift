#if os(Linux)
  import Foundation
  import LocalData
  import LocalDataRecords
  import ProbeKeys
  import RuntimeTestSupport
  import TestSupport
  import Testing

  /// Records in several processes over one folder.
  @Suite(.findsHangs) struct RecordProcessTests {
    @Test func eightProcessesThatUpdateOneRowLoseNoUpdate() async throws {
      let (fixture, count) = (try StoreFixture(), Sweep.count(quick: 10, full: 125))
      try await seed(fixture)
      try run((0..<8).map { _ in ["increment", "\(count)"] }, in: fixture)
      let router = try ProbeRecordChange.firstRelease(on: .probe(on: fixture))
      #expect(try await router.folders.fetch(id: "a")?.count == 8 * count)
    }

    /// Eight processes that create the file and its record key together use one of each.
    @Test func processesThatCreateADatabaseTogetherUseOne() async throws {
      let fixture = try StoreFixture()
      try run((0..<8).map { _ in ["create"] }, in: fixture)
      let rows = try await ProbeRecordChange.create.rows(on: .probe(on: fixture))
      #expect(rows == ProbeRecordChange.create.after)
    }

    /// SQLite before 3.51.3 loses a commit if another connection makes a checkpoint in the same moment.
    @Test func aWriterAndReadersThatMakeCheckpointsDamageNothing() async throws {
      let (fixture, time) = (try StoreFixture(), "\(Sweep.count(quick: 300, full: 5_000))")
      try await seed(fixture)
      try run([["move", time], ["check", time], ["check", time]], in: fixture)
      let router = try ProbeRecordChange.firstRelease(on: .probe(on: fixture))
      let (sum, report) = try await router.read(ProbeFolder.Database.self) { probe in
        (
          try probe.folders.fetchAll().reduce(0) { $0 + $1.count },
          try probe.rows("SELECT integrity_check FROM pragma_integrity_check")
        )
      }
      #expect(sum == 0)
      #expect(report == [[.text("ok")]])
      #expect(try await router.pages.count() == 3)
    }

    private func seed(_ fixture: StoreFixture) async throws {
      try await ProbeRecordChange.save.seed(on: .probe(on: fixture))
    }

    /// Runs probes side by side, none of which may fail.
    private func run(_ commands: [[String]], in fixture: StoreFixture) throws {
      let children = try commands.map { words in
        try ChildProcess(ChildProcess.probe, ["records", fixture.folder.path] + words)
      }
      for child in children { #expect(child.wait() == ChildProcess.End(code: 0, output: "")) }
    }
  }
#endif
