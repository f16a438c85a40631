import Foundation
import LocalData
import LocalDataTesting
import TestSupport
import Testing

/// Every file call of a write is killed, cut short or failed in turn. Whatever happens, the value is the old one or the
/// new one, and a later write works.
@Suite(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
struct FaultSweepTests {
  struct Scenario: Sendable, CustomTestStringConvertible {
    var store: String
    /// Whether there is a value before.
    var isFresh: Bool
    var verb: String
    var actions: [String]

    var testDescription: String { "\(verb) in \(store), \(isFresh ? "nothing there yet" : "over a value"): \(actions)" }
  }

  private static let failures = ["shortkill", "eio", "enospc", "short", "eintr"]

  static let scenarios = ["files", "preferences"].flatMap { store in
    [true, false].flatMap { isFresh in
      [
        Scenario(store: store, isFresh: isFresh, verb: "update", actions: ["kill"] + failures)
      ]
    } + [Scenario(store: store, isFresh: false, verb: "write", actions: ["kill"])]
  }

  private let old = Data(repeating: 1, count: 9_000)
  private let new = Data(repeating: 2, count: 10_000)

  @Test(arguments: scenarios) func value(_ scenario: Scenario) throws {
    let fixture = try StoreFixture()
    let shim = try FaultShim(in: fixture)
    // A run that only counts; a shim that sees no write shows nothing.
    let listed = try run(scenario, in: fixture, shim.environment("list"))
    let calls = shim.calls(in: listed.output)
    #expect(listed.code == 0)
    #expect(calls.contains { $0.name.contains("write") })
    #expect(calls.count >= 10)

    for action in scenario.actions {
      for number in 1...calls.count where isWorthwhile(action, calls[number - 1]) {
        let moment = "\(action) at \(number), \(calls[number - 1])"
        let end = try run(scenario, in: fixture, shim.environment(action, at: number))
        let found = try bytes(scenario, fixture)
        let isOld = found == (scenario.isFresh ? nil : old)
        #expect(isOld || found == new, "\(moment): \(found?.count ?? -1) bytes")
        switch end.code {
        case 0: #expect(found == new, "\(moment): it succeeded, and the value is the old one")
        case 3: #expect(end.line.hasPrefix("fault: "), "\(moment): \(end.output)")
        default: #expect(action.hasSuffix("kill"), "\(moment): it crashed, \(end.output)")
        }
        // Signals and short counts are what files are to live with.
        if scenario.store == "files", ["eintr", "short"].contains(action) {
          #expect(end.code == 0, "\(moment): \(end.output)")
        }
        try repaired(scenario, fixture, moment)
      }
    }
  }

  @Test(arguments: scenarios.filter { $0.verb == "update" }) func fullDisk(_ scenario: Scenario) throws {
    let fixture = try StoreFixture()
    let shim = try FaultShim(in: fixture)
    let end = try run(scenario, in: fixture, shim.environment("full"))
    #expect(end.code == 3)
    #expect(end.line == "fault: outOfSpace")
    #expect(try bytes(scenario, fixture) == (scenario.isFresh ? nil : old))
    try repaired(scenario, fixture, "full disk")
  }

  /// Only writes can be cut short, and nobody looks at what `close` answers.
  private func isWorthwhile(_ action: String, _ call: FaultShim.Call) -> Bool {
    if action.hasPrefix("short") { return call.name.contains("write") }
    return action == "kill" || call.name != "close"
  }

  /// Runs the probe on a store as the scenario wants it.
  private func run(
    _ scenario: Scenario, in fixture: StoreFixture, _ environment: [String: String]
  ) throws -> ChildProcess.End {
    try? FileManager.default.removeItem(atPath: fixture.path("store"))
    if !scenario.isFresh { try store(scenario, fixture).write(old, to: place(scenario), StorageAttributes()) }
    return try ChildProcess.run(
      ChildProcess.probe, [scenario.store, fixture.path("store"), scenario.verb, "value", "10000", "2"],
      environment: environment)
  }

  /// Shows that a later write works, and that what a killed process left is gone after it.
  private func repaired(_ scenario: Scenario, _ fixture: StoreFixture, _ moment: String) throws {
    let next = Data([3])
    do { try store(scenario, fixture).write(next, to: place(scenario), StorageAttributes()) } catch {
      Issue.record("\(moment): a later write fails, \(error)")
    }
    #expect(try bytes(scenario, fixture) == next, "\(moment)")
    let left = try FileManager.default.subpathsOfDirectory(atPath: fixture.path("store")).filter { $0.contains(".new") }
    #expect(left.isEmpty, "\(moment): \(left)")
  }

  private func bytes(_ scenario: Scenario, _ fixture: StoreFixture) throws -> Data? {
    try store(scenario, fixture).read(place(scenario), StorageAttributes())
  }

  /// A store of its own each time: what it keeps open must not hide what is on the disk.
  private func store(_ scenario: Scenario, _ fixture: StoreFixture) throws -> any ValueStore {
    let roots = StorageRoots(below: fixture.folder.appendingPathComponent("store"))
    let locations = StorageLocations(
      StorageConfiguration(applicationName: "Test", roots: roots), FileStorageConfiguration())
    #if os(Linux)
      if scenario.store == "preferences" { return UserDefaultsHelper(locations) }
    #endif
    return FileStorageHelper(locations)
  }

  private func place(_ scenario: Scenario) -> StoragePlace {
    scenario.store == "files" ? .file("value") : .preference("value")
  }
}
