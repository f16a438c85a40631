#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// Tests of the states that a disk may have after a loss of power. They are made from the recorded changes and syncs of a run.
  @Suite(.enabled(if: PreloadedLibrary.isAvailable, "there is no C compiler to build the recorder with"))
  struct PowerCutTests {
    /// With `LOCALDATA_POWERCUT=all` a full run checks every prefix of each run, and 1,000 other states.
    private static let takesAll = ProcessInfo.processInfo.environment["LOCALDATA_POWERCUT"] == "all"

    @Test(.findsHangs, arguments: Sweep.sample(CutRun.all, quick: 8))
    func everyStateKeepsThePromises(_ run: CutRun) async throws {
      let note = try CutRecording(run)
      var cut = try PowerCut(note)
      #expect(try cut.unrecorded() == [], "the recorder has not seen every change")
      let violations =
        Self.takesAll
        ? try await cut.checkEverything(1_000, seed: Sweep.seed)
        : try await cut.sample(Sweep.count(quick: 20, full: 200), seed: Sweep.seed)
      for violation in violations { Issue.record("\(violation)") }
      Sweep.report("power cuts in \(run.testDescription)", "\(cut.checks) moments, \(cut.states) states")
    }

    /// A process that is killed just before a sync. The place of the sync is a part of the run, in thousandths.
    struct Kill: Sendable, CustomTestStringConvertible {
      var kind: CutRun.Kind
      var place: Int

      var testDescription: String { "\(kind) at \(place)" }

      static let all = CutRun.Kind.alone.flatMap { kind in
        stride(from: 0, to: 1_000, by: 25).map { Kill(kind: kind, place: $0) }
      }
    }

    /// The next process finds changes that the killed one has not synced, and relies on them.
    @Test(.findsHangs, arguments: Sweep.sample(Kill.all, quick: 4))
    func whatAKilledProcessLeftIsSynced(_ kill: Kill) async throws {
      let whole = try #require(CutRecording.whole[kill.kind]).get()
      let syncs = try whole.syncs { _, changes in !changes.isEmpty }.sorted()
      var run = CutRun.whole(kill.kind)
      run.end = whole.trace.changes(before: syncs[syncs.count * kill.place / 1_000])
      var cut = try PowerCut(CutRecording(run))
      for violation in try await cut.checkAfterKill() { Issue.record("killed after \(run.end ?? 0): \(violation)") }
      Sweep.report("power cuts after a kill in \(kill.testDescription)", "\(cut.checks) moments, \(cut.states) states")
    }
  }
#endif
