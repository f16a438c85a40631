#if os(Linux)
  import Foundation
  import LocalData
  @_spi(Generated) import LocalDataRecords
  import ProbeKeys
  import RuntimeTestSupport
  import TestSupport
  import Testing

  /// Each change of a file by a merge is killed, cut short and failed. The merge makes fields from earlier ones, plain and
  /// encrypted, adds a reference, and removes equal rows. Whatever happens, the file is that of the earlier release or that of
  /// the later one, whole, and the next launch of the later one gets its values.
  @Suite(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
  struct MergeFaultTests {
    private typealias Before = ProbeTrip.Before
    private typealias After = ProbeTrip.After

    private let fixture: StoreFixture

    init() throws { fixture = try StoreFixture(isInMemory: true) }

    /// Saves the rows of the earlier release.
    private func prepare(_ folder: String) async throws {
      let router = try ProbeTrip.router(in: folder, Before.self)
      try await router.records(ProbeTrip.Guide<Before>.self).save(.init(id: "g"))
      for trip in ProbeTrip.old { try await router.records(Before.self).save(trip) }
    }

    /// Returns true if the later release has merged its records, and false if the file is as it was.
    private func isMerged(_ folder: String, _ comment: String) async throws -> Bool {
      do {
        let rows = try await ProbeTrip.router(in: folder, Before.self).records(Before.self).fetchAll()
        #expect(Set(rows) == Set(ProbeTrip.old), "\(comment)")
        return false
      } catch let error as StorageError where error.code == .newerSchema {
        return true
      }
    }

    private func check(_ folder: String, _ comment: String) async throws {
      let rows = try await ProbeTrip.router(in: folder, After.self).records(After.self).fetchAll()
      #expect(Set(rows) == Set(ProbeTrip.new), "\(comment)")
      #expect(try files(in: folder, containing: try #require(ProbeTrip.old.first).note) == [], "\(comment)")
    }

    /// The files that contain a text: the notes of the earlier release are encrypted in the later one.
    private func files(in folder: String, containing text: String) throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: folder).filter { name in
        FileManager.default.contents(atPath: folder + "/" + name)?.range(of: Data(text.utf8)) != nil
      }
    }

    private func sweep() async throws -> FaultSweep {
      let made = fixture.path("made")
      try await prepare(made)
      return try FaultSweep(["trips"], in: fixture, FaultShim(in: fixture)) {
        try FileManager.default.copyItem(atPath: made, toPath: fixture.path("store"))
      }
    }

    @Test func aMergeIsWholeOrNot() async throws {
      let sweep = try await sweep()
      var (old, new) = (0, 0)
      _ = try await sweep.runEverywhere { moment in
        let isMerged = try await isMerged(moment.folder, "\(moment)")
        if isMerged { new += 1 } else { old += 1 }
        switch moment.end.code {
        case 0: #expect(isMerged && moment.end.line == "2", "\(moment)")
        case 3: #expect(moment.end.line.hasPrefix("fault: "), "\(moment)")
        default: #expect(moment.action.isKill, "it crashed: \(moment)")
        }
        try await check(moment.folder, "\(moment)")
      }
      #expect(old > 0 && (new > 0 || !Sweep.isFull))
      Sweep.report("faults of a merge", "\(old) old, \(new) new")
    }

    @Test func aFullDiskChangesNothing() async throws {
      let sweep = try await sweep()
      let end = try sweep.runOnFullDisk()
      #expect(end.code == 3 && end.line.hasPrefix("fault: "), "\(end)")
      #expect(try await !isMerged(fixture.path("store"), "\(end)"))
      try await check(fixture.path("store"), "\(end)")
    }
  }
#endif
