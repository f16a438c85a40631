#if os(Linux)
  import LocalData
  import ProbeKeys
  import RuntimeTestSupport
  import TestSupport
  import Testing

  /// Changes of records in a process whose file calls are killed, cut short or failed: the rows are the old ones or the new
  /// ones, all of them can be read, and the next try succeeds.
  @Suite(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
  struct RecordSweepTests {
    @Test(arguments: ProbeRecordChange.allCases) func aChangeIsMadeOrNot(_ change: ProbeRecordChange) async throws {
      let fixture = try StoreFixture(isInMemory: true)
      let sweep = try FaultSweep(["records", change.rawValue], in: fixture, FaultShim(in: fixture)) {
        guard change != .create else { return }
        let end = try ChildProcess.run(ChildProcess.probe, ["records", fixture.path("store"), change.rawValue, "seed"])
        #expect(end.code == 0, "\(end)")
      }
      #expect(sweep.calls.count >= 10)
      let count = try await sweep.runEverywhere { try await check(change, $0) }
      #expect(count >= Sweep.count(quick: 5, full: 30))
    }

    private func check(_ change: ProbeRecordChange, _ moment: FaultSweep.Moment) async throws {
      // The first release reads the file whether the second one has merged its tables or not.
      let all = change == .merge ? ProbeRecordChange.save : change
      let (before, after) = (all.before, change == .merge ? all.before : change.after)
      let found = try await rows(all, moment)
      #expect(found == before || found == after, "\(moment): \(found)")
      if moment.end.code == 0 {
        #expect(found == after, "\(moment): it succeeded")
      } else {
        #expect(moment.end.code == 3 || moment.action.isKill, "\(moment): it crashed")
      }
      do { try await change.run(on: .probe(in: moment.folder)) } catch {
        Issue.record("\(moment): the next call fails, \(error)")
      }
      #expect(try await rows(change, moment) == change.after, "\(moment): after the next call")
    }

    /// Returns the rows that the next launch of the app reads.
    private func rows(_ change: ProbeRecordChange, _ moment: FaultSweep.Moment) async throws -> [String] {
      do { return try await change.rows(on: .probe(in: moment.folder)) } catch {
        Issue.record("\(moment): the rows cannot be read, \(error)")
        throw error
      }
    }
  }
#endif
