import Foundation
import TestSupport
import Testing

@testable import LocalData

/// Every file call of an append is killed, cut short or failed in turn. Whatever happens, all of the batch is there or
/// nothing of it, all that was there before is, and a later append works.
@Suite(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
struct MigrationLogFaultTests {
  enum Before: CaseIterable, Sendable {
    case nothing, someEntries, aTornBatch, muchThatRepeatsItself
  }

  private static let batch = 40

  @Test(arguments: Before.allCases) func append(_ before: Before) throws {
    let fixture = try StoreFixture()
    let shim = try FaultShim(in: fixture)
    let old = try prepare(before, fixture)
    let listed = try run(fixture, shim.environment("list"))
    let calls = shim.calls(in: listed.output)
    #expect(listed.code == 0)
    #expect(calls.contains { $0.name == "write" && $0.path.contains(before == .someEntries ? "log" : ".new") })
    #expect(calls.contains { $0.name == "fsync" })

    var count = 0
    for action in ["kill", "shortkill", "short", "eio", "enospc", "eintr"] {
      for number in 1...calls.count where isWorthwhile(action, calls[number - 1]) {
        count += 1
        let moment = "\(action) at \(number), \(calls[number - 1])"
        _ = try prepare(before, fixture)
        let end = try run(fixture, shim.environment(action, at: number))
        let found = try log(fixture).records().map(\.key)
        let all = old + Array(repeating: "new", count: Self.batch)
        #expect(found == old || found == all, "\(moment): \(found.count) records")
        switch end.code {
        case 0: #expect(found == all, "\(moment): it succeeded, and the batch is not there")
        case 3: #expect(end.line.hasPrefix("fault: "), "\(moment): \(end.output)")
        default: #expect(action.hasSuffix("kill"), "\(moment): it crashed, \(end.output)")
        }
        if ["eintr", "short"].contains(action) { #expect(end.code == 0, "\(moment): \(end.output)") }
        try log(fixture).append([.sample("next")])
        #expect(try log(fixture).records().map(\.key) == found + ["next"], "\(moment)")
      }
    }
    print("\(before): \(count) faults in \(calls.count) calls")
  }

  @Test(arguments: Before.allCases) func fullDisk(_ before: Before) throws {
    let fixture = try StoreFixture()
    let shim = try FaultShim(in: fixture)
    let old = try prepare(before, fixture)
    let end = try run(fixture, shim.environment("full"))
    #expect(end.line == "fault: outOfSpace")
    #expect(try log(fixture).records().map(\.key) == old)
  }

  /// The batch is on the disk before it counts as added, and the names that lead to it.
  @Test(arguments: Before.allCases) func isDurable(_ before: Before) throws {
    let fixture = try StoreFixture()
    let shim = try FaultShim(in: fixture)
    _ = try prepare(before, fixture)
    let calls = shim.calls(in: try run(fixture, shim.environment("list")).output)
    let file = "/data/" + (before == .someEntries ? ".migrations.log" : ".local-data.new")
    let written = try #require(calls.lastIndex { $0.name == "write" && $0.path == file })
    let synced = try #require(calls[written...].firstIndex(of: .init(name: "fsync", path: file)), "\(calls)")
    #expect(calls[synced...].contains(.init(name: "fsync", path: "/data")), "\(calls)")
  }

  /// Only writes can be cut short, and nobody looks at what `close` answers.
  private func isWorthwhile(_ action: String, _ call: FaultShim.Call) -> Bool {
    if action.hasPrefix("short") { return call.name.contains("write") }
    return action == "kill" || call.name != "close"
  }

  private func log(_ fixture: StoreFixture) throws -> FileMigrationLog {
    let roots = StorageRoots(below: fixture.folder.appendingPathComponent("store"))
    let locations = StorageLocations(
      StorageConfiguration(applicationName: "Test", roots: roots), FileStorageConfiguration())
    return FileMigrationLog(location: try locations.migrationLog(of: .app))
  }

  private func run(_ fixture: StoreFixture, _ environment: [String: String]) throws -> ChildProcess.End {
    try ChildProcess.run(
      ChildProcess.probe, ["migrations", fixture.path("store"), "append", "new", "\(Self.batch)"],
      environment: environment)
  }

  /// Makes the log as it is before the append; the keys of its records.
  private func prepare(_ before: Before, _ fixture: StoreFixture) throws -> [String] {
    try? FileManager.default.removeItem(atPath: fixture.path("store"))
    guard before != .nothing else { return [] }
    let log = try log(fixture)
    try log.append([.sample("a"), .sample("b")])
    switch before {
    case .nothing, .someEntries: break
    case .aTornBatch:
      let file = URL(fileURLWithPath: fixture.path("store/data/.migrations.log"))
      let whole = try Data(contentsOf: file)
      try log.append([.sample("c"), .sample("d")])
      try Data(contentsOf: file).dropLast(30).write(to: file)
      #expect(try Data(contentsOf: file).count > whole.count)
    case .muchThatRepeatsItself: try log.append(Array(repeating: .sample("b"), count: 240))
    }
    return ["a", "b"]
  }
}
