#if os(Linux)
  import Foundation
  import RuntimeTestSupport
  import TestSupport
  import Testing

  @testable import LocalData

  /// Every file call of an append is killed, cut short or failed in turn. Whatever happens, all of the batch is there or
  /// nothing of it, all that was there before is, and a later append works.
  @Suite(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
  struct MigrationLogFaultTests {
    enum Before: CaseIterable, Sendable {
      case nothing, someEntries, aTornBatch, muchThatRepeatsItself

      /// Of the records that are there.
      var keys: [String] { self == .nothing ? [] : ["a", "b"] }
    }

    private static let batch = 40

    @Test(arguments: Before.allCases) func append(_ before: Before) async throws {
      let fixture = try StoreFixture()
      let sweep = try sweep(before, fixture)
      let calls = sweep.calls
      #expect(calls.contains { $0.name == "write" && $0.path.contains(before == .someEntries ? "log" : ".new") })
      #expect(calls.contains { $0.name == "fsync" })

      let old = before.keys
      let count = try await sweep.run(FaultSweep.Action.basic) { moment in
        let found = try log(moment.folder).events().map(\.key)
        let all = old + Array(repeating: "new", count: Self.batch)
        #expect(found == old || found == all, "\(moment): \(found.count) records")
        switch moment.end.code {
        case 0: #expect(found == all, "\(moment): it succeeded, and the batch is not there")
        case 3: #expect(moment.end.line.hasPrefix("fault: "), "\(moment)")
        default: #expect(moment.action.isKill, "it crashed: \(moment)")
        }
        if [.eintr, .short].contains(moment.action) { #expect(moment.end.code == 0, "\(moment)") }
        try log(moment.folder).append([.sample("next")])
        #expect(try log(moment.folder).events().map(\.key) == found + ["next"], "\(moment)")
      }
      Sweep.report("faults of a log, \(before)", "\(count) in \(calls.count) calls")
    }

    @Test(arguments: Before.allCases) func fullDisk(_ before: Before) throws {
      let fixture = try StoreFixture()
      let end = try sweep(before, fixture).runOnFullDisk()
      #expect(end.line == "fault: outOfSpace")
      #expect(try log(fixture.path("store")).events().map(\.key) == before.keys)
    }

    /// The batch is on the disk before it counts as added, and the names that lead to it.
    @Test(arguments: Before.allCases) func isDurable(_ before: Before) throws {
      let fixture = try StoreFixture()
      let calls = try sweep(before, fixture).calls
      let file = "/data/" + (before == .someEntries ? ".migrations.log" : ".local-data.new")
      let written = try #require(calls.lastIndex { $0.name == "write" && $0.path == file })
      let synced = try #require(calls[written...].firstIndex(of: .init(name: "fsync", path: file)), "\(calls)")
      #expect(calls[synced...].contains(.init(name: "fsync", path: "/data")), "\(calls)")
    }

    private func sweep(_ before: Before, _ fixture: StoreFixture) throws -> FaultSweep {
      try FaultSweep(["migrations", "append", "new", "\(Self.batch)"], in: fixture, FaultShim(in: fixture)) {
        try prepare(before, fixture.path("store"))
      }
    }

    private func log(_ folder: String) throws -> MigrationLog {
      let roots = StorageRoots(below: URL(fileURLWithPath: folder))
      let locations = StorageLocations(
        StorageConfiguration(applicationName: "Test", roots: roots), FileStorageConfiguration())
      return MigrationLog(in: try locations.migrationLog(of: .app))
    }

    /// Makes the log as it is before the append.
    private func prepare(_ before: Before, _ folder: String) throws {
      guard before != .nothing else { return }
      let log = try log(folder)
      try log.append([.sample("a"), .sample("b")])
      switch before {
      case .nothing, .someEntries: break
      case .aTornBatch:
        let file = URL(fileURLWithPath: folder + "/data/.migrations.log")
        let whole = try Data(contentsOf: file)
        try log.append([.sample("c"), .sample("d")])
        try Data(contentsOf: file).dropLast(30).write(to: file)
        #expect(try Data(contentsOf: file).count > whole.count)
      case .muchThatRepeatsItself: try log.append(Array(repeating: .sample("b"), count: 240))
      }
    }
  }
#endif
