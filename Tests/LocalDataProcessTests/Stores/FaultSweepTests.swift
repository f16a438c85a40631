#if os(Linux)
  import Foundation
  import LocalData
  import LocalDataTesting
  import RuntimeTestSupport
  import TestSupport
  import Testing

  /// Every file call of a write is killed, cut short or failed in turn. Whatever happens, the value is the old one or the
  /// new one, and a later write works.
  @Suite(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
  struct FaultSweepTests {
    struct Scenario: Sendable, CustomTestStringConvertible {
      var store: String
      /// A Boolean value that indicates whether no value is stored before the command runs.
      var isFresh: Bool
      var verb: String
      var actions: [FaultSweep.Action]

      var testDescription: String {
        "\(verb) in \(store), \(isFresh ? "nothing there yet" : "over a value"): \(actions)"
      }
      var command: [String] { [store, verb, "value", "10000", "2"] }
    }

    static let scenarios = ["files", "preferences"].flatMap { store in
      [true, false].flatMap { isFresh in
        [Scenario(store: store, isFresh: isFresh, verb: "update", actions: FaultSweep.Action.basic)]
      } + [Scenario(store: store, isFresh: false, verb: "write", actions: [.kill])]
    }

    private let old = Data(repeating: 1, count: 9_000)
    private let new = Data(repeating: 2, count: 10_000)

    @Test(arguments: scenarios) func value(_ scenario: Scenario) async throws {
      let fixture = try StoreFixture(isInMemory: true)
      let sweep = try sweep(scenario, fixture)
      #expect(sweep.calls.count >= 10)
      _ = try await sweep.run(scenario.actions) { moment in
        let found = try bytes(scenario, moment.folder)
        let isOld = found == (scenario.isFresh ? nil : old)
        #expect(isOld || found == new, "\(moment): \(found?.count ?? -1) bytes")
        switch moment.end.code {
        case 0: #expect(found == new, "\(moment): it succeeded, and the value is the old one")
        case 3: #expect(moment.end.line.hasPrefix("fault: "), "\(moment)")
        default: #expect(moment.action.isKill, "it crashed: \(moment)")
        }
        // Signals and short counts are what files are to live with.
        if scenario.store == "files", [.eintr, .short].contains(moment.action) {
          #expect(moment.end.code == 0, "\(moment)")
        }
        try repaired(scenario, moment.folder, "\(moment)")
      }
    }

    @Test(arguments: scenarios.filter { $0.verb == "update" }) func fullDisk(_ scenario: Scenario) async throws {
      let fixture = try StoreFixture(isInMemory: true)
      let moment = try sweep(scenario, fixture).runOnFullDisk()
      #expect(moment.code == 3)
      #expect(moment.line == "fault: outOfSpace")
      #expect(try bytes(scenario, fixture.path("store")) == (scenario.isFresh ? nil : old))
      try repaired(scenario, fixture.path("store"), "full disk")
    }

    private func sweep(_ scenario: Scenario, _ fixture: StoreFixture) throws -> FaultSweep {
      try FaultSweep(scenario.command, in: fixture, FaultShim(in: fixture)) {
        guard !scenario.isFresh else { return }
        try store(scenario, fixture.path("store")).write(old, to: address(scenario), StorageAttributes())
      }
    }

    /// Shows that a later write works, and that the files that a killed process left do not exist after it.
    private func repaired(_ scenario: Scenario, _ folder: String, _ moment: String) throws {
      let next = Data([3])
      do { try store(scenario, folder).write(next, to: address(scenario), StorageAttributes()) } catch {
        Issue.record("\(moment): a later write fails, \(error)")
      }
      #expect(try bytes(scenario, folder) == next, "\(moment)")
      let left = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.contains(".new") }
      #expect(left.isEmpty, "\(moment): \(left)")
    }

    private func bytes(_ scenario: Scenario, _ folder: String) throws -> Data? {
      try store(scenario, folder).read(address(scenario), StorageAttributes())
    }

    /// Returns a new store for each call. What an earlier store keeps open must not hide what is on the disk.
    private func store(_ scenario: Scenario, _ folder: String) throws -> any ValueStore {
      let roots = StorageRoots(below: URL(fileURLWithPath: folder))
      let locations = StorageLocations(
        StorageConfiguration(applicationName: "Test", roots: roots), FileStorageConfiguration())
      #if os(Linux)
        if scenario.store == "preferences" { return UserDefaultsHelper(locations) }
      #endif
      return FileStorageHelper(locations)
    }

    private func address(_ scenario: Scenario) -> StorageAddress {
      scenario.store == "files" ? .file("value") : .preference("value")
    }
  }
#endif
