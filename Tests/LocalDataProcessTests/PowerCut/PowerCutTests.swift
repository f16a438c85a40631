#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// What is on the disk after a loss of power. The changes and syncs of a run are recorded, and the states that a disk may have
  /// are made from them.
  @Suite(.enabled(if: PreloadedLibrary.isAvailable, "there is no C compiler to build the recorder with"))
  struct PowerCutTests {
    /// With `LOCALDATA_POWERCUT=all` a full run checks every prefix of each run, and 1,000 other states.
    private static let takesAll = ProcessInfo.processInfo.environment["LOCALDATA_POWERCUT"] == "all"

    @Test(.findsHangs, arguments: Sweep.sample(CutRun.all, quick: 8))
    func everyStateKeepsThePromises(_ run: CutRun) async throws {
      let recording = try CutRecording(run)
      var cut = try PowerCut(recording)
      #expect(try cut.unrecorded() == [], "the recorder has not seen every change")
      let violations =
        Self.takesAll
        ? try await cut.checkEverything(1_000, seed: Sweep.seed)
        : try await cut.sample(Sweep.count(quick: 20, full: 200), seed: Sweep.seed)
      for violation in violations { Issue.record("\(violation)") }
      Sweep.report("power cuts in \(run.testDescription)", "\(cut.checks) moments, \(cut.states) states")
    }
  }
#endif
